/**
 * HTTP host of files in memory, with faults on demand and a log of requests.
 *
 * Without rules it is a well-behaved static host (ranges, suffixes, If-Range, strong ETags, HEAD, CORS for all
 * origins). A rule is a function that changes one exchange; several rules apply in turn.
 */

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

import { listen } from "./server.mjs";

/** Longest slice of a body that is sent at once, in bytes. */
const SLICE = 16384;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Delays the answer. */
export const slow = (ms) => (exchange) => (exchange.delay += ms);
/** Sends bodies over one link, shared by all requests, of `rate` bytes per second. */
export function link(rate) {
  let free = 0;
  /** Waits until the bytes have passed. */
  const pass = async (bytes) => {
    free = Math.max(free, performance.now()) + (1000 * bytes) / rate;
    // Timers have a resolution of 1 ms.
    if (free > performance.now() + 1) await wait(free - performance.now());
  };
  return (exchange) => (exchange.pass = pass);
}
/** Cuts the connection after `after` bytes of the body. */
export const cut = (after = 0) => (exchange) => (exchange.cutAfter = after);
/** Answers with a status, and a body without data. */
export const status = (code, headers = {}) => (exchange) => Object.assign(exchange, { status: code, extra: headers });
/** Declares a Content-Length that differs from the body's length by `change`. */
export const wrongLength = (change) => (exchange) => (exchange.lengthChange = change);
/** Sends `more` extra bytes, and announces the longer length, or `announced`. */
export const longer = (more, announced) => (exchange) => Object.assign(exchange, { more, announced });
/** Never ends a body; announces no length, or `announced`. */
export const endless = (announced = null) => (exchange) => Object.assign(exchange, { isEndless: true, announced });
/** Sends `after` bytes of a body, then nothing, and leaves the connection open. */
export const stall = (after) => (exchange) => (exchange.stallAfter = after);
/** Waits `ms` milliseconds before each slice of a body. */
export const trickle = (ms) => (exchange) => (exchange.pass = () => wait(ms));
/** Answers with gzipped bytes, which fetch decompresses. */
export const gzipped = (bytes) => (exchange) => {
  exchange.bytes = bytes;
  exchange.extra["Content-Encoding"] = "gzip";
};
/** Answers every range with 200 and the whole file. */
export const ignoresRange = (exchange) => (exchange.range = undefined);
/** Takes `bytes=-68` for `bytes=0-68`, as sirv does. */
export const misreadsSuffixes = (exchange) => (exchange.range = exchange.range?.replace("=-", "=0-"));
/** Answers requests for a whole file with 206 and its bytes from `start` on. */
export const partUnasked = (start) => (exchange) => (exchange.range ??= `bytes=${start}-`);
/** Omits Content-Length from answers to HEAD. */
export const hidesLength = (exchange) => (exchange.hidesLength = true);
/** Sends no ETags, only dates. */
export const namesNoTags = (exchange) => (exchange.etag = undefined);
/** Sends neither ETags nor dates. */
export const namesNoVersions = (exchange) => (exchange.etag = exchange.modified = undefined);
/** Lets pages of other origins read this header. */
export const exposes = (name) => (exchange) => (exchange.extra["Access-Control-Expose-Headers"] = name);
/** Refuses to let other origins read anything. */
export const withoutCors = (exchange) => (exchange.hasCors = false);
/** Refuses suffix ranges with a status. */
export const refusesSuffixes = (code) => (exchange) => exchange.range?.startsWith("bytes=-") && status(code)(exchange);
/** Refuses ranges that end beyond a file. */
export const refusesBeyond = (code) => (exchange) => Number(/-(\d+)$/.exec(exchange.range ?? "")?.[1]) >= exchange.bytes?.length && status(code)(exchange);
/** Compresses whole bodies where the request accepts it, as Apache does with DEFLATE for all types. */
export const compresses = (exchange) => {
  if (exchange.range || !exchange.bytes || !/gzip/.test(exchange.accepts)) return;
  gzipped(gzipSync(exchange.bytes))(exchange);
  exchange.etag = exchange.etag.replace(/"$/, '-gzip"');
};
/** Has files that are stored compressed, as `gsutil -Z` uploads them: ranges are parts of the compressed file. */
export const storesCompressed = (exchange) => exchange.bytes && gzipped(gzipSync(exchange.bytes))(exchange);
/** Decompresses such files for who does not accept gzip, and then ignores ranges and tells no length, as Google's storage does. */
export const transcodes = (exchange) => {
  if (/gzip/.test(exchange.accepts)) return storesCompressed(exchange);
  return Object.assign(exchange, { range: undefined, hidesLength: true });
};
/** Sends no CORS headers with 404, as nginx does with `add_header` without `always`. */
export const bare404 = (exchange) => (exchange.hasCors = exchange.bytes !== undefined);
/** Answers 403 for what is missing, as a bucket that may not be listed. */
export const forbidsMissing = (exchange) => exchange.bytes || status(403)(exchange);
/** Answers from machines in turn, which give a file an ETag each. */
export function byMachine(count) {
  let turn = 0;
  return (exchange) => exchange.etag && (exchange.etag = `"machine-${turn++ % count}-${exchange.etag.slice(1)}`);
}
/** Allows these headers alone in answers to preflights. */
export const allows = (names) => (exchange) => (exchange.allowed = names);
/** Refuses every preflight. */
export const refusesPreflights = (exchange) => (exchange.allowsPreflights = false);

/** Applies a rule to requests whose path matches. */
export const on = (pattern, rule) => (exchange) => pattern.test(exchange.path) && rule(exchange);
/** Applies a rule to one HTTP method. */
export const forMethod = (method, rule) => (exchange) => exchange.method === method && rule(exchange);
/** Applies a rule to the first `count` requests that reach it. */
export function first(count, rule) {
  let left = count;
  return (exchange) => left-- > 0 && rule(exchange);
}

/** Delays answers until `open()`; `held` counts the requests that wait. */
export function gate() {
  let open;
  const opened = new Promise((done) => (open = done));
  const rule = (exchange) => {
    rule.held += 1;
    exchange.opened = opened;
  };
  return Object.assign(rule, { open, held: 0 });
}

/** Delays the first answers until `count` requests wait for them at once. */
export function meeting(count) {
  const held = gate();
  return (exchange) => {
    held(exchange);
    if (held.held === count) held.open();
  };
}

const versionsOf = new WeakMap();

/** Strong ETag and date of bytes; different bytes have different ones. */
function versions(bytes) {
  if (!bytes) return {};
  if (!versionsOf.has(bytes)) {
    const hash = createHash("sha1").update(bytes).digest();
    versionsOf.set(bytes, { etag: `"${hash.toString("base64url")}"`, modified: new Date(hash.readUInt32LE() * 250).toUTCString() });
  }
  return versionsOf.get(bytes);
}

/** Start and stop of a Range header; null for an unsatisfiable range. */
function span(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  const start = from ? Number(from) : Math.max(0, size - Number(to));
  const stop = from && to ? Math.min(size, Number(to) + 1) : size;
  return start < stop ? [start, stop] : null;
}

/** Status, headers and body of an exchange, after its rules. */
function answer({ status, range, ifRange, etag, modified, bytes, extra }) {
  const versions = { ...(etag && { ETag: etag }), ...(modified && { "Last-Modified": modified }) };
  if (status) return { status, headers: extra, body: Buffer.from("no") };
  if (!bytes) return { status: 404, headers: extra, body: Buffer.from("Not Found") };
  const headers = { "Accept-Ranges": "bytes", ...versions, ...extra };
  if (!range || (ifRange && ifRange !== etag)) return { status: 200, headers, body: bytes };
  const found = span(range, bytes.length);
  if (!found) return { status: 416, headers: { ...extra, "Content-Range": `bytes */${bytes.length}` }, body: Buffer.alloc(0) };
  const [start, stop] = found;
  headers["Content-Range"] = `bytes ${start}-${stop - 1}/${bytes.length}`;
  return { status: 206, headers, body: bytes.subarray(start, stop) };
}

/** Waits until a response accepts more bytes, or is closed. */
const drained = (response) =>
  new Promise((done) => {
    const go = () => done(response.off("drain", go).off("close", go));
    response.on("drain", go).on("close", go);
  });

/** Sends a body with the delays, length and cut of the rules. */
async function send(response, body, { pass, cutAfter, lengthChange, stallAfter, isEndless }, entry) {
  const stop = cutAfter ?? stallAfter ?? body.length;
  for (let at = 0; at < stop && !response.destroyed; at += SLICE) {
    const slice = body.subarray(at, Math.min(at + SLICE, stop));
    await pass?.(slice.length);
    const isTaken = response.write(slice);
    entry.went += slice.length;
    if (!isTaken && !response.destroyed) await drained(response);
  }
  if (response.destroyed) return;
  if (stallAfter !== undefined) return response.flushHeaders();
  const more = Buffer.alloc(1 << 20);
  while (isEndless && !response.destroyed) {
    entry.went += more.length;
    if (!response.write(more) && !response.destroyed) await drained(response);
  }
  if (isEndless) return;
  if (cutAfter === undefined && !lengthChange) return response.end();
  // The callback runs after all bytes are sent.
  response.write("", () => response.destroy());
}

/** Host of `files`, a Map from paths to bytes. Mount `handle` in the page's site, or `listen()` on another origin. */
export class FaultyHost {
  /** Rules that are applied to each exchange, in order. */
  rules = [];
  /** Entries of requests: method, path, range, ifRange, start, answered and end in ms, inFlight, status, sent, went, aborted. */
  log = [];
  inFlight = 0;

  constructor(files) {
    this.files = files;
    this.handle = this.handle.bind(this);
  }

  reset() {
    this.rules = [];
    this.log = [];
  }

  async handle(request, response) {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const { method, headers } = request;
    const bytes = this.files.get(path);
    const accepts = headers["accept-encoding"] ?? "";
    const exchange = { method, path, accepts, range: headers.range, ifRange: headers["if-range"], bytes, ...versions(bytes), extra: {} };
    Object.assign(exchange, { delay: 0, hasCors: true, allowsPreflights: true });
    const entry = { method, path, range: headers.range, ifRange: headers["if-range"], start: performance.now(), aborted: false };
    this.log.push(entry);
    entry.inFlight = ++this.inFlight;
    response.on("close", () => {
      this.inFlight -= 1;
      entry.end = performance.now();
      entry.aborted = !response.writableFinished && !entry.isCut;
    });
    for (const rule of this.rules) rule(exchange);
    await exchange.opened;
    if (exchange.delay) await wait(exchange.delay);
    if (!response.destroyed) await this.#reply(request, response, exchange, entry);
  }

  async #reply(request, response, exchange, entry) {
    response.setHeader("Cache-Control", "no-store");
    if (exchange.hasCors) response.setHeader("Access-Control-Allow-Origin", "*");
    if (exchange.method === "OPTIONS") {
      const asked = request.headers["access-control-request-headers"] ?? "";
      if (exchange.allowsPreflights) response.setHeader("Access-Control-Allow-Headers", exchange.allowed ?? asked);
      entry.status = exchange.allowsPreflights ? 204 : 403;
      return response.writeHead(entry.status).end();
    }
    const { status, headers, body: found } = answer(exchange);
    const body = exchange.more ? Buffer.concat([found, Buffer.alloc(exchange.more)]) : found;
    Object.assign(entry, { status, sent: exchange.method === "HEAD" ? 0 : body.length, went: 0, answered: performance.now() });
    const isHead = exchange.method === "HEAD";
    entry.isCut = !isHead && (exchange.cutAfter !== undefined || exchange.lengthChange !== undefined);
    const announced = exchange.announced === undefined ? body.length + (entry.isCut ? (exchange.lengthChange ?? 0) : 0) : exchange.announced;
    const length = announced === null ? {} : { "Content-Length": announced };
    response.writeHead(status, { "Content-Type": "application/octet-stream", ...(isHead && exchange.hidesLength ? {} : length), ...headers });
    return isHead ? response.end() : send(response, body, exchange, entry);
  }

  /** Listens on a port of its own, which makes another origin. */
  listen() {
    return listen(this.handle);
  }

  /** Log without metadata documents, as [method or range, path below the array]. */
  asked() {
    const chunks = this.log.filter(({ path }) => !path.endsWith("zarr.json"));
    return chunks.map(({ method, range, path }) => [method === "GET" ? (range ?? "all") : method, path.replace(/^\/[^/]+\//, "")]);
  }

  /** Most of these requests that were in flight at the same time. */
  static most(entries) {
    const overlapping = ({ start }) => entries.filter((other) => other.start <= start && (other.end ?? Infinity) > start).length;
    return Math.max(0, ...entries.map(overlapping));
  }
}
