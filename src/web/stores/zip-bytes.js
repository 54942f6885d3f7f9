/** Bytes of a zip file: in a Blob, or on a host, by range requests. */

import { Exchange } from "./exchange.js";
import { bytesOf, failure } from "./store-parts.js";

/** Default timeout: milliseconds without a byte after which a request fails. */
const TIMEOUT = 30_000;

/** HTTP statuses of redirects. */
const REDIRECTS = [301, 302, 303, 307, 308];

/** Most redirects that one request follows: 20, as in `fetch`. */
const MOST_REDIRECTS = 20;

/** Bytes of a Blob. Like `HttpBytes`, it has a `size`, a `place` for messages, and `read(start, stop)`. */
export function blobBytes(blob) {
  return { size: blob.size, place: blob.name ?? "the zip", read: (start, stop) => bytesOf(blob.slice(start, stop)) };
}

/** Opens a zip at a URL. Its length comes from HEAD, which needs no preflight. */
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
  /** ETag and date of the first response. */
  #version = {};
  /** The whole zip, from a host that does not support ranges. */
  #whole;

  constructor(url, options) {
    const page = globalThis.document?.baseURI ?? globalThis.location?.href;
    this.#url = new URL(url, page);
    this.#url.hash = "";
    // The query may hold a secret, so messages omit it.
    this.place = `${this.#url.origin}${this.#url.pathname}`;
    this.#options = options;
  }

  async measure(signal) {
    await this.#ask("HEAD", undefined, signal, (head) => head.ok && this.#take(head)).catch(() => signal?.throwIfAborted());
    if (this.size !== undefined) return;
    // The host refuses HEAD or hides the length there. The headers of a GET give it, and its body is discarded.
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
        throw this.#failure(`bytes ${first} to ${last} came instead of ${start} to ${stop - 1}; the host does not support ranges`, 206, range);
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
      throw this.#failure(`the response broke off (${cause?.message}); try again`, response.status, range, cause);
    }
  }

  /** Takes a body as the whole zip, if it is within the limit. */
  async #takeWhole(response, exchange) {
    const most = this.#options.maxWholeBytes;
    const bytes = await this.#body(response, exchange, most);
    if (bytes instanceof RangeError) {
      throw this.#failure(
        `the host does not support ranges (or hides the length of the zip), and the zip has more than ${most} bytes; ` +
          "raise maxWholeBytes, or use a host that supports ranges",
        response.status,
      );
    }
    if (bytes instanceof Error) throw this.#failure(bytes.message, response.status, undefined, bytes);
    this.#whole = new Blob([bytes]);
    this.size ??= this.#whole.size;
    if (this.#whole.size !== this.size) throw this.#failure("the zip changed while it was read, or the response broke off; open it again", response.status);
  }

  /** Takes the length from a response's headers, and checks that its version is that of the first response. */
  #take(response, range) {
    if (!range) this.size = lengthOf(response);
    for (const name of ["ETag", "Last-Modified"]) {
      const version = response.headers.get(name);
      if (version === null) continue;
      this.#version[name] ??= version;
      if (version !== this.#version[name]) throw this.#failure("the zip changed while it was read; open it again", response.status, range);
    }
  }

  /** Sends a request and gives its response to `take`; discards a body that `take` does not read. */
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
   * Response after redirects. Outside browsers, redirects of requests with headers are followed here, so that the
   * headers go to no other origin. Browsers hide the target of a redirect and follow it themselves.
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
      if (before === MOST_REDIRECTS) throw fail(`the host redirects more than ${MOST_REDIRECTS} times`);
      const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
      if (!/^https?:$/.test(next?.protocol)) throw fail("the host redirects to an address that is not http: or https:");
      if (next.origin !== url.origin) own = new Headers();
      url = next;
    }
  }

  async #send({ url, own, method, range, isManual }, exchange) {
    const { credentials, fetch = (request) => globalThis.fetch(request) } = this.#options;
    const headers = new Headers(own);
    if (range) headers.set("Range", `bytes=${range[0]}-${range[1] - 1}`);
    // In the default cache mode, browsers send range requests for one URL one after the other.
    const init = { method, headers, cache: "no-store", signal: exchange.signal };
    if (credentials) init.credentials = credentials;
    if (isManual) init.redirect = "manual";
    try {
      return await exchange.send(fetch, new Request(url, init));
    } catch (cause) {
      const reason =
        `no answer (${cause?.message}); check the address and the network, and that the host allows this page to read it ` +
        "(CORS: Access-Control-Allow-Origin), and the page's own Content-Security-Policy the host (connect-src)";
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

/** Length from a response's headers; some hosts answer HEAD without one, or with 0. */
function lengthOf(response) {
  const length = Number(response.headers.get("Content-Length") ?? NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
