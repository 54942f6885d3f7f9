/** Looks for long tasks of the explorer's thread with a slower processor, as maps of several kinds are opened, stepped, played, zoomed and moved. */

import { launch, launchDrawing } from "../../browser/support/chromium.mjs";
import { columns } from "../support/table.mjs";
import { tasksDuring } from "../support/tasks.mjs";
import { DRAWN, STORES } from "./site.mjs";
import { anyGpu, hold, play } from "./steps.mjs";

const SLOWER = 4;
/** How many times slower the browser makes the processor; the rest is reckoned. Where others use the machine, it makes their time longer too: 1 measures without. */
const EMULATED = Number(process.env.BENCH_SLOWER ?? SLOWER);
const MOST = 50; // ms of the processor
const MS = Number(process.env.BENCH_MS ?? 4000);
const STEPS = 8;
const MOVES = 40; // of a pointer
const WHEEL = 12; // turns
const CATEGORIES = ["v8", "v8.wasm", "disabled-by-default-v8.wasm.detailed", "devtools.timeline"];
const PATIENCE = { timeout: 120_000 };

const settled = (page) => page.waitForSelector(DRAWN, PATIENCE);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** The middle of the plot. */
const middleOf = (page) => page.$eval("#plot", (plot) => {
  plot.scrollIntoView({ block: "center" });
  const { x, y, width, height } = plot.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
});

/** Turns the wheel over the middle of the map. */
async function wheel(page, by) {
  await wait(400); // a page that scrolled takes the wheel for itself
  await page.mouse.move(...(await middleOf(page)));
  for (let turn = 0; turn < WHEEL; turn++) {
    await page.mouse.wheel({ deltaY: by });
    await wait(50);
  }
  await wait(300);
  await settled(page);
}

/** What is done with a page that shows the map at `url`. */
const DEEDS = {
  async open(page, url) {
    await page.goto(url);
    await settled(page);
    await wait(2500); // what comes after the picture
  },
  async step(page) {
    for (let step = 0; step < STEPS; step++) {
      await page.evaluate(hold, 1);
      await settled(page);
    }
  },
  play: async (page) => void (await page.evaluate(play, MS)),
  async zoom(page) {
    await settled(page);
    await wheel(page, -100);
    await wheel(page, 100);
  },
  async move(page) {
    await wheel(page, -100);
    const [x, y] = await middleOf(page);
    await page.mouse.down();
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(x + 6 * move * (move % 20 < 10 ? 1 : -1), y + 3 * move);
      await wait(30);
    }
    await page.mouse.up();
    await wait(300);
    await settled(page);
  },
};

/** The parts of a task that took longest, in words: they lie in each other. */
const said = ({ parts }) => {
  const sum = new Map();
  for (const { name, dur } of parts) sum.set(name, (sum.get(name) ?? 0) + dur / 1000);
  return [...sum].filter(([name, ms]) => ms > 5 && !/^(RunMicrotasks|v8\.callFunction|FunctionCall|v8\.run)$/.test(name)).sort((a, b) => b[1] - a[1]).slice(0, 5).map(([name, ms]) => `${name} ${ms.toFixed(0)}`).join(", ");
};

/** Prints a row for each store, with the longest task of each deed. */
export async function tasks(site, { isTold, isDrawing, stores = ["own", "era", "ome05", "icon"] } = {}) {
  const names = Object.keys(DEEDS);
  console.log(`\nLongest task of the explorer's thread, in ms of a processor ${SLOWER} times slower${EMULATED === SLOWER ? "" : ` (reckoned from one ${EMULATED} times slower)`}, painted ${isDrawing ? "by WebGL that the processor plays" : "without a GPU"}`);
  console.log(`  (without the first compilation of WebAssembly; goal: ${MOST}; behind the line, how many were longer)`);
  console.log(`  ${"".padEnd(8)}${columns(names, 12)}${"longer".padStart(12)}`);
  for (const store of stores) {
    const browser = await (isDrawing ? launchDrawing : launch)({ watches: false });
    try {
      const page = await browser.newPage();
      if (isDrawing) await page.evaluateOnNewDocument(anyGpu);
      await page.setViewport({ width: 1280, height: 800 });
      await page.goto(`${site.url}/favicon.svg`);
      await page.emulateCPUThrottling(EMULATED);
      const longest = [];
      const over = [];
      for (const [name, deed] of Object.entries(DEEDS)) {
        const found = await tasksDuring(page, () => deed(page, `${site.url}/${STORES[store]}`), CATEGORIES);
        const took = ({ processor, compiling }) => ((processor - compiling) * SLOWER) / EMULATED;
        longest.push(Math.max(...found.map(took)));
        over.push(...found.filter((task) => took(task) > MOST).map((task) => `${name}: ${took(task).toFixed(0)} ms${task.compiling > 1 ? ` and ${task.compiling.toFixed(0)} of compiling` : ""}; ${said(task)}`));
      }
      console.log(`  ${store.padEnd(8)}${columns(longest.map((ms) => ms.toFixed(0)), 12)}${String(over.length).padStart(12)}${over.length ? "  missed" : ""}`);
      if (isTold) for (const line of over) console.log(`      ${line}`);
      if (over.length) process.exitCode = 1;
    } finally {
      await browser.close();
    }
  }
}
