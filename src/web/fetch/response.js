/** Helpers for a response's status, headers and body, which may be of another library than the platform's `fetch`. */

/** Header of a response; undefined or null where it is missing or hidden. */
export function header(response, name) {
  return response.headers?.get?.(name);
}

/** Headers that the core reads, in its order. */
const HEADERS = ["Location", "Content-Range", "Content-Length", "Content-Type", "ETag", "Last-Modified", "Retry-After"];

/**
 * Head of a response as lines: status, type and headers, for one call; undefined for an object that is not a response.
 *
 * @param {Response & { refusal?: Error }} response
 */
export function headOf(response) {
  // The option access tells why the service refuses its keys.
  if (response?.refusal) throw response.refusal;
  // The response may be of another realm or library, so a method is checked, not the class.
  if (typeof response?.arrayBuffer !== "function") return undefined;
  return [response.status, response.type, ...HEADERS.map((name) => header(response, name) ?? "")].join("\n");
}

/** Announced length of a response's body; undefined where there is none. */
export function announced(response) {
  const length = header(response, "Content-Length");
  return /^\d+$/.test(length ?? "") ? Number(length) : undefined;
}

/** Error for a body with more bytes than its limit or its announced length. */
export function tooLong(limit, isAnnounced) {
  const why = isAnnounced
    ? "as many as Content-Length says, and the rest was not read; a fetch that decompresses bodies must drop that header"
    : "the limit here, and the rest was not read; the host may not support ranges, or another file is at this address";
  return new RangeError(`more than ${limit} bytes came, ${why}`);
}

/**
 * Reader of a body, which fills the caller's memory if the platform's stream can: that saves a copy of each part. Streams
 * of the caller's that are of bytes may never end such a read when they close.
 */
export function readerOf({ body, type }) {
  try {
    // The types of the platform's responses. Safari's streams do not have this mode.
    return body.getReader({ mode: /basic|cors/.test(type) ? "byob" : undefined });
  } catch {
    return body.getReader();
  }
}

/** Cancels a stream or its reader. */
export function cancel(stream) {
  stream?.cancel?.().catch(() => {});
}
