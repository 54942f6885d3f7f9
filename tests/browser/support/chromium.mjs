/** Headless Chromium with a page of the test site, in which functions can be run. */

import assert from "node:assert/strict";

import puppeteer from "puppeteer-core";

import { borrow } from "./lending.mjs";
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

/** Starts the Chromium of CHROMIUM, where that is set. */
export function start(args, { patience = PATIENCE, ...options } = {}) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return puppeteer.launch({ executablePath, headless: true, args, protocolTimeout: patience, timeout: patience, ...options });
}

/**
 * Chromium: a lent one where a lender runs (LENDER), unless it is to be `alone`, for files that measure memory, count a
 * browser's pages or have flags of their own. `watches`: whether the network of its pages is watched, as developer tools
 * do.
 */
export function launch({ graphics = ["--disable-gpu"], patience = PATIENCE, watches = true, flags = [], alone = flags.length > 0 } = {}) {
  const args = [...FLAGS, ...graphics, ...flags];
  const lender = alone ? undefined : process.env.LENDER;
  return lender ? borrow(lender, args, { protocolTimeout: patience, networkEnabled: watches }) : start(args, { patience, networkEnabled: watches });
}

/** A Chromium that no other file has used. */
export const launchAlone = (options = {}) => launch({ ...options, alone: true });

/** Chromium with WebGL. */
export const launchDrawing = (options = {}) => launch({ ...options, graphics: WEBGL });

/** Notes requests that block the thread. No code of the package sends one. */
function noteBlocking() {
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, url, ...more) {
    if (more[0] === false) (globalThis.blockingRequests ??= []).push(`${url}`);
    return open.call(this, method, url, ...more);
  };
}

/**
 * Starts the site, by default on our server, and opens its page, by default in Chromium. `run(body, args)` calls
 * `body({ ...package, support }, args)` in the page and returns its result as JSON; `renew()` opens the page again, which
 * ends all that it does, its workers too, and `another()` opens a second one; `errors` lists uncaught exceptions. `before`
 * runs in each page before its scripts. Where a page of Chromium sent a request that blocks its thread, `close()` fails.
 */
export async function openPage(mounts, { start = startSite, browse = launch, before, watches = [launch, launchAlone].includes(browse) } = {}) {
  const site = await start(mounts);
  // Nothing here looks at requests from outside of the page, and telling of each takes both processes' time.
  const browser = await browse({ watches: false }).catch(async (error) => {
    await site.close();
    throw error;
  });
  const errors = [];
  let page;
  const blocked = [];

  /** Notes the page's blocking requests since it was asked last; one that hangs does not say them. */
  async function note(call) {
    if (!watches) return;
    const found = page?.evaluate(() => globalThis.blockingRequests?.splice(0) ?? []);
    const urls = await Promise.race([found, new Promise((done) => setTimeout(done, 1000))]).catch(() => []);
    for (const url of urls ?? []) blocked.push(`${url.split("/").pop()} in ${call}`);
  }

  async function another() {
    await note("a page that was left");
    page = await browser.newPage();
    await page.setDefaultTimeout(PATIENCE);
    page.on("pageerror", (error) => errors.push(String(error)));
    if (watches) await page.evaluateOnNewDocument(noteBlocking);
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(`${site.url}/`);
  }

  async function renew() {
    await note("a page that was left");
    await page.goto(`${site.url}/`);
  }

  async function run(body, args = {}) {
    const call = `(async () => {
      const zarr = await import("rectilinear-zarr");
      const support = await import("/support/index.mjs");
      return (${body})({ ...zarr, support }, ${JSON.stringify(args)});
    })()`;
    try {
      const found = await page.evaluate(call);
      await note(`${body} ${JSON.stringify(args)}`.slice(0, 2000));
      return found;
    } catch (error) {
      // A page that hangs would take every later test with it, so the next one has a tab of its own.
      if (error.name === "ProtocolError") await another();
      throw error;
    }
  }

  async function close() {
    await note("a page that was left");
    await browser.close();
    await site.close();
    assert.equal(blocked.length, 0, `requests blocked the thread: ${blocked.join("; ")}`);
  }

  await another();
  return { browser, site, errors, run, renew, another, close };
}
