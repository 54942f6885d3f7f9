/**
 * Steps the explorer through a global field of 721 x 1440 from the cache, as a held key does, and plays it, each with
 * WebGL, which the processor draws where there is no GPU, and without: pictures a second.
 */

import { launch, launchDrawing } from "../../browser/support/chromium.mjs";
import { columns } from "../support/table.mjs";
import { DRAWN, STORES } from "./site.mjs";

const STEPS = 24; // of the field
const MS = Number(process.env.BENCH_MS ?? 6000);
const SLOWER = 4;
const GOAL = 30; // pictures a second
/** A playback's pace is 33 ms, so that 30 pictures a second are the most of it. */
const PLAYED = 29;

/** In the page: a GPU that the processor plays, which the page leaves for a canvas, counts as one. */
export function anyGpu() {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return get.call(this, kind, options && { ...options, failIfMajorPerformanceCaveat: false });
  };
}

/** Browsers with WebGL and without, by the painter that the page takes. */
export const PAINTERS = { webgl2: launchDrawing, canvas: launch };

/** In the page: steps on as soon as a picture stands until the time is over, and gives how many stood in a second. */
export async function hold(ms) {
  const view = document.querySelector("#view");
  const frame = () => new Promise(requestAnimationFrame);
  const started = performance.now();
  let pictures = 0;
  while (performance.now() - started < ms) {
    await new Promise((done) => setTimeout(done)); // keys come in tasks of their own
    const before = view.dataset.at;
    document.querySelector("#figure").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    while (view.dataset.at === before && performance.now() - started < ms + 5000) await frame();
    pictures += 1;
  }
  return (pictures * 1000) / (performance.now() - started);
}

/** In the page: plays for a time, and gives how many pictures stood in a second. */
export async function play(ms) {
  const view = document.querySelector("#view");
  let pictures = 0;
  const watch = new MutationObserver(() => pictures++);
  const button = document.querySelector('.axis:not([hidden]) [aria-label^="Play"], .axis:not([hidden]) [aria-label^="Pause"]');
  button.click();
  await new Promise((done) => setTimeout(done, 300));
  const started = performance.now();
  watch.observe(view, { attributeFilter: ["data-at"] });
  await new Promise((done) => setTimeout(done, ms));
  const found = (pictures * 1000) / (performance.now() - started);
  watch.disconnect();
  button.click();
  return found;
}

/** Opens the field in a browser's page, all of it in the cache. */
async function openField(browser, painter, url) {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(anyGpu);
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${url}/${STORES.field}`);
  await page.waitForSelector(`${DRAWN} #plot canvas`, { timeout: 60_000 });
  const found = await page.$eval("#plot canvas", (canvas) => canvas.dataset.painter);
  if (found !== painter) throw new Error(`expected the painter ${painter}, got ${found}`);
  for (let step = 0; step < STEPS; step++) await page.evaluate(hold, 1);
  return page;
}

/** Prints a row for each painter. */
export async function steps(site, painters = Object.keys(PAINTERS)) {
  console.log("\nPictures a second of the explorer through 721 x 1440 float32 in zstd, from the cache");
  console.log(`  (goal: ${GOAL}, and all that a playback's pace gives; WebGL is played by the processor)`);
  console.log(`  ${"".padEnd(10)}${columns(["key held", "played", `${SLOWER}x slower`], 14)}`);
  for (const painter of painters) {
    const browser = await PAINTERS[painter]();
    try {
      const page = await openField(browser, painter, site.url);
      const held = await page.evaluate(hold, MS);
      const played = await page.evaluate(play, MS);
      await page.emulateCPUThrottling(SLOWER);
      const slow = await page.evaluate(hold, MS);
      const isMissed = held < GOAL || played < PLAYED;
      console.log(`  ${painter.padEnd(10)}${columns([held, played, slow].map((n) => n.toFixed(1)), 14)}${isMissed ? "  missed" : ""}`);
      if (isMissed) process.exitCode = 1;
    } finally {
      await browser.close();
    }
  }
}
