/** Without a bundler: a plain script, a package on another origin as a CDN serves it, and under a Content-Security-Policy. */

import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";

import { launch } from "../browser/support/chromium.mjs";
import { PACKAGE } from "../browser/support/paths.mjs";
import { allow, files, listen } from "../browser/support/server.mjs";
import { ARRAY, page, reader, reads } from "./support.mjs";

/** Policy of a page that allows what the package needs and forbids all else: its own scripts, and WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

describe("without a bundler", () => {
  let browser;
  before(async () => (browser = await launch({ patience: 180_000 })));
  after(() => browser?.close());

  /** A site with a page, its script, the package at /pkg/ and the array; answers go out with these headers. */
  function site(script, { head = "", headers = {} } = {}) {
    const mounts = { "/pkg": files(PACKAGE), "/data.zarr": files(ARRAY) };
    const texts = { "/": ["text/html", page("/main.js", head)], "/main.js": ["text/javascript", script] };
    return listen((request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const text = texts[request.url];
      if (text) return response.writeHead(200, { "Content-Type": text[0] }).end(text[1]);
      const mount = Object.keys(mounts).find((prefix) => request.url.startsWith(`${prefix}/`));
      if (!mount) return response.writeHead(404).end();
      request.url = request.url.slice(mount.length);
      return mounts[mount](request, response);
    });
  }

  async function opens(...site_) {
    const host = await site(...site_);
    try {
      await reads(browser, host.url);
    } finally {
      await host.close();
    }
  }

  test("a plain module script", () => opens(reader("/pkg/index.js")));

  test("a plain module script with the module inline", () => opens(reader("/pkg/inline.js")));

  test("an import map to another origin", async () => {
    const cdn = await listen((request, response) => {
      if (allow(request, response)) return;
      files(dirname(PACKAGE))(request, response);
    });
    const imports = { "rectilinear-zarr": `${cdn.url}/pkg/index.js` };
    try {
      await opens(reader(), { head: `<script type="importmap">${JSON.stringify({ imports })}</script>` });
    } finally {
      await cdn.close();
    }
  });

  test("under a Content-Security-Policy", () =>
    opens(reader("/pkg/index.js"), { headers: { "Content-Security-Policy": POLICY } }));

  test("under a Content-Security-Policy with the module inline", () =>
    opens(reader("/pkg/inline.js"), { headers: { "Content-Security-Policy": POLICY } }));
});
