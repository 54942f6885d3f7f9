/** A host of the package that answers for a part of the main module what a test wants. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { PACKAGE } from "../support/paths.mjs";
import { allow, files } from "../support/server.mjs";

/** Parts of the main module: the first one, and those that Rust loads later. */
export const LATER = ["opening", "virtual", "codecs", "grids", "calls", "answers", "zones"];
export const PARTS = ["first", ...LATER];

export const fileOf = (part) => (part === "first" ? "rectilinear_zarr_bg.wasm" : `rectilinear_zarr_${part}_bg.wasm`);

/** The part at an address; undefined for other files. */
export const partAt = (url) => PARTS.find((part) => new URL(url, "http://x").pathname.endsWith(`/${fileOf(part)}`));

/** The bytes of a part's file. */
const bytesOf = (part) => readFileSync(join(PACKAGE, fileOf(part)));

/** Mark of the build, at the end of each part's file. */
const markOf = (bytes) => /build([0-9a-f]{16})$/.exec(bytes.toString("latin1"))[1];

/** Mark that a build of the same files would have, had it another one. */
const other = (mark) => mark.replace(/./g, (digit) => (15 - parseInt(digit, 16)).toString(16));

/** A file of the package with another mark in the place of the build's. */
function remarked(bytes, mark) {
  return Buffer.from(bytes.toString("latin1").replaceAll(mark, other(mark)), "latin1");
}

/** Answers with the bytes of a module, and more headers. */
export function wasm(response, bytes, headers) {
  response.writeHead(200, { "Content-Type": "application/wasm", "Content-Length": bytes.length, "Cache-Control": "no-store", ...headers }).end(bytes);
}

/** Answers with half of the bytes of a part, of which all are announced. */
function half(response, part) {
  const bytes = bytesOf(part);
  response.writeHead(200, { "Content-Type": "application/wasm", "Content-Length": bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2));
}

/** The file of a part of another build. */
export function ofOtherBuild(part) {
  const bytes = bytesOf(part);
  return remarked(bytes, markOf(bytes));
}

/** What a host answers in the place of a part, by what a user would call it. */
export const FAULTS = {
  "status 404": ({ response }) => response.writeHead(404).end("no"),
  "status 404, which caches may keep": ({ response }) => response.writeHead(404, { "Cache-Control": "max-age=600" }).end("no"),
  "status 500": ({ response }) => response.writeHead(500).end("no"),
  "a page": ({ response }) => response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Welcome</title>"),
  "a page of the type of modules": ({ response }) => wasm(response, Buffer.from("<!doctype html><title>Welcome</title>")),
  "nothing, with status 200": ({ response }) => wasm(response, Buffer.alloc(0)),
  "half of the file": ({ response, part }) => wasm(response, bytesOf(part).subarray(0, bytesOf(part).length / 2)),
  "half of the file, which caches may keep": ({ response, part }) => wasm(response, bytesOf(part).subarray(0, 1000), { "Cache-Control": "max-age=600" }),
  "the file without its mark": ({ response, part }) => wasm(response, bytesOf(part).subarray(0, -"\0\x16\x05build0123456789abcdef".length)),
  "half of the file, and closes the connection": ({ response, part }) => {
    half(response, part);
    response.write("", () => response.destroy());
  },
  "the file of another build": ({ response, part }) => wasm(response, ofOtherBuild(part)),
  "nothing, and closes the connection": ({ response }) => response.destroy(),
};

/** Never answers. */
export const hangs = ({ held, response }) => void held.push(() => response.destroy());

/** Sends the headers and half of the file, and no more. */
export function stalls({ held, response, part }) {
  half(response, part);
  held.push(() => response.destroy());
}

/** Holds the file back until the test releases it. */
export const waits = ({ held, serve }) => void held.push(serve);

/** Answers so many milliseconds late. */
export const late = (ms) => ({ serve }) => void setTimeout(serve, ms);

/** Answers rightly, with a type that is not that of modules. */
export const untyped = ({ response, part }) => wasm(response, bytesOf(part), { "Content-Type": "application/octet-stream" });

/** Answers without the headers that let other origins read. */
export function withoutCors({ response, serve }) {
  response.removeHeader("Access-Control-Allow-Origin");
  serve();
}

/** Handler of the package: `faults` has answers in the place of parts, `asked` the parts that were asked for. */
export class PartHost {
  faults = new Map();
  asked = [];
  /** Ends of requests that wait. */
  #held = [];
  #serve;

  /** `isOtherBuild`: whether the package has the mark of another build. */
  constructor({ isOtherBuild = false } = {}) {
    this.#serve = isOtherBuild ? PartHost.#otherBuild() : files(PACKAGE);
    this.handle = this.handle.bind(this);
  }

  static #otherBuild() {
    const mark = markOf(bytesOf("first"));
    const types = { js: "text/javascript", wasm: "application/wasm" };
    return ({ url }, response) => {
      const bytes = remarked(readFileSync(join(PACKAGE, url)), mark);
      response.writeHead(200, { "Content-Type": types[url.split(".").pop()] }).end(bytes);
    };
  }

  handle(request, response) {
    const part = partAt(request.url);
    const serve = () => this.#serve(request, response);
    if (!part) return serve();
    this.asked.push(part);
    const answer = this.faults.get(part) ?? serve;
    return answer({ request, response, part, serve, held: this.#held });
  }

  /** Handler of an origin of its own, with the package at /pkg/. */
  far = (request, response) => {
    if (allow(request, response)) return;
    request.url = request.url.replace(/^\/pkg\//, "/");
    this.handle(request, response);
  };

  /** Answers these parts in this way from now on. */
  set(parts, answer) {
    for (const part of [parts].flat()) this.faults.set(part, answer);
  }

  /** Ends the requests that wait: the file comes, or nothing. */
  release() {
    for (const end of this.#held.splice(0)) end();
  }

  /** Makes the host good; requests that wait go on to wait. */
  mend() {
    this.faults.clear();
  }

  reset() {
    this.mend();
    this.release();
    this.asked = [];
  }
}
