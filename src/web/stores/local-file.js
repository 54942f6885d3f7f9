/** A file of this computer or of a zip, of a format that `open` reads by its address: an address that leads to it alone. */

/**
 * A file by its parts.
 *
 * @typedef {{ name?: string, size: number, part: (start: number, stop: number, signal?: AbortSignal) => Promise<Uint8Array> }} FileParts
 */

/** Bytes of a request's range, which ends where the file does; undefined where the file has none of them. */
function bounds(file, range) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const [start, end] = [Number(first), last ? Math.min(Number(last) + 1, file.size) : file.size];
  return start < end ? { start, end } : undefined;
}

/** The answer to a request for a file, or for another name beside it. */
async function answered(file, url, request) {
  if (request.url !== url) return new Response(null, { status: 404 });
  const range = request.headers.get("Range");
  if (!range) return new Response(await file.part(0, file.size, request.signal));
  const found = bounds(file, range);
  if (!found) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${file.size}` } });
  const { start, end } = found;
  const headers = { "Content-Range": `bytes ${start}-${end - 1}/${file.size}`, "Content-Length": `${end - start}` };
  return new Response(await file.part(start, end, request.signal), { status: 206, headers });
}

/** First bytes of the formats of original files. */
const MARKS = { netcdf: /^CDF/, hdf5: /^\x89HDF\r\n/, tiff: /^(?:II[*+]\0|MM\0[*+])/ };

/** Formats of a file that `open` takes by name, whatever its first bytes are: HDF5 may begin after other bytes. */
const NAMED = ["netcdf", "hdf5", "tiff"];

/** Endings of names that say a format, where the first bytes do not. */
const ENDINGS = { hdf5: /\.(?:nc4?|h5|hdf5|he5)$/i, netcdf: /\.(?:nc3|cdf)$/i, tiff: /\.tiff?$/i };

/** Whether a path has the ending of an original file. */
export const isOriginal = (/** @type {string} */ path) => Object.values(ENDINGS).some((ending) => ending.test(path));

/** The format of a file, by its first bytes or else by its name. */
async function formatOf(file, signal) {
  const start = String.fromCharCode(...(await file.part(0, Math.min(8, file.size), signal)));
  const told = Object.keys(MARKS).find((name) => MARKS[name].test(start)) ?? Object.keys(ENDINGS).find((name) => ENDINGS[name].test(file.name ?? ""));
  if (told) return told;
  const words = file.name ? `the file ${JSON.stringify(file.name)}` : "a Blob";
  const hint = /^PK/.test(start) ? 'it is a zip: pass { format: "zip" }' : `pass { format } with one of ${NAMED.map((name) => JSON.stringify(name)).join(", ")}, "zip" for a zip of Zarr, or a folder by directoryStore of rectilinear-zarr/stores`;
  throw new TypeError(`neither the name nor the first bytes of ${words} say what it is; ${hint}`);
}

/**
 * The address of a file, and the options of opening it.
 *
 * @param {FileParts} file
 * @param {any} options of `open`
 */
export async function fileStore(file, options) {
  const format = options?.format ?? (await formatOf(file, options?.signal));
  if (!NAMED.includes(format)) throw new TypeError(`a File or a Blob cannot be of the format ${JSON.stringify(format)}: formats are ${NAMED.join(", ")} and zip`);
  const url = `https://file.invalid/${encodeURIComponent(file.name ?? "file")}`;
  return [url, { ...options, format, persist: undefined, fetch: (/** @type {Request} */ request) => answered(file, url, request) }];
}

/**
 * The address of a file of this computer, and the options of opening it.
 *
 * @param {Blob & { name?: string }} file
 * @param {any} options of `open`
 */
export function localFile(file, options) {
  const part = async (/** @type {number} */ start, /** @type {number} */ stop) => new Uint8Array(await file.slice(start, stop).arrayBuffer());
  return fileStore({ name: file.name, size: file.size, part }, options);
}
