/** Answers to requests for a store's values, as a good static host gives them: ranges, HEAD, ETags, and any origin may read. */

const OPEN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Accept-Ranges": "bytes",
  // Asked anew each time, which costs nothing here; a browser's copy could outlive what it is one of.
  "Cache-Control": "no-cache",
};

const METHODS = "GET, HEAD, OPTIONS";

/** What an error is as a status: nothing at the source, nothing that could be shown, or else what lies beneath failed. */
const STATUSES = { NotFoundError: 404, UnsupportedError: 501 };

/** The bounds of a Range header in so many bytes: undefined to leave it aside, as several ranges may be, null where there are none. */
function boundsOf(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (from === undefined || (from === "" && to === "") || (from !== "" && to !== "" && Number(from) > Number(to))) return undefined;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const stop = from === "" || to === "" ? size : Math.min(size, Number(to) + 1);
  return start < stop ? [start, stop] : null;
}

/** A name for these bytes and no others: two checksums, and how many they are. */
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

const said = (status, text, headers) =>
  new Response(text, { status, headers: { ...OPEN, ...(text && { "Content-Type": "text/plain;charset=utf-8" }), ...headers } });

function answerWith(bytes, key, { method, headers }) {
  const tag = tagOf(bytes);
  const described = { ...OPEN, ETag: tag, "Content-Type": key.endsWith("zarr.json") ? "application/json" : "application/octet-stream" };
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
 * The answer to a request for a key; `undefined` is one that the store has nothing to do with. Rejects as `fetch` does
 * where the request is aborted; other failures are an answer that says what happened.
 *
 * @param {() => Promise<{ get(key: string, options: object): Promise<Uint8Array | undefined> }>} opened
 * @param {string | undefined} key
 * @param {Request} request
 */
export async function answerTo(opened, key, request) {
  const { method, signal } = request;
  signal.throwIfAborted();
  if (method === "OPTIONS") return said(204, null, { "Access-Control-Allow-Methods": METHODS, "Access-Control-Allow-Headers": "*" });
  if (method !== "GET" && method !== "HEAD") return said(405, `${method} is not answered here`, { Allow: METHODS });
  try {
    const bytes = key === undefined ? undefined : await (await opened()).get(key, { signal });
    return bytes ? answerWith(bytes, key, request) : said(404, "nothing is here");
  } catch (error) {
    signal.throwIfAborted();
    return said(STATUSES[error?.name] ?? 502, `${error?.name}: ${error?.message}`);
  }
}
