/** Headless Chromium with a page of the test site, in which functions can be run. */

import assert from "node:assert/strict";

import puppeteer from "puppeteer-core";

import { startSite } from "./server.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Flags that draw WebGL on the processor, on machines without a GPU. */
const WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

/** Longest wait for one call into a page, in milliseconds. */
export const PATIENCE = 60_000;

/** Chromium, from CHROMIUM where that is set. */
export function launch({ graphics = ["--disable-gpu"], patience = PATIENCE } = {}) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return puppeteer.launch({ executablePath, headless: true, args: [...FLAGS, ...graphics], protocolTimeout: patience, timeout: patience });
}

/** Chromium with WebGL. */
export const launchDrawing = () => launch({ graphics: WEBGL });

/** Opens a group in the page, which waits for the rest of the module. */
async function openGroup({ Group }) {
  const document = new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}');
  (await Group.open(new Map([["/zarr.json", document]]))).free();
}

/**
 * Starts the site, by default on our server, and opens its page, by default in Chromium. `run(body, args)` calls
 * `body({ ...package, support }, args)` in the page and returns its result as JSON; `renew()` opens the page in a new
 * tab; `errors` lists uncaught exceptions. `before` runs in each page before its scripts. Where a page of Chromium stood
 * still until the rest of the module was there, `close()` fails, unless `mayBlock` allows it. `isWhole` waits for the rest
 * first, for reads that meet what ordinary ones do not while the rest may be on its way.
 */
export async function openPage(mounts, { start = startSite, browse = launch, before, mayBlock = browse !== launch, isWhole } = {}) {
  const site = await start(mounts);
  const browser = await browse();
  const errors = [];
  let page;
  let blocked = 0;

  /** Counts how often the page that is left stood still; one that hangs does not say it. */
  async function count() {
    const found = page?.evaluate(() => globalThis[Symbol.for("rectilinear-zarr.blocked")] ?? 0);
    const times = await Promise.race([found, new Promise((done) => setTimeout(done, 1000))]).catch(() => 0);
    if (typeof times === "number") blocked += times;
  }

  async function renew() {
    await count();
    page = await browser.newPage();
    await page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => errors.push(String(error)));
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(`${site.url}/`);
    if (isWhole) await run(openGroup);
  }

  async function run(body, args = {}) {
    const call = `(async () => {
      const zarr = await import("rectilinear-zarr");
      const support = await import("/support/index.mjs");
      return (${body})({ ...zarr, support }, ${JSON.stringify(args)});
    })()`;
    try {
      return await page.evaluate(call);
    } catch (error) {
      // A page that hangs would take every later test with it.
      if (error.name === "ProtocolError") await renew();
      throw error;
    }
  }

  async function close() {
    await count();
    await browser.close();
    await site.close();
    assert.ok(mayBlock || blocked === 0, `pages stood still ${blocked} times until the rest of the module was there: see src/web/load/waiting.js`);
  }

  await renew();
  return { browser, site, errors, run, renew, close };
}
