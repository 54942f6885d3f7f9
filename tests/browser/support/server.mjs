/** HTTP servers for tests: a static one for the page, and others with a handler. */

import { statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import sirv from "sirv";

import { FIXTURES, PACKAGE, SUPPORT, ZIP_JS } from "./paths.mjs";

/** Import map of the page: the package and its dependency. */
export const IMPORTS = {
  "rectilinear-zarr": "/pkg/index.js",
  "rectilinear-zarr/inline": "/pkg/inline.js",
  "rectilinear-zarr/stores": "/pkg/stores.js",
  "rectilinear-zarr/levels": "/pkg/levels.js",
  "rectilinear-zarr/adapters": "/pkg/adapters.js",
  "rectilinear-zarr/sparse": "/pkg/sparse.js",
  "rectilinear-zarr/access": "/pkg/access.js",
  "rectilinear-zarr/stac": "/pkg/stac.js",
  "rectilinear-zarr/answers": "/pkg/answers.js",
  "rectilinear-zarr/healpix": "/pkg/healpix.js",
  "@zip.js/zip.js/": "/zip.js/",
};

/** An empty page. */
export const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>test</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
`;

/** Listens on a free port; `requests` logs the requests, `close` also cuts open connections. */
export async function listen(handle) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: { ...request.headers } });
    handle(request, response);
  });
  // Clients may send a request on a connection that is idle at any time, where a server that closes it would lose it.
  server.keepAliveTimeout = 0;
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Adds the CORS headers of an open bucket; answers a preflight, and then returns true. */
export function allow(request, response) {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "*");
  if (request.method !== "OPTIONS") return false;
  response.writeHead(204).end();
  return true;
}

/**
 * Replaces a suffix range by one with a start, because sirv takes `bytes=-4` for `bytes=0-4`. By RFC 9110, a suffix
 * longer than the file is the whole file, and a suffix of an empty file is unsatisfiable.
 */
function unsuffix(request, directory) {
  const suffix = /^bytes=-(\d+)$/.exec(request.headers.range ?? "");
  if (!suffix) return;
  const file = join(directory, decodeURIComponent(new URL(request.url, "http://x").pathname));
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  request.headers.range = `bytes=${Math.max(0, size - Number(suffix[1]))}-`;
}

/** Handler of sirv that answers 404 itself; `dev` reads the disk at each request and forbids caching. */
export function files(directory) {
  const serve = sirv(directory, { dev: true, dotfiles: true });
  return (request, response) => {
    unsuffix(request, directory);
    serve(request, response, () => response.writeHead(404, { "Content-Type": "text/plain" }).end("Not Found"));
  };
}

/** Later parts of the module, which the environment variable SLOW_PARTS delays, in milliseconds. */
const LATER = /_(answers|calls|codecs|grids|opening|zones)_bg\.wasm$/;

/** The package. Delayed parts show which calls need them without waiting for them: the main thread is blocked, once each. */
function packaged() {
  const serve = files(PACKAGE);
  const delay = Number(process.env.SLOW_PARTS ?? 0);
  if (delay === 0) return serve;
  return (request, response) => void setTimeout(() => serve(request, response), LATER.test(request.url) ? delay : 0);
}

/** Serves the page at /, the package at /pkg/, fixtures at /data/, these helpers at /support/, and more mounts. */
export async function startSite(mounts = {}) {
  const handlers = Object.entries({ "/pkg": packaged(), "/data": FIXTURES, "/support": SUPPORT, "/zip.js": ZIP_JS, ...mounts }).map(
    ([prefix, mounted]) => [prefix, typeof mounted === "function" ? mounted : files(mounted)],
  );
  return listen((request, response) => {
    if (request.url === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    for (const [prefix, handle] of handlers) {
      if (!request.url.startsWith(`${prefix}/`)) continue;
      request.url = request.url.slice(prefix.length);
      return handle(request, response);
    }
    response.writeHead(404).end();
  });
}
