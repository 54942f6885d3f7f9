/** Where a host or a bundler has left the `.wasm` files behind, the first error says what to do. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import * as esbuild from "esbuild";

import { launch } from "../browser/support/chromium.mjs";
import { PACKAGE, ROOT } from "../browser/support/paths.mjs";
import { installed } from "../browser/support/project.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { ARRAY, page } from "./support.mjs";

const run = promisify(execFile);

/** A program that prints the error of an open. */
const USER = `import { RectilinearArray } from "rectilinear-zarr";
  RectilinearArray.open(new Map()).catch(({ message }) => console.log(message));`;

/** A page's program that writes the error of an open on the page. */
const PAGE = (entry) => `import { RectilinearArray } from "${entry}";
  RectilinearArray.open("/data.zarr").then(() => "opened", ({ name, message }) => name + ": " + message).then((text) => (document.body.dataset.read = text));`;

const REMEDY = /copy the package's \.wasm files beside the script.*optimizeDeps: \{ exclude: \["rectilinear-zarr"\] \}.*rectilinear-zarr\/inline/;

describe("a page without the .wasm files", () => {
  let browser;
  before(async () => (browser = await launch({ patience: 180_000 })));
  after(() => browser?.close());

  /** What an open says where the files have this answer. */
  async function said(answer, isBlob) {
    const host = await listen((request, response) => {
      if (request.url.endsWith(".wasm")) return answer(response);
      if (request.url === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(page("/main.js"));
      if (request.url === "/main.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(isBlob ?? PAGE("/pkg/index.js"));
      const [mount, folder] = request.url.startsWith("/pkg/") ? ["/pkg", PACKAGE] : ["/data.zarr", ARRAY];
      request.url = request.url.slice(mount.length);
      return files(folder)(request, response);
    });
    const tab = await browser.newPage();
    try {
      await tab.goto(host.url);
      await tab.waitForFunction("document.body?.dataset.read", { timeout: 60_000 });
      return await tab.evaluate("document.body.dataset.read");
    } finally {
      await tab.close();
      await host.close();
    }
  }

  for (const status of [404, 403]) {
    test(`HTTP ${status}`, async () => {
      const message = await said((response) => response.writeHead(status).end());
      assert.match(message, new RegExp(`^UnsupportedError: .*HTTP ${status} for http`));
      assert.match(message, REMEDY);
    });
  }

  for (const status of [200, 404]) {
    test(`a page with the status ${status}`, async () => {
      const message = await said((response) => response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end("<!doctype html>"));
      assert.match(message, new RegExp(`the server answered with HTML \\(${status}\\)`));
      assert.match(message, REMEDY);
    });
  }

  test("a script without an address", async () => {
    const built = await esbuild.build({
      stdin: { contents: PAGE("./index.js"), resolveDir: PACKAGE },
      // The package's dependency, which an installation puts beside it.
      nodePaths: [join(ROOT, "tests/node_modules")],
      bundle: true,
      format: "iife",
      write: false,
      outdir: "/built",
      logLevel: "silent",
      target: "es2022",
    });
    const message = await said((response) => response.writeHead(404).end(), built.outputFiles[0].text);
    assert.match(message, /the script has no address/);
    assert.match(message, REMEDY);
  });
});

describe("files whose addresses a bundler gives without an origin, as Next.js' Turbopack does", () => {
  let browser;
  let host;
  before(async () => {
    browser = await launch({ patience: 180_000 });
    host = await listen(async (request, response) => {
      if (request.url === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(page("/main.js"));
      if (request.url === "/main.js") return response.writeHead(200, { "Content-Type": "text/javascript" }).end(PAGE("/pkg/index.js"));
      const [mount, folder] = request.url.startsWith("/pkg/") ? ["/pkg", PACKAGE] : ["/data.zarr", ARRAY];
      request.url = request.url.slice(mount.length);
      if (!request.url.endsWith(".js")) return files(folder)(request, response);
      const script = await readFile(join(folder, request.url), "utf8");
      const replaced = script.replaceAll(/new URL\("\.\/(\w+\.wasm)",\s*import\.meta\.url\)/g, '({ href: "/pkg/$1" })');
      return response.writeHead(200, { "Content-Type": "text/javascript" }).end(replaced);
    });
  });
  after(async () => {
    await browser?.close();
    await host?.close();
  });

  test("are the page's", async () => {
    const tab = await browser.newPage();
    await tab.goto(host.url);
    await tab.waitForFunction("document.body?.dataset.read", { timeout: 60_000 });
    assert.equal(await tab.evaluate("document.body.dataset.read"), "opened");
    assert.ok(host.requests.some(({ url }) => url === "/rectilinear_zarr_bg.wasm" || url === "/pkg/rectilinear_zarr_bg.wasm"));
  });
});

describe("a bundle for a server without the .wasm files", () => {
  let project;
  before(async () => (project = await installed({ "user.mjs": USER })));
  after(() => project?.remove());

  for (const [format, name] of [["esm", "built.mjs"], ["cjs", "built.cjs"]]) {
    test(`esbuild to ${format}`, async () => {
      const root = project.directory;
      await esbuild.build({ absWorkingDir: root, entryPoints: ["user.mjs"], outfile: name, bundle: true, platform: "node", format, logLevel: "silent" });
      const { stdout } = await run(process.execPath, [name], { cwd: root });
      assert.match(stdout, /keep the package out of the server's bundle .*serverExternalPackages.*--external:rectilinear-zarr.*rectilinear-zarr\/inline/);
    });
  }

  test("esbuild with the package external", async () => {
    const root = project.directory;
    await writeFile(join(root, "again.mjs"), USER);
    await esbuild.build({ absWorkingDir: root, entryPoints: ["again.mjs"], outfile: "external.mjs", bundle: true, platform: "node", format: "esm", external: ["rectilinear-zarr"], logLevel: "silent" });
    const { stdout } = await run(process.execPath, ["external.mjs"], { cwd: root });
    assert.match(stdout, /no Zarr array at/);
  });
});
