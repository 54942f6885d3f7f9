/** Where the bytes of a zip are: in a Blob, or on a host that is asked for ranges of them. */

import { Exchange } from "./exchange.js";
import { bytesOf, failure } from "./store-parts.js";

/** Milliseconds without a byte after which a request is given up unless the caller says otherwise: half a minute. */
const TIMEOUT = 30_000;

/** Statuses of redirects that name another address. */
const REDIRECTS = [301, 302, 303, 307, 308];

/** The most redirects that one request follows: 20, as `fetch` does. */
const MOST_REDIRECTS = 20;

/** What answers the reading of so many bytes: all of them have a size, and read from a first byte to the one after the last. */
export function blobBytes(blob) {
  return { size: blob.size, place: blob.name ?? "the zip", read: (start, stop) => bytesOf(blob.slice(start, stop)) };
}

/** A zip at a URL: its length is asked for with HEAD, which no host wants a preflight for. */
export async function httpBytes(url, options) {
  const { timeout = TIMEOUT, redirect = "follow" } = options;
  if (typeof timeout !== "number" || !(timeout >= 0)) throw new TypeError("the option timeout is a number from 0 up");
  if (!["error", "follow"].includes(redirect)) throw new TypeError('the option redirect is "error" or "follow"');
  const bytes = new HttpBytes(url, { ...options, timeout, redirect });
  await bytes.measure(options.signal);
  return bytes;
}

class HttpBytes {
  size;
  place;
  #url;
  #options;
  /** What the host called the version that was read first. */
  #version = {};
  /** Everything, from a host that does not understand ranges. */
  #whole;

  constructor(url, options) {
    const page = globalThis.document?.baseURI ?? globalThis.location?.href;
    this.#url = new URL(url, page);
    this.#url.hash = "";
    // What else a URL has may be secret.
    this.place = `${this.#url.origin}${this.#url.pathname}`;
    this.#options = options;
  }

  async measure(signal) {
    await this.#ask("HEAD", undefined, signal, (head) => head.ok && this.#take(head)).catch(() => signal?.throwIfAborted());
    if (this.size !== undefined) return;
    // A host that refuses HEAD, or hides the length there: the headers of a GET tell it, whose body is then left.
    await this.#ask("GET", undefined, signal, async (response, exchange) => {
      if (!response.ok) throw this.#refused(response);
      this.#take(response);
      if (this.size === undefined) await this.#takeWhole(response, exchange);
    });
  }

  async read(start, stop, signal) {
    if (this.#whole) return bytesOf(this.#whole.slice(start, stop));
    if (start >= stop) return new Uint8Array();
    const range = [start, stop];
    return this.#ask("GET", range, signal, async (response, exchange) => {
      if (!response.ok) throw this.#refused(response, range);
      this.#take(response, range);
      if (response.status !== 206) {
        await this.#takeWhole(response, exchange);
        return bytesOf(this.#whole.slice(start, stop));
      }
      const [, first, last] = /^bytes (\d+)-(\d+)\//i.exec(response.headers.get("Content-Range") ?? "") ?? [];
      if (first !== undefined && (Number(first) !== start || Number(last) !== stop - 1)) {
        throw this.#failure(`bytes ${first} to ${last} came instead of ${start} to ${stop - 1}; the host does not understand ranges`, 206, range);
      }
      const bytes = await this.#body(response, exchange, stop - start, range);
      if (bytes instanceof Error) throw this.#failure(bytes.message, 206, range, bytes);
      if (bytes.length === stop - start) return bytes;
      throw this.#failure(`${bytes.length} bytes came instead of ${stop - start}`, 206, range);
    });
  }

  async #body(response, exchange, most, range) {
    try {
      return await exchange.read(response, most);
    } catch (cause) {
      throw this.#failure(`the answer broke off (${cause?.message}); try again`, response.status, range, cause);
    }
  }

  /** All of the body, where it is within the bound. */
  async #takeWhole(response, exchange) {
    const most = this.#options.maxWholeBytes;
    const bytes = await this.#body(response, exchange, most);
    if (bytes instanceof RangeError) {
      throw this.#failure(
        `the host does not answer ranges (or hides how long the zip is), and the zip has more than ${most} bytes; ` +
          "raise maxWholeBytes, or put it on a host that does",
        response.status,
      );
    }
    if (bytes instanceof Error) throw this.#failure(bytes.message, response.status, undefined, bytes);
    this.#whole = new Blob([bytes]);
    this.size ??= this.#whole.size;
    if (this.#whole.size !== this.size) throw this.#failure("the zip was changed while it was read, or broke off; open it anew", response.status);
  }

  /** What an answer's headers tell: the length, and that it is of the version that was read first, as far as we are told. */
  #take(response, range) {
    if (!range) this.size = lengthOf(response);
    for (const name of ["ETag", "Last-Modified"]) {
      const version = response.headers.get(name);
      if (version === null) continue;
      this.#version[name] ??= version;
      if (version !== this.#version[name]) throw this.#failure("the zip was changed while it was read; open it anew", response.status, range);
    }
  }

  /** What is taken of an answer; the rest of it is let go of. */
  async #ask(method, range, signal, take) {
    const exchange = new Exchange(signal ?? new AbortController().signal, this.#options.timeout, this.#url.origin);
    try {
      const response = await this.#answer(method, range, exchange);
      try {
        return await take(response, exchange);
      } finally {
        if (!response.bodyUsed) await exchange.leave(response);
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      exchange.end();
    }
  }

  /**
   * The answer, after redirects. Outside of browsers these are followed here, where there are headers, which go to no other
   * origin; browsers tell nobody where a redirect leads.
   */
  async #answer(method, range, exchange) {
    const { headers, redirect } = this.#options;
    let [url, own] = [this.#url, new Headers(headers)];
    const isManual = redirect === "error" || (globalThis.location === undefined && [...own].length > 0);
    for (let before = 0; ; before++) {
      const response = await this.#send({ url, own, method, range, isManual }, exchange);
      const isRedirect = response.type === "opaqueredirect" || REDIRECTS.includes(response.status);
      const location = isRedirect ? response.headers.get("Location") : null;
      const isRefused = isRedirect && redirect === "error";
      if (!isManual || (location === null && !isRefused)) return response;
      await exchange.leave(response);
      const fail = (reason) => this.#failure(reason, response.status || undefined, range);
      if (isRefused) throw fail('the host redirects to another address, which the option redirect: "error" forbids');
      if (before === MOST_REDIRECTS) throw fail("the host redirects again and again");
      const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
      if (!/^https?:$/.test(next?.protocol)) throw fail("the host redirects to what is no address of HTTP");
      if (next.origin !== url.origin) own = new Headers();
      url = next;
    }
  }

  async #send({ url, own, method, range, isManual }, exchange) {
    const { credentials, fetch = (request) => globalThis.fetch(request) } = this.#options;
    const headers = new Headers(own);
    if (range) headers.set("Range", `bytes=${range[0]}-${range[1] - 1}`);
    // In the default cache mode browsers ask for the ranges of one URL one after the other.
    const init = { method, headers, cache: "no-store", signal: exchange.signal };
    if (credentials) init.credentials = credentials;
    if (isManual) init.redirect = "manual";
    try {
      return await exchange.send(fetch, new Request(url, init));
    } catch (cause) {
      const reason =
        `no answer (${cause?.message}); check the address and the network, and that the host allows this page to read it ` +
        "(CORS: Access-Control-Allow-Origin)";
      throw this.#failure(reason, undefined, range, cause);
    }
  }

  #refused(response, range) {
    return this.#failure(`the host answered ${response.status}; check the address and the permissions`, response.status, range);
  }

  #failure(reason, status, range, cause) {
    return failure("StoreError", `${this.place}: ${reason}`, { key: this.place, status, range, cause });
  }
}

/** The length that an answer tells; some hosts answer HEAD with none, or 0. */
function lengthOf(response) {
  const length = Number(response.headers.get("Content-Length") ?? NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
