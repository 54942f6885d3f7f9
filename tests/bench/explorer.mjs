/**
 * Steps the explorer through a global field of 721 x 1440 from the cache, as a held key does: pictures a second, and the
 * page's longest task with a slower processor. With WebGL, drawn by the processor where there is no GPU, and without.
 */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { launch, launchDrawing } from "../browser/support/chromium.mjs";
import { ROOT } from "../browser/support/paths.mjs";
import { files, listen } from "../browser/support/server.mjs";
import { DATA, PYTHON, columns } from "./support/table.mjs";
import { longestTask } from "./support/tasks.mjs";

const STEPS = 24;
const MS = Number(process.env.BENCH_MS ?? 6000);
const SLOWER = 4;
const GOALS = { pictures: 30, longest: 50 };
/** In the page: a GPU that the processor plays, which the page leaves for a canvas, counts as one. */
function anyGpu() {
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return get.call(this, kind, options && { ...options, failIfMajorPerformanceCaveat: false });
  };
}

/** Browsers with WebGL and without, by the painter that the page takes. */
const PAINTERS = { webgl2: launchDrawing, canvas: launch };

/** In the page: steps on as soon as a picture stands until the time is over, and gives how many stood in a second. */
async function hold(ms) {
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

async function measure(painter, url) {
  const browser = await PAINTERS[painter]();
  try {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(anyGpu);
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(`${url}/#url=${url}/store/field.zarr/t2m`);
    await page.waitForSelector('#view[aria-busy="false"] #plot canvas', { timeout: 60_000 });
    const found = await page.$eval("#plot canvas", (canvas) => canvas.dataset.painter);
    if (found !== painter) throw new Error(`expected the painter ${painter}, got ${found}`);
    for (let step = 0; step < STEPS; step++) await page.evaluate(hold, 1); // all of it comes into the cache
    const pictures = await page.evaluate(hold, MS);
    await page.emulateCPUThrottling(SLOWER);
    let slow;
    const tasks = await longestTask(page, async () => (slow = await page.evaluate(hold, MS)));
    return { pictures, slow, tasks };
  } finally {
    await browser.close();
  }
}

/** Prints a row for each painter that `words` name, or all. */
export async function explorer(words = []) {
  execFileSync(PYTHON, ["-W", "ignore", join(import.meta.dirname, "support/field_data.py"), DATA], { stdio: "inherit" });
  const [dist, data] = [files(join(ROOT, "www/dist")), files(DATA)];
  const site = await listen((request, response) => {
    if (!request.url.startsWith("/store/")) return dist(request, response);
    request.url = request.url.slice("/store".length);
    data(request, response);
  });
  console.log("\nSteps of the explorer through 721 x 1440 float32 in zstd, from the cache");
  console.log(`  (goals: ${GOALS.pictures} pictures a second; no task above ${GOALS.longest} ms of a processor ${SLOWER} times slower; WebGL is played by it)`);
  console.log(`  ${"".padEnd(10)}${columns(["pictures/s", `${SLOWER}x slower`, "longest task", "processor ms"], 14)}`);
  try {
    for (const painter of Object.keys(PAINTERS).filter((name) => !words.some((word) => word in PAINTERS) || words.includes(name))) {
      const { pictures, slow, tasks } = await measure(painter, site.url);
      const text = columns([pictures.toFixed(1), slow.toFixed(1), ...tasks.map((ms) => ms.toFixed(0))], 14);
      const isMissed = pictures < GOALS.pictures || tasks[1] > GOALS.longest;
      console.log(`  ${painter.padEnd(10)}${text}${isMissed ? "  missed" : ""}`);
      if (isMissed) process.exitCode = 1;
    }
  } finally {
    await site.close();
  }
}
