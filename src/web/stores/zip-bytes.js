/** Bytes of a zip file: in a Blob, or on a host, by range requests. */

import { afterRedirects } from "../fetch/redirects.js";
import { Passing, busy, delayOf, repeating } from "../fetch/repeats.js";
import { bytesOf, failure } from "./common.js";

/** Default timeout: milliseconds without a byte after which a request fails. */
const TIMEOUT = 30_000;

/** Most requests for an answer with the first ETag. */
const MOST_FOR_TAG = 7;

/** In place of bytes: the host refuses the range. */
const REFUSED = Symbol("refused");

/** A response with another ETag than the first one, and the error that it is where the first one does not come again. */
class OtherTag {
  constructor(changed) {
    this.changed = changed;
  }
}

/** Bytes of a Blob. Like `HttpBytes`, it has a `size`, a `place` for messages, `read(start, stop)` and `end(most)`. */
export function blobBytes(blob) {
  const read = (start, stop) => bytesOf(blob.slice(start, stop));
  return { size: blob.size, place: blob.name ?? "the zip", read, end: (most) => read(Math.max(0, blob.size - most), blob.size) };
}

/**
 * Opens a zip at a URL. Its length comes from HEAD, which needs no preflight, and is confirmed by the first read of its
 * end: some hosts tell the length of a compressed body.
 *
 * @param {string | URL} url
 * @param {any} options
 * @param {typeof import("../fetch/exchange.js").Exchange} Exchange what sends requests: the main entry has it, which loads this
 * file for addresses of zips, and a bundle of one script cannot import it from here
 */
export async function httpBytes(url, options, Exchange) {
  const { timeout = TIMEOUT, redirect = "follow", retries } = options;
  if (typeof timeout !== "number" || !(timeout >= 0)) throw new TypeError("the option timeout is a number from 0 up");
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) throw new TypeError("the option retries is a whole number from 0 up");
  if (!["error", "follow"].includes(redirect)) throw new TypeError('the option redirect is "error" or "follow"');
  const { protocol, username, password } = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  if (!/^https?:$/.test(protocol)) throw failure("UnsupportedError", `zips are read from https: and http: addresses, not ${protocol}; the option access of open gives those of buckets`);
  if (username || password) throw new TypeError("the address of a zip has a user or a password, which are not sent; use the option headers");
  const bytes = new HttpBytes(url, { ...options, timeout, redirect, Exchange });
  await bytes.measure(options.signal);
  return bytes;
}

class HttpBytes {
  size;
  place;
  #url;
  #options;
  /** ETag and date of the first response to GET. */
  #version = {};
  /** Whether the machines of the host give the zip an ETag each. */
  #hasTagsByMachine = false;
  /** Whether the end of the zip was where its length says. */
  #isConfirmed = false;
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
    await this.#askOnce("HEAD", [0], signal, (head) => head.ok && this.#measured(head)).catch(() => signal?.throwIfAborted());
    // The host refuses HEAD or hides the length there.
    if (this.size === undefined) await this.#measureByGet(signal);
  }

  /** Takes the length from the headers of a GET, whose body is discarded; or the whole zip. */
  async #measureByGet(signal) {
    const take = async (response, exchange) => {
      if (!response.ok) throw this.#refused(response);
      this.#compare(response);
      this.#measured(response);
      if (this.size === undefined) await this.#takeWhole(response, exchange);
    };
    // Browsers reject a part of a compressed body, and would do so again.
    const once = (/** @type {any} */ error) => {
      throw error instanceof Passing && error.failure.status === undefined ? error.failure : error;
    };
    try {
      await this.#repeated(() => this.#askForTag("GET", [0], signal, take).catch(once), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error.status !== undefined) throw error;
      await this.#askWhole(signal);
    }
  }

  #askWhole(signal) {
    return this.#ask("GET", undefined, signal, async (response, exchange) => {
      if (!response.ok) throw this.#refused(response);
      await this.#takeWhole(response, exchange);
    });
  }

  #measured(response) {
    this.size = lengthOf(response);
  }

  /** The last bytes of the zip, up to `most`; corrects its length. */
  async end(most, signal) {
    // The length of HEAD, the length of GET, and then the whole zip.
    for (let doubts = 0; !this.#whole && !this.#isConfirmed; doubts++) {
      const first = Math.max(0, this.size - most);
      // One byte more than there should be shows whether the zip ends here.
      let bytes = await this.#upTo(first, this.size + 1, signal);
      // Some hosts refuse a range that ends beyond a file.
      if (bytes === REFUSED) bytes = await this.#upTo(first, this.size, signal);
      this.#isConfirmed = bytes?.length === this.size - first;
      if (this.#isConfirmed) return bytes;
      if (doubts === 0 && !this.#whole) await this.#measureByGet(signal);
      else if (!this.#whole) await this.#askWhole(signal);
    }
    return this.read(Math.max(0, this.size - most), this.size, signal);
  }

  /**
   * Bytes of a range that may end beyond the zip; `REFUSED` where the host refuses it; undefined where it gives something
   * else, or the whole zip.
   */
  #upTo(start, stop, signal) {
    const range = [start, stop];
    return this.#ask("GET", range, signal, async (response, exchange) => {
      if (response.status === 416 || (response.status === 400 && stop > this.size)) return REFUSED;
      if (!response.ok) throw this.#refused(response, range);
      this.#compare(response, range);
      if (response.status !== 206) return void (await this.#takeWhole(response, exchange));
      const [, first, whole] = /^bytes (\d+)-\d+\/(\d+)?/i.exec(response.headers.get("Content-Range") ?? "") ?? [];
      if (first !== undefined && Number(first) !== start) return undefined;
      // The length of before is not that of the zip.
      if (whole !== undefined && Number(whole) !== this.size) return undefined;
      // A part of a compressed body cannot be decompressed.
      const bytes = await exchange.read(response, stop - start).catch(() => undefined);
      return bytes instanceof Error ? undefined : bytes;
    });
  }

  async read(start, stop, signal) {
    if (this.#whole) return bytesOf(this.#whole.slice(start, stop));
    if (start >= stop) return new Uint8Array();
    const range = [start, stop];
    return this.#ask("GET", range, signal, async (response, exchange) => {
      if (!response.ok) throw this.#refused(response, range);
      this.#compare(response, range);
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
      throw new Passing(this.#failure(`the response broke off (${cause?.message}); try again`, response.status, range, cause));
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
    if (!this.#isConfirmed) this.size = this.#whole.size;
    if (this.#whole.size !== this.size) throw this.#failure("the zip changed while it was read, or the response broke off; open it again", response.status);
  }

  /**
   * Checks that a response is of the version of the first one. Machines of one host may give a file an ETag each: another
   * ETag beside the same date is asked again, and is of the same version where the first ETag comes once more.
   */
  #compare(response, range) {
    const [tag, date] = ["ETag", "Last-Modified"].map((name) => response.headers.get(name) ?? undefined);
    this.#version.tag ??= tag;
    this.#version.date ??= date;
    const isOther = (one, other) => one !== undefined && other !== undefined && one !== other;
    const isOtherTag = isOther(tag, this.#version.tag);
    const isOtherDate = isOther(date, this.#version.date);
    if (!isOtherDate && (!isOtherTag || this.#hasTagsByMachine)) return;
    if (!isOtherTag && tag !== undefined) return;
    const error = this.#failure("the zip changed while it was read; open it again", response.status, range);
    throw isOtherTag && !isOtherDate && date !== undefined ? new OtherTag(error) : error;
  }

  /**
   * Sends a request and gives its response to `take`; discards a body that `take` does not read. Where no answer comes, or
   * that of a host that is busy, it is sent again.
   */
  #ask(method, range, signal, take) {
    return this.#repeated(() => this.#askForTag(method, range, signal, take), signal);
  }

  #repeated(of, signal) {
    return repeating(of, { signal, retries: this.#options.retries });
  }

  /** Asks once, and again where the response has another ETag than the first one. */
  async #askForTag(method, range, signal, take) {
    for (let asked = 1; ; asked++) {
      try {
        const found = await this.#askOnce(method, range, signal, take);
        this.#hasTagsByMachine ||= asked > 1;
        return found;
      } catch (error) {
        if (!(error instanceof OtherTag)) throw error;
        if (asked === MOST_FOR_TAG) throw error.changed;
      }
    }
  }

  async #askOnce(method, range, signal, take) {
    const exchange = new this.#options.Exchange(signal ?? new AbortController().signal, this.#options.timeout, this.#url.origin);
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

  /** Response after redirects. */
  async #answer(method, range, exchange) {
    const { credentials, redirect, headers } = this.#options;
    /** @type {{ headers: Headers, redirect?: RequestRedirect, credentials?: RequestCredentials }} */
    const sending = { headers: new Headers(headers), credentials: credentials ?? undefined };
    const { response } = await afterRedirects(
      this.#url,
      { method, hasHeaders: [...sending.headers].length > 0, isForbidden: redirect === "error" },
      (hop) => this.#send(hop, { ...sending, redirect: hop.redirect }, range, exchange),
      (response) => exchange.leave(response),
      (reason, { status }) => this.#failure(reason, status || undefined, range),
    );
    return response;
  }

  async #send({ url, carries, method }, sending, range, exchange) {
    const { fetch = (request) => globalThis.fetch(request) } = this.#options;
    // With a range, browsers and Node ask for the bytes as they are, not compressed.
    const bytes = range && `bytes=${range[0]}-${range.length > 1 ? range[1] - 1 : ""}`;
    try {
      // In the default cache mode, browsers send range requests for one URL one after the other.
      return await exchange.send(fetch, exchange.request(url.href, sending, carries, method, "no-store", bytes, false));
    } catch (cause) {
      const reason =
        `no answer (${cause?.message}); check the address and the network, and that the host allows this page to read it ` +
        "(CORS: Access-Control-Allow-Origin), and the page's own Content-Security-Policy the host (connect-src)";
      throw new Passing(this.#failure(reason, undefined, range, cause));
    }
  }

  #refused(response, range) {
    const { status } = response;
    const reason = busy(status);
    const error = this.#failure(`the host answered ${status}; ${reason ?? "check the address and the permissions"}`, status, range);
    return reason ? new Passing(error, delayOf(response.headers.get("Retry-After"))) : error;
  }

  #failure(reason, status, range, cause) {
    return failure("StoreError", `${this.place}: ${reason}`, { key: this.place, status, range, cause });
  }
}

/** Length of the whole from a response's headers; some hosts answer HEAD without one, or with 0. */
function lengthOf(response) {
  const { headers } = response;
  if (response.status === 200 && headers.get("Content-Encoding")) return undefined;
  const length = Number(/\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1] ?? headers.get("Content-Length") ?? NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
