/** Stores that are not HTTP: what api.md calls a Readable. */

/** A Readable over a Map from "/key" to bytes; `keys` lists what was asked for. */
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

/** Fetch the files of one fixture into a Map, as a page would hold an opened archive. */
export async function fetchFiles(base, names) {
  const pairs = names.map(async (name) => {
    const url = `${base}/${name.split("/").map(encodeURIComponent).join("/")}`;
    return [`/${name}`, new Uint8Array(await (await fetch(url)).arrayBuffer())];
  });
  return new Map(await Promise.all(pairs));
}
