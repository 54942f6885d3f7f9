/** Stores that are not HTTP (Readable). */

/** Readable of a Map from "/key" to bytes; `keys` lists the requested keys. */
export function mapStore(files) {
  const keys = [];
  return {
    keys,
    async get(key) {
      keys.push(key);
      return files.get(key);
    },
  };
}

/** Fetches the files of one fixture into a Map. */
export async function fetchFiles(base, names) {
  const pairs = names.map(async (name) => {
    const url = `${base}/${name.split("/").map(encodeURIComponent).join("/")}`;
    return [`/${name}`, new Uint8Array(await (await fetch(url)).arrayBuffer())];
  });
  return new Map(await Promise.all(pairs));
}

/** Readable of the files below `base`, each of which is fetched once, by keys and by ranges. */
export function fetchedOnce(base) {
  const files = new Map();
  const fetched = async (key) => {
    const response = await fetch(`${base}${key.split("/").map(encodeURIComponent).join("/")}`);
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  };
  const get = (key) => {
    if (!files.has(key)) files.set(key, fetched(key));
    return files.get(key);
  };
  const getRange = async (key, { offset, length, suffixLength }) => {
    const bytes = await get(key);
    return suffixLength === undefined ? bytes?.subarray(offset, offset + length) : bytes?.subarray(Math.max(0, bytes.length - suffixLength));
  };
  return { get, getRange };
}

/** Readable of the array at `base` with these fields added to its zarr.json; `keys` lists the requested keys. */
export function edited(base, fields) {
  const keys = [];
  const get = async (key) => {
    keys.push(key);
    const response = await fetch(`${base}${key}`);
    if (!response.ok) return undefined;
    if (key !== "/zarr.json") return new Uint8Array(await response.arrayBuffer());
    return new TextEncoder().encode(JSON.stringify({ ...(await response.json()), ...fields }));
  };
  return { keys, get };
}
