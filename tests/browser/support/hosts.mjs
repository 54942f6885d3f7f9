/** Hosts of static pages as they answer: GitHub Pages and a bucket of S3, on this machine. */

import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

import { listen } from "./server.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "application/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml", ".wasm": "application/wasm", ".woff2": "font/woff2", ".zip": "application/zip",
};

const pathOf = (request) => decodeURIComponent(new URL(request.url, "http://x").pathname);

/** Answers with bytes, or with the part of them that is asked for. */
function send(request, response, bytes, headers) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (from === undefined) return response.writeHead(200, { ...headers, "Content-Length": bytes.length, "Accept-Ranges": "bytes" }).end(request.method === "HEAD" ? undefined : bytes);
  const start = from === "" ? Math.max(0, bytes.length - Number(to)) : Number(from);
  const stop = from === "" || to === "" ? bytes.length : Math.min(bytes.length, Number(to) + 1);
  if (start >= bytes.length) return response.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
  const part = bytes.subarray(start, stop);
  return response.writeHead(206, { ...headers, "Content-Range": `bytes ${start}-${stop - 1}/${bytes.length}`, "Content-Length": part.length }).end(part);
}

/**
 * A project's site on GitHub Pages, at `/project/`: types by name, gzip for texts and WebAssembly where it is accepted,
 * ranges of what is not compressed, any origin allowed, ten minutes of caching, and a page of its own for a 404.
 */
export function startPages(directory) {
  return listen(async (request, response) => {
    const path = pathOf(request);
    if (path === "/project") return response.writeHead(301, { Location: "/project/" }).end();
    const file = join(directory, path.replace(/^\/project\//, "").replace(/(^|\/)$/, "$1index.html"));
    const bytes = path.startsWith("/project/") ? await readFile(file).catch(() => undefined) : undefined;
    if (!bytes) return response.writeHead(404, { "Content-Type": TYPES[".html"] }).end("<!DOCTYPE html><title>Site not found</title><p>404</p>");
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const headers = { "Content-Type": type, "Access-Control-Allow-Origin": "*", "Cache-Control": "max-age=600", Vary: "Accept-Encoding" };
    const isCompressed = /^text|javascript|json|svg|wasm/.test(type) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "") && !request.headers.range;
    return isCompressed ? send(request, response, gzipSync(bytes), { ...headers, "Content-Encoding": "gzip" }) : send(request, response, bytes, headers);
  });
}

/** A bucket at its REST address, as aws.py filled it: objects by their whole keys, with the headers stored with them; 403 for others. */
export function startBucket(directory) {
  return listen(async (request, response) => {
    const file = join(directory, pathOf(request));
    const isObject = !file.endsWith("/") && await stat(`${file}.headers`).then(() => true, () => false);
    if (!isObject) return response.writeHead(403, { "Content-Type": "application/xml" }).end("<Error><Code>AccessDenied</Code></Error>");
    return send(request, response, await readFile(file), JSON.parse(await readFile(`${file}.headers`, "utf8")));
  });
}
