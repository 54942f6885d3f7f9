/** The built explorer in Chromium, with the actions of users. */

import { join } from "node:path";

import { launch } from "./chromium.mjs";
import { ROOT } from "./paths.mjs";
import { files, listen } from "./server.mjs";

/** Longest wait for an answer on a busy machine. */
const PATIENCE = { timeout: 60_000 };

/** The built explorer's files. Browsers may keep its assets, which are named by their contents, and nothing else. */
export function explorerFiles() {
  const dist = files(join(ROOT, "www/dist"));
  return (request, response) => {
    if (request.url.startsWith("/assets/")) response.setHeader("Cache-Control", "max-age=3600, immutable");
    dist(request, response);
  };
}

/**
 * Serves the explorer, and `mounts` (directories or handlers by prefix) beside it; `delay(url)` is a wait in milliseconds,
 * or a promise, and `headers` are those of all answers. `keeps`: whether pages may take assets from the browser's cache; tests of requests for assets need all.
 * `watches`: whether a test hears of its pages' requests, which costs a sixth of a page's load; a cache that is off needs it.
 */
export async function startExplorer(mounts, { browse = launch, keeps = true, watches = !keeps } = {}) {
  const dist = explorerFiles();
  const handlers = Object.entries(mounts).map(([prefix, directory]) => [prefix, typeof directory === "function" ? directory : files(directory)]);
  const given = { delay: () => 0, status: () => 200, headers: {} };
  const site = await listen(async (request, response) => {
    const delay = given.delay(request.url);
    await (typeof delay === "number" ? new Promise((done) => setTimeout(done, delay)) : delay);
    const status = given.status(request.url);
    for (const [name, value] of Object.entries(given.headers)) response.setHeader(name, value);
    if (status !== 200) return response.writeHead(status).end();
    const [prefix, handle] = handlers.find(([start]) => request.url.startsWith(`${start}/`)) ?? ["", dist];
    request.url = request.url.slice(prefix.length);
    handle(request, response);
  });
  const browser = await browse({ watches }).catch(async (error) => {
    await site.close();
    throw error;
  });
  return {
    site,
    given,
    /** Removes delays, statuses and headers. */
    reset: () => Object.assign(given, { delay: () => 0, status: () => 200, headers: {} }),
    async page(width = 1280, height = 800) {
      const page = await browser.newPage();
      await page.setViewport({ width, height });
      await page.setCacheEnabled(keeps);
      return usedBy(page, site.url);
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

function usedBy(page, url) {
  const problems = [];
  page.setDefaultTimeout(PATIENCE.timeout);
  page.on("pageerror", (error) => problems.push(String(error.stack ?? error)));
  const settled = () => page.waitForSelector('#view[aria-busy="false"]', PATIENCE);
  const waitFor = (body, ...args) => page.waitForFunction(body, PATIENCE, ...args);
  return {
    page,
    problems,
    settled,
    waitFor,
    /** Waits until the page is set in its own letters, which come after the first picture. */
    lettered: () => page.waitForSelector("html.lettered", PATIENCE),
    text: (selector) => page.$eval(selector, (element) => element.textContent),
    texts: (selector) => page.$$eval(selector, (list) => list.map((element) => element.textContent)),
    /** Waits until an element's text matches. */
    says: (selector, pattern) => waitFor((at, source) => new RegExp(source).test(document.querySelector(at)?.textContent ?? ""), selector, pattern.source),
    /** Opens the page by an address with a hash. */
    async show(hash = "") {
      await page.goto("about:blank");
      await page.goto(`${url}/${hash && `#${hash}`}`);
      await settled();
    },
    /** Has pages put the files that they save into the list `saved`, as blobs. */
    takeFiles: () => page.evaluateOnNewDocument(() => {
      globalThis.saved = [];
      URL.createObjectURL = (blob) => (globalThis.saved.push(blob), "#");
    }),
    /** Has the page show how the data are stored, whose parts are loaded for it. */
    async storage() {
      await page.$eval("#chunks", (box) => box.checked || box.click());
      await waitFor(() => document.querySelector("#ledger .total"));
    },
    /** All that the page keeps or shows, but the values of its boxes. */
    traces: () => page.evaluate(async () => JSON.stringify([location.href, { ...localStorage }, document.cookie, document.body.innerHTML, await caches.keys(), history.state])),
    /** Paths in the tree, in the order shown. */
    tree: () => page.$$eval('[role="treeitem"]', (list) => list.map((item) => item.dataset.path)),
    /** How the chunks of a picture stand, as an element shows them: `[[state, x, y, width, height]]`, in cells. */
    chunks: (selector) => page.$$eval(`${selector} .states path`, (paths) => paths.flatMap((path) =>
      [...path.getAttribute("d").matchAll(/M([^,]+),([^h]+)h([^v]+)v([^h]+)h/g)].map(([, ...box]) => [path.dataset.state, ...box.map(Number)]))),
    /** Moves the pointer to the middle of a cell, given by column and row, of a picture; `plot` is its selector. */
    async point([column, row], [columns, rows], { plot = "#plot", click = false } = {}) {
      const place = () => page.$eval(plot, (element, across, down) => {
        element.scrollIntoView({ block: "center" });
        const box = element.getBoundingClientRect();
        return [box.x + box.width * across, box.y + box.height * down];
      }, (column + 0.5) / columns, (row + 0.5) / rows);
      // What comes late may move the picture under the pointer.
      for (let at = [], now = await place(); String(at) !== String(now); now = await place()) await page.mouse.move(...(at = now));
      if (click) await page.mouse.click(...(await place()));
    },
    close: () => page.close(),
  };
}
