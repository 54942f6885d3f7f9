/** The built pages on hosts: the server of `make demo`, nginx in a folder of a site, and what the first picture takes. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { launch } from "../support/chromium.mjs";
import { until } from "../support/network.mjs";
import { NGINX } from "../support/nginx.mjs";
import { ROOT } from "../support/paths.mjs";
import { freePort } from "../support/ports.mjs";
import { startPreview } from "../support/preview.mjs";
import { files, listen } from "../support/server.mjs";

const DIST = join(ROOT, "www/dist");
const PATIENCE = { timeout: 60_000 };
const DRAWN = '#view[aria-busy="false"][data-at]';
const PARTS = 4; // of the main module, that a chunk of zstd on a rectilinear grid takes
const FIRST_PICTURE = 650_500; // bytes on the way with brotli
const GZIP = 62_000; // bytes more with gzip

/** The block of nginx that the documentation shows. */
const recipe = /```nginx\n(location \/explorer[^]*?)```/.exec(await readFile(join(ROOT, "www/docs/publishing.md"), "utf8"))?.[1] ?? assert.fail("the page has a recipe for nginx");

/** nginx with that block, and the pages in a folder of its site. */
async function startRecipe() {
  const home = await mkdtemp(join(tmpdir(), "rectilinear-zarr-site-"));
  await mkdir(join(home, "files"));
  await symlink(DIST, join(home, "files/explorer"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/${name};`).join(" ");
  await writeFile(join(home, "conf"), `daemon off; master_process off; pid ${home}/pid; error_log stderr crit; events {}
    http { ${temporary} access_log off; types { text/html html; text/css css; text/javascript js; image/svg+xml svg; font/woff2 woff2; }
    server { listen 127.0.0.1:${port}; root ${home}/files; ${recipe} } }`);
  const child = spawn(NGINX, ["-p", home, "-c", join(home, "conf")], { stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}/explorer`;
  let answers = false;
  await until(() => (fetch(`${url}/`).then(() => (answers = true), () => undefined), answers));
  return {
    url,
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(home, { recursive: true, force: true });
    },
  };
}

describe("the built pages", () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  /** Opens an address in a fresh profile; gives the page, and what was answered: `{ url, size, encoding }`. */
  async function visit(url) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    const answers = new Map();
    session.on("Network.responseReceived", ({ requestId, response }) => answers.set(requestId, { url: response.url, type: response.mimeType, encoding: Object.entries(response.headers).find(([name]) => name.toLowerCase() === "content-encoding")?.[1] }));
    let offset = 0; // of the browser's own clock, in seconds
    session.on("Network.requestWillBeSent", ({ timestamp, wallTime }) => (offset = wallTime - timestamp));
    session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => answers.has(requestId) && Object.assign(answers.get(requestId), { size: encodedDataLength, end: 1000 * (timestamp + offset) }));
    await page.evaluateOnNewDocument((drawn) => {
      const look = () => document.querySelector(drawn) && (globalThis.drawnAt ??= performance.timeOrigin + performance.now());
      new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true });
    }, DRAWN);
    await page.goto(url);
    await page.waitForSelector(DRAWN, PATIENCE);
    const drawnAt = await page.evaluate(() => globalThis.drawnAt);
    // What the browser tells of may be heard of after the picture that it came before.
    await until(() => [...answers.values()].filter(({ url: at, end }) => at.endsWith(".wasm") && end !== undefined).length >= PARTS);
    const taken = [...answers.values()].filter(({ url: at, end }) => end <= drawnAt && /^http/.test(at) && !/favicon/.test(at)); // browsers have pictures of their own
    return { page, problems, answers: taken, close: () => context.close() };
  }

  const asserts = async ({ page, problems, answers }, encoding) => {
    const wasm = answers.filter(({ url }) => url.endsWith(".wasm"));
    assert.deepEqual(wasm.map(({ type, encoding: said }) => [type, said]), Array(PARTS).fill(["application/wasm", encoding]));
    assert.equal(new Set(answers.map(({ url }) => url)).size, answers.length, "nothing comes twice");
    const bytes = answers.reduce((sum, { size }) => sum + size, 0);
    assert.ok(bytes <= FIRST_PICTURE + (encoding === "gzip" ? GZIP : 0), `${bytes} bytes`);
    assert.deepEqual(answers.filter(({ url }) => /\.woff2|land-/.test(url)), [], "letters and coasts come after it");
    assert.equal(await page.$eval("#error", ({ hidden }) => hidden), true);
    assert.deepEqual(problems, []);
  };

  test("the server of make demo answers with brotli, and the sharded hours are read from it", async () => {
    const preview = await startPreview("dist");
    try {
      const seen = await visit(`${preview.url}/`);
      await asserts(seen, "br");
      await seen.page.goto("about:blank");
      await seen.page.goto(`${preview.url}/#url=data/clear-sky-2024.zarr/hours/ghi&at=5,12&chunks=1`);
      await seen.page.waitForSelector(DRAWN, PATIENCE);
      assert.equal(await seen.page.$eval("#title", ({ textContent }) => textContent), "Clear-sky irradiance on a horizontal surface");
      assert.equal(await seen.page.$eval("#error", ({ hidden }) => hidden), true);
      await seen.page.waitForSelector(".tally li", PATIENCE);
      assert.match(await seen.page.$eval(".tally", ({ textContent }) => textContent), /1 fetched by this step/);
      assert.deepEqual(seen.problems, []);
      await seen.close();
      const asked = (path, headers) => fetch(`${preview.url}${path}`, { headers });
      assert.equal((await asked("/", { "accept-encoding": "identity" })).headers.get("content-encoding"), null);
      for (const path of ["/%2e%2e%2fvite.config.js", "/%E0%A4%A.js", "/assets/..%2f..%2fsite.js"]) assert.ok((await asked(path, {})).status >= 400, path);
      assert.equal((await asked("/absent.js", {})).status, 404);
    } finally {
      await preview.close();
    }
  });

  test("nginx with the documented lines serves them in a folder of its site", async () => {
    const site = await startRecipe();
    try {
      const seen = await visit(`${site.url}/`);
      await asserts(seen, "gzip");
      assert.ok(seen.answers.every(({ url }) => url.startsWith(site.url)));
      const headers = async (path, asked) => {
        const { status, headers: said } = await fetch(`${site.url}${path}`, { headers: asked });
        return [status, said.get("content-type"), said.get("content-encoding"), said.get("cache-control")];
      };
      const script = new URL(seen.answers.find(({ url }) => /\/assets\/explorer-.*\.js$/.test(url)).url).pathname.replace("/explorer", "");
      assert.deepEqual(await headers(script, { "accept-encoding": "gzip" }), [200, "text/javascript", "gzip", "public, max-age=31536000, immutable"]);
      assert.deepEqual(await headers(script, { "accept-encoding": "identity" }), [200, "text/javascript", null, "public, max-age=31536000, immutable"]);
      assert.deepEqual((await headers("/data/clear-sky-2024.zarr/zarr.json")).slice(0, 2), [200, "application/json"]);
      assert.equal((await headers("/data/clear-sky-2024.zarr/hours/ghi/c/0/0/0/0", { range: "bytes=0-3" }))[0], 206);
      assert.equal((await headers("/data/clear-sky-2024.zarr/hours/ghi/c/9/9/9/9"))[0], 404);
      await seen.page.click('[aria-label="Next chunk, time"]');
      await seen.page.waitForSelector('#view[data-at="182"]', PATIENCE);
      await seen.page.reload();
      await seen.page.waitForSelector('#view[aria-busy="false"][data-at="182"]', PATIENCE);
      assert.deepEqual(seen.problems, []);
      await seen.close();
    } finally {
      await site.close();
    }
  });

  test("all that the first picture takes is asked for before the WebAssembly is there", async () => {
    const serve = files(DIST);
    const late = [];
    let waiting = 0;
    let isHeld = true;
    const site = await listen(async (request, response) => {
      if (/_bg-.*\.wasm$/.test(request.url)) {
        waiting++;
        await until(() => !isHeld || late.length >= 9);
        await new Promise((done) => setTimeout(done, 200));
      } else if (request.url.startsWith("/data/")) late.push(request.url);
      serve(request, response);
    });
    try {
      const { page, problems, close } = await visit(`${site.url}/`);
      assert.equal(waiting, PARTS);
      assert.equal(late.length, 9, "and not a second time");
      assert.equal(late.filter((url) => url.includes("/ghi/c/5/")).length, 5);
      assert.deepEqual(problems, []);
      await page.goto("about:blank");
      late.length = 0;
      isHeld = false;
      await page.goto(`${site.url}/#url=data/clear-sky-2024.zarr/lat`);
      await page.waitForSelector(DRAWN, PATIENCE);
      assert.deepEqual(late.filter((url) => url.includes("/ghi/c/")), []); // what nobody looks at is not asked for
      await close();
    } finally {
      await site.close();
    }
  });
});
