/**
 * Measures a viewer over a network: a view of 3 x 3 tiles moves by a tile and is read again, either when the last view
 * is done, or every 400 ms, with requests for tiles outside the view aborted. Readers are this package with its
 * defaults, zarrita without and with its own wrappers, and an earlier package if BEFORE names its folder.
 */

import { openPage } from "./support/browsers.mjs";
import { emulate, watch } from "./support/emulated.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { BEFORE, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { lastTab, longestTask } from "./support/tasks.mjs";
import { printWaterfall, recordRequests } from "./support/waterfall.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

/** Rounds of each kind of walk. */
const ENOUGH = enough(60_000, 1, 5);

/** Arrays of `data.py`, a network's Mbit/s and ms of latency, and the goal for the faster zarrita's time over ours. */
const CASES = [
  { name: "tiles-shards-zstd", rate: 50, latency: 80, goal: 1.3 },
  { name: "tiles-zstd", rate: 20, latency: 40, goal: 1 },
];

/** Kinds of walks: the next view begins when the last one is done, or after a number of milliseconds. */
const WALKS = [{ how: "one done, the next" }, { how: "every 400 ms", every: 400 }];

const READERS = { ours: "ours", wrapped: "zarrita, wrapped", plain: "zarrita", ...(BEFORE ? { before: "before" } : {}) };
const NAMES = Object.keys(READERS);

/** Slowdown of the processor while the longest task is measured, and the goal for that task in ms. */
const SLOWER = 4;
const LONGEST = 50;

/** Runs one walk in a new tab, with an empty browser cache; `around` gets the tab and a function that runs the walk. */
async function once(page, { rate, latency }, { every }, who, around = (_, walk) => walk()) {
  await page.another();
  const tab = await lastTab(page);
  const session = await watch(tab);
  await session.send("Network.clearBrowserCache");
  await page.run(async (_, who) => (await import("/bench/viewer.mjs")).openOne(who, `${location.origin}/store`), who);
  await emulate(session, rate, latency);
  let [requests, bytes] = [0, 0];
  session.on("Network.requestWillBeSent", () => void (requests += 1));
  session.on("Network.dataReceived", ({ dataLength }) => void (bytes += dataLength));
  const found = await around(tab, () => page.run(async (_, { every }) => (await import("/bench/viewer.mjs")).walk(every), { every }));
  await tab.close();
  if (page.errors.length) throw new Error(`${READERS[who]}: ${page.errors[0]}`);
  return { ...found, requests, mb: bytes / 1e6 };
}

/** Longest task of the page in a walk with a slower processor, in milliseconds: elapsed time and processor time. */
async function longest(page, network, who) {
  let task;
  await once(page, network, WALKS[0], who, async (tab, walk) => {
    await tab.emulateCPUThrottling(SLOWER);
    task = await longestTask(tab, walk);
  });
  return task;
}

/** Prints the requests of each view of one walk of this package. */
async function waterfall(page, network) {
  let requests;
  const { moves } = await once(page, network, WALKS[0], "ours", async (tab, walk) => {
    requests = await recordRequests(tab);
    return walk();
  });
  printWaterfall(requests, moves, network);
}

/** Medians of the walks of one reader. */
function summary(rounds) {
  const of = (field) => median(rounds.map((round) => round[field]));
  return { ms: median(rounds.flatMap(({ took }) => took)), shown: of("shown"), mb: of("mb"), requests: of("requests") };
}

/** Notes on this package's numbers compared with zarrita's, those of the earlier package if there is one, and the goals. */
function beside(ours, [wrapped, plain, before], { goal }, { every }) {
  const others = [wrapped, plain];
  const notes = before && !every ? [`${(ours.ms / before.ms).toFixed(2)} times the time of before`] : [];
  if (every) {
    if (others.some(({ shown }) => shown > ours.shown)) notes.push("fewer tiles than zarrita's");
    if (others.some(({ mb }) => mb < ours.mb)) notes.push("more bytes than zarrita's");
    return notes;
  }
  const ratio = Math.min(...others.map(({ ms }) => ms)) / ours.ms;
  notes.push(`${ratio.toFixed(2)} times as fast as the faster zarrita (goal ${goal}${ratio < goal ? ", missed" : ""})`);
  if (ours.task[0] > LONGEST) notes.push(`a task over ${LONGEST} ms`);
  return notes;
}

/** Prints the rows of one walk. */
async function compare(page, network, walk) {
  const found = await inTurn(NAMES, ENOUGH, (who) => once(page, network, walk, who));
  if (!walk.every) {
    const whole = Object.values(found).flat().filter(({ isWhole }) => isWhole);
    if (new Set(whole.map(({ sum }) => sum)).size > 1) throw new Error("the readers read different values");
  }
  const rows = NAMES.map((who) => summary(found[who]));
  // Tracing takes time, so traced walks are not timed.
  if (!walk.every) for (const [nth, who] of NAMES.entries()) rows[nth].task = await longest(page, network, who);
  for (const [nth, { ms, shown, mb, requests, task }] of rows.entries()) {
    const numbers = [Number.isNaN(ms) ? "none" : ms.toFixed(0), `${shown}`, mb.toFixed(1), `${requests}`, task?.map((ms) => ms.toFixed(0)).join(" / ") ?? ""];
    const notes = nth ? [] : beside(rows[0], rows.slice(1), network, walk);
    const title = `${(nth ? "" : walk.how).padEnd(22)}${READERS[NAMES[nth]].padEnd(18)}`;
    console.log(`    ${title}${columns(numbers, 11)}  ${notes.join("; ")}`.trimEnd());
  }
}

/** Prints the table; `words` select arrays by their names. With the word waterfall, prints the requests of a walk instead. */
export async function panning(words = []) {
  writeData();
  const peer = await bundledZarrita();
  const names = picked(CASES.map(({ name }) => name), words);
  console.log("\nPanning: a view of 3 x 3 tiles of 256 x 256 float32 that moves by a tile and reads all nine again, with zarrita");
  console.log("  0.7.5 without and with wrappers (withRangeCoalescing, withByteCaching). Medians in ms of moves whose tiles all came, tiles");
  console.log("  shown while in the view, MB and requests of a walk; and the longest task in ms, elapsed / processor time, with the");
  console.log(`  processor ${SLOWER} times slower; the goal is ${LONGEST} elapsed`);
  for (const network of CASES.filter(({ name }) => names.includes(name))) {
    const page = await openPage({}, { start: () => startStore(valuesOf(DATA, network.name), peer) });
    try {
      console.log(`  ${`${network.name}, ${network.rate} Mbit/s, ${network.latency} ms`.padEnd(42)}${columns(["ms a view", "tiles", "MB", "requests", "task"], 11)}`);
      if (words.includes("waterfall")) await waterfall(page, network);
      else for (const walk of WALKS) await compare(page, network, walk);
    } finally {
      await page.close();
    }
  }
}
