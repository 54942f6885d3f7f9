/** Headless Chromium with a page of the test site, in which functions can be run. */

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
  return puppeteer.launch({ executablePath, headless: true, args: [...FLAGS, ...graphics], protocolTimeout: patience });
}

/** Chromium with WebGL. */
export const launchDrawing = () => launch({ graphics: WEBGL });

/**
 * Starts the site, by default on our server, and opens its page, by default in Chromium. `run(body, args)` calls
 * `body({ ...package, support }, args)` in the page and returns its result as JSON; `renew()` opens the page in a new
 * tab; `errors` lists uncaught exceptions. `before` runs in each page before its scripts.
 */
export async function openPage(mounts, { start = startSite, browse = launch, before } = {}) {
  const site = await start(mounts);
  const browser = await browse();
  const errors = [];
  let page;

  async function renew() {
    page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(`${site.url}/`);
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
    await browser.close();
    await site.close();
  }

  await renew();
  return { browser, site, errors, run, renew, close };
}
