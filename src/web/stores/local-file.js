/** A file of this computer, of a format that `open` reads by its address: an address that leads to it alone. */

/** Bytes of a request's range, which ends where the file does; undefined where the file has none of them. */
function part(file, range) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const [start, end] = [Number(first), last ? Math.min(Number(last) + 1, file.size) : file.size];
  return start < end ? { start, end } : undefined;
}

/** The answer to a request for a file, or for another name beside it. */
function answered(file, url, request) {
  if (request.url !== url) return new Response(null, { status: 404 });
  const range = request.headers.get("Range");
  if (!range) return new Response(file);
  const found = part(file, range);
  if (!found) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${file.size}` } });
  const { start, end } = found;
  const headers = { "Content-Range": `bytes ${start}-${end - 1}/${file.size}`, "Content-Length": `${end - start}` };
  return new Response(file.slice(start, end), { status: 206, headers });
}

/**
 * The address of a file, and the options of opening it.
 *
 * @param {Blob & { name?: string }} file
 * @param {any} options of `open`
 */
export function localFile(file, options) {
  const url = `https://file.invalid/${encodeURIComponent(file.name ?? "file")}`;
  return [url, { ...options, persist: undefined, fetch: async (/** @type {Request} */ request) => answered(file, url, request) }];
}
