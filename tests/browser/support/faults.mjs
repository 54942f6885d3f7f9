/**
 * A host over files in memory that misbehaves as told, and logs what came.
 *
 * It answers as a good static host does (ranges, suffixes, If-Range, strong ETags, HEAD, CORS for all); a rule is a
 * function that changes how one exchange goes, and rules add up.
 */

import { createHash } from "node:crypto";

import { listen } from "./server.mjs";

/** The longest slice of a body that is sent at once. */
const SLICE = 16384;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Delays the answer. */
export const slow = (ms) => (exchange) => (exchange.delay += ms);
/** Sends bodies over one link of so many bytes a second, which all requests share. */
export function link(rate) {
  let free = 0;
  /** Waits until so many bytes have gone through. */
  const pass = async (bytes) => {
    free = Math.max(free, performance.now()) + (1000 * bytes) / rate;
    // Timers are no finer than this.
    if (free > performance.now() + 1) await wait(free - performance.now());
  };
  return (exchange) => (exchange.pass = pass);
}
/** Cuts the connection after so many bytes of the body. */
export const cut = (after = 0) => (exchange) => (exchange.cutAfter = after);
/** Answers a status without a useful body. */
export const status = (code, headers = {}) => (exchange) => Object.assign(exchange, { status: code, extra: headers });
/** Declares a length other than the body's, where there is one. */
export const wrongLength = (change) => (exchange) => (exchange.lengthChange = change);
/** Sends so many bytes more than belong there, and announces them; with `announced`, that length whatever comes. */
export const longer = (more, announced) => (exchange) => Object.assign(exchange, { more, announced });
/** Never ends a body, and announces no length unless told one. */
export const endless = (announced = null) => (exchange) => Object.assign(exchange, { isEndless: true, announced });
/** Sends so many bytes of a body and then nothing more, with the connection left open. */
export const stall = (after) => (exchange) => (exchange.stallAfter = after);
/** Sends each slice of a body so long after the one before. */
export const trickle = (ms) => (exchange) => (exchange.pass = () => wait(ms));
/** Answers with these bytes, which fetch unpacks. */
export const gzipped = (bytes) => (exchange) => {
  exchange.bytes = bytes;
  exchange.extra["Content-Encoding"] = "gzip";
};
/** Answers every range with 200 and the whole file. */
export const ignoresRange = (exchange) => (exchange.range = undefined);
/** Takes `bytes=-68` for `bytes=0-68`, as sirv does. */
export const misreadsSuffixes = (exchange) => (exchange.range = exchange.range?.replace("=-", "=0-"));
/** Answers requests for a whole file with 206 and its bytes from there on. */
export const partUnasked = (start) => (exchange) => (exchange.range ??= `bytes=${start}-`);
/** Tells no Content-Length to HEAD. */
export const hidesLength = (exchange) => (exchange.hidesLength = true);
/** Names no ETags, only dates. */
export const namesNoTags = (exchange) => (exchange.etag = undefined);
/** Names no versions at all. */
export const namesNoVersions = (exchange) => (exchange.etag = exchange.modified = undefined);
/** Lets pages of other origins read this header. */
export const exposes = (name) => (exchange) => (exchange.extra["Access-Control-Expose-Headers"] = name);
/** Refuses to let other origins read anything. */
export const withoutCors = (exchange) => (exchange.hasCors = false);
/** Refuses every preflight. */
export const refusesPreflights = (exchange) => (exchange.allowsPreflights = false);

/** The rule for the requests whose path matches. */
export const on = (pattern, rule) => (exchange) => pattern.test(exchange.path) && rule(exchange);
/** The rule for one method. */
export const forMethod = (method, rule) => (exchange) => exchange.method === method && rule(exchange);
/** The rule for the first requests that reach it. */
export function first(count, rule) {
  let left = count;
  return (exchange) => left-- > 0 && rule(exchange);
}

/** Holds answers back until `open()`; `held` counts those that came. */
export function gate() {
  let open;
  const opened = new Promise((done) => (open = done));
  const rule = (exchange) => {
    rule.held += 1;
    exchange.opened = opened;
  };
  return Object.assign(rule, { open, held: 0 });
}

const versionsOf = new WeakMap();

/** A strong ETag and a date, other ones for other bytes. */
function versions(bytes) {
  if (!bytes) return {};
  if (!versionsOf.has(bytes)) {
    const hash = createHash("sha1").update(bytes).digest();
    versionsOf.set(bytes, { etag: `"${hash.toString("base64url")}"`, modified: new Date(hash.readUInt32LE() * 250).toUTCString() });
  }
  return versionsOf.get(bytes);
}

/** First byte and the byte after the last one that a Range header asks for; null where there are none. */
function span(header, size) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  const start = from ? Number(from) : Math.max(0, size - Number(to));
  const stop = from && to ? Math.min(size, Number(to) + 1) : size;
  return start < stop ? [start, stop] : null;
}

/** Status, headers and body of an exchange, as its rules have left it. */
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

/** Waits until a response takes more bytes, or is closed. */
const drained = (response) =>
  new Promise((done) => {
    const go = () => done(response.off("drain", go).off("close", go));
    response.on("drain", go).on("close", go);
  });

/** Sends a body as slowly, as long and as far as the rules say. */
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
  // What is written goes out before the connection does.
  response.write("", () => response.destroy());
}

/** A host over `files`, a Map from paths to bytes. Mount `handle` in the page's site, or `listen()` elsewhere. */
export class FaultyHost {
  /** Applied to each exchange in turn. */
  rules = [];
  /** One entry for each request: method, path, range, ifRange, start and end in ms, inFlight, status, sent (to be), went, aborted. */
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
    const exchange = { method, path, range: headers.range, ifRange: headers["if-range"], bytes, ...versions(bytes), extra: {} };
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
      if (exchange.allowsPreflights) response.setHeader("Access-Control-Allow-Headers", asked);
      entry.status = exchange.allowsPreflights ? 204 : 403;
      return response.writeHead(entry.status).end();
    }
    const { status, headers, body: found } = answer(exchange);
    const body = exchange.more ? Buffer.concat([found, Buffer.alloc(exchange.more)]) : found;
    Object.assign(entry, { status, sent: exchange.method === "HEAD" ? 0 : body.length, went: 0 });
    const isHead = exchange.method === "HEAD";
    entry.isCut = !isHead && (exchange.cutAfter !== undefined || exchange.lengthChange !== undefined);
    const announced = exchange.announced === undefined ? body.length + (entry.isCut ? (exchange.lengthChange ?? 0) : 0) : exchange.announced;
    const length = announced === null ? {} : { "Content-Length": announced };
    response.writeHead(status, { "Content-Type": "application/octet-stream", ...(isHead && exchange.hidesLength ? {} : length), ...headers });
    return isHead ? response.end() : send(response, body, exchange, entry);
  }

  /** Listens on a port, and so an origin, of its own. */
  listen() {
    return listen(this.handle);
  }

  /** The log without metadata documents, as [method or range, path below the array]. */
  asked() {
    const chunks = this.log.filter(({ path }) => !path.endsWith("zarr.json"));
    return chunks.map(({ method, range, path }) => [method === "GET" ? (range ?? "all") : method, path.replace(/^\/[^/]+\//, "")]);
  }

  /** The most requests of these that were in flight at one time. */
  static most(entries) {
    const overlapping = ({ start }) => entries.filter((other) => other.start <= start && (other.end ?? Infinity) > start).length;
    return Math.max(0, ...entries.map(overlapping));
  }
}
