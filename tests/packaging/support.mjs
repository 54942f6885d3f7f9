/** What every way of shipping a page is tried with: a page that reads one array, and the values that it must find. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { FIXTURES, oracle } from "../browser/support/paths.mjs";

const entry = (await oracle("index.json")).find(({ name }) => name === "pattern-months");

/** Where the array is in the fixtures. */
export const ARRAY = join(FIXTURES, entry.path);

/** A module that reads `/data.zarr` by the package of this name, and writes what it found on the page. */
export const reader = (name = "rectilinear-zarr") => `import { RectilinearArray, slice } from "${name}";
  RectilinearArray.open(new URL("/data.zarr", location.href))
    .then(async (array) => (await array.get([slice(30, 61), null, 5])).data)
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** The same, reading by a worker: over and over until one has decoded something, or for two seconds. */
export const workingReader = `import { RectilinearArray, slice } from "rectilinear-zarr";
  let answers = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => (answers += Array.isArray(data) ? 1 : 0));
    }
  };
  const reading = async () => {
    const array = await RectilinearArray.open(new URL("/data.zarr", location.href), { workers: 1, cacheBytes: 0 });
    const end = performance.now() + 5000;
    let data;
    do data = (await array.get([slice(30, 61), null, 5])).data;
    while (!answers && performance.now() < end);
    if (!answers) throw new Error("no worker decoded anything");
    return data;
  };
  reading()
    .then((data) => (document.body.dataset.read = JSON.stringify([...data])))
    .catch((error) => (document.body.dataset.read = String(error.stack ?? error)));`;

/** A page that loads a script of its own. */
export const page = (script, head = "") =>
  `<!doctype html><link rel="icon" href="data:,">${head}<body><script type="module" src="${script}"></script>`;

/** What the module finds, by zarr-python. */
export async function expected() {
  const bytes = await readFile(join(FIXTURES, entry.expected));
  const whole = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return [...whole].filter((_, i) => i % 6 === 5 && i >= 30 * 24 && i < 61 * 24);
}

/** Open a page that reads, and compare what it found; nothing may be complained of on the way. */
export async function reads(browser, url) {
  const tab = await browser.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  try {
    await tab.goto(url);
    await tab.waitForFunction("document.body?.dataset.read", { timeout: 30_000 }).catch((error) => errors.push(String(error)));
    const read = await tab.evaluate("document.body.dataset.read");
    assert.deepEqual(errors, []);
    assert.deepEqual(JSON.parse(read), await expected());
  } finally {
    await tab.close();
  }
}
