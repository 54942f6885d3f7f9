/** Where the bytes of a zip are: in a Blob, or on a host that is asked for ranges of them. */

import { bytesOf, failure } from "./store-parts.js";

/** What answers the reading of so many bytes: all of them have a size, and read from a first byte to the one after the last. */
export function blobBytes(blob) {
  return { size: blob.size, place: blob.name ?? "the zip", read: (start, stop) => bytesOf(blob.slice(start, stop)) };
}

/** A zip at a URL: its length is asked for with HEAD, which no host wants a preflight for. */
export async function httpBytes(url, options) {
  const bytes = new HttpBytes(url, options);
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
    const head = await this.#fetch("HEAD", undefined, signal).catch((error) => {
      signal?.throwIfAborted();
      return error;
    });
    if (head.ok) this.#take(head);
    if (this.size !== undefined) return;
    // A host that refuses HEAD, or hides the length there: the headers of a GET tell it, whose body is then left.
    const response = await this.#fetch("GET", undefined, signal);
    if (!response.ok) throw this.#refused(response);
    this.#take(response);
    if (this.size === undefined) await this.#takeWhole(response);
    else await response.body?.cancel();
  }

  async read(start, stop, signal) {
    if (this.#whole) return bytesOf(this.#whole.slice(start, stop));
    if (start >= stop) return new Uint8Array();
    const response = await this.#fetch("GET", `bytes=${start}-${stop - 1}`, signal);
    if (!response.ok) throw this.#refused(response, [start, stop]);
    this.#take(response, [start, stop]);
    if (response.status !== 206) {
      await this.#takeWhole(response);
      return bytesOf(this.#whole.slice(start, stop));
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === stop - start) return bytes;
    throw this.#failure(`${bytes.length} bytes came instead of ${stop - start}`, response.status, [start, stop]);
  }

  /** All of the body, where it is within the bound. */
  async #takeWhole(response) {
    const most = this.#options.maxWholeBytes;
    const parts = [];
    let length = lengthOf(response) ?? 0;
    const reader = response.body?.getReader();
    for (let received = 0; reader && length <= most; length = Math.max(length, received)) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      received += value.length;
    }
    if (length > most) {
      await reader?.cancel();
      throw this.#failure(
        `the host does not answer ranges (or hides how long the zip is), and the zip has more than ${most} bytes; ` +
          "raise maxWholeBytes, or put it on a host that does",
        response.status,
      );
    }
    this.#whole = new Blob(parts);
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

  async #fetch(method, range, signal) {
    const { headers, credentials, fetch = (request) => globalThis.fetch(request) } = this.#options;
    const asked = new Headers(headers);
    if (range) asked.set("Range", range);
    // In the default cache mode browsers ask for the ranges of one URL one after the other.
    const init = { method, headers: asked, cache: "no-store" };
    if (credentials) init.credentials = credentials;
    if (signal) init.signal = signal;
    try {
      return await fetch(new Request(this.#url, init));
    } catch (cause) {
      signal?.throwIfAborted();
      const reason =
        `no answer (${cause?.message}); check the address and the network, and that the host allows this page to read it ` +
        "(CORS: Access-Control-Allow-Origin)";
      throw this.#failure(reason, undefined, undefined, cause);
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
