/** HTTP responses for a store's values, as of a static host: ranges, HEAD, ETags, and CORS headers for any origin. */

const OPEN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Accept-Ranges": "bytes",
  // Revalidation costs nothing here, and a copy in the browser's cache could outlive its source.
  "Cache-Control": "no-cache",
};

const METHODS = "GET, HEAD, OPTIONS";

/** HTTP statuses of errors by name; any other error is 502, a failure of the source. */
const STATUSES = { NotFoundError: 404, UnsupportedError: 501 };

/** Start and stop of a Range header in `size` bytes; undefined for a header to ignore, null for no such bytes. */
function boundsOf(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === undefined || (from === "" && to === "") || (from !== "" && to !== "" && Number(from) > Number(to))) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const stop = from === "" || to === "" ? size : Math.min(size, Number(to) + 1);
  return start < stop ? [start, stop] : null;
}

/** ETag of bytes: two checksums and the length. */
function tagOf(bytes) {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(buffer, byteOffset, length >>> 2);
  let [one, other] = [0x811c9dc5, 0x2b5ad5c4];
  const take = (value) => {
    one = Math.imul(one ^ value, 0x01000193);
    other = Math.imul((other << 5) ^ (other >>> 3) ^ value, 0x9e3779b1);
  };
  for (const word of words) take(word);
  for (const byte of bytes.subarray(words.length * 4)) take(byte);
  return `"${[one >>> 0, other >>> 0, length].map((part) => part.toString(36)).join("-")}"`;
}

/** Response without a value: a status, with its reason as text. */
export const said = (status, text, headers) =>
  new Response(text, { status, headers: { ...OPEN, ...(text && { "Content-Type": "text/plain;charset=utf-8" }), ...headers } });

function answerWith(bytes, key, { method, headers }) {
  const tag = tagOf(bytes);
  const described = { ...OPEN, ETag: tag, "Content-Type": /\/(?:zarr\.json|\.z\w+)$/.test(key) ? "application/json" : "application/octet-stream" };
  const known = headers.get("If-None-Match")?.split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (known?.includes(tag) || known?.includes("*")) return new Response(null, { status: 304, headers: described });
  const isSame = [null, tag].includes(headers.get("If-Range"));
  const bounds = method === "GET" && isSame ? boundsOf(headers.get("Range"), bytes.length) : undefined;
  if (bounds === null) return said(416, null, { "Content-Range": `bytes */${bytes.length}` });
  const body = bounds ? bytes.subarray(...bounds) : bytes;
  const part = bounds && { "Content-Range": `bytes ${bounds[0]}-${bounds[1] - 1}/${bytes.length}` };
  const init = { status: bounds ? 206 : 200, headers: { ...described, ...part, "Content-Length": String(body.length) } };
  return new Response(method === "HEAD" ? null : body, init);
}

/**
 * Response to a request for a key; a key of `undefined` lies outside the store and gives 404. Rejects as `fetch` does
 * where the request is aborted; other failures are responses with a reason.
 *
 * @param {() => Promise<{ get(key: string, options: object): Promise<Uint8Array | undefined> }>} opened
 * @param {string | undefined} key
 * @param {Request} request
 */
export async function answerTo(opened, key, request) {
  const { method, signal } = request;
  signal.throwIfAborted();
  if (method === "OPTIONS") return said(204, null, { "Access-Control-Allow-Methods": METHODS, "Access-Control-Allow-Headers": "*" });
  if (method !== "GET" && method !== "HEAD") return said(405, `method ${method} is not allowed; use ${METHODS}`, { Allow: METHODS });
  try {
    const bytes = key === undefined ? undefined : await (await opened()).get(key, { signal });
    return bytes ? answerWith(bytes, key, request) : said(404, "nothing is stored here");
  } catch (error) {
    signal.throwIfAborted();
    return said(STATUSES[error?.name] ?? 502, `${error?.name}: ${error?.message}`);
  }
}
