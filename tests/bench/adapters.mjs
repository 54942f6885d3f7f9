/**
 * Times whole reads with zarrita through `asRegularStore`, beside zarrita on the files and beside `get`: from a `Map`
 * and by URL, in turn in one page.
 */

import { openPage } from "./support/browsers.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

const ENOUGH = enough(8000, 7, 31);

/** Goal for the time through the adapter, over that of the quicker one of the others. */
const GOAL = 1.3;

/**
 * Arrays that are read. The small chunks have no goal, because `get` reads them together and zarrita one by one; by URL,
 * browsers stall on zarrita's 16,384 requests.
 */
const ROWS = [
  { name: "512-uncompressed", goal: GOAL },
  { name: "512-zstd", goal: GOAL },
  { name: "512-big-endian", goal: GOAL },
  { name: "32-uncompressed", sources: ["map"] },
];

const SOURCES = ["map", "url"];

/** Each reads the array with nothing in a cache. */
const READERS = ["through", "zarrita", "ours"];

/** In the page: times a read of a newly opened array in milliseconds; for `compares`, checks it against the first one. */
async function read({ RectilinearArray }, { who, source, compares }) {
  const [zarrita, { asRegularStore }, { difference }] = await Promise.all([
    import("/zarrita/zarrita.js"),
    import("rectilinear-zarr/adapters"),
    import("/reads/reads.js"),
  ]);
  const from = globalThis.sources[source];
  const array = who === "zarrita" ? undefined : await RectilinearArray.open(from);
  const storeOf = { through: () => asRegularStore(array), zarrita: () => (source === "url" ? new zarrita.FetchStore(from) : from) };
  const theirs = storeOf[who] && (await zarrita.open.v3(zarrita.root(storeOf[who]()), { kind: "array" }));
  const started = performance.now();
  const found = await (theirs ? zarrita.get(theirs) : array.get());
  const ms = performance.now() - started;
  array?.free();
  const differs = compares && globalThis.expected && difference(found, globalThis.expected);
  if (differs) throw new Error(`${who} from ${source}: ${differs}`);
  if (compares) globalThis.expected ??= found;
  return ms;
}

/** Prints the table. `names` select rows by parts of their names, and sources by theirs. */
export async function adapters(names = []) {
  writeData();
  const peer = await bundledZarrita();
  const words = names.filter((name) => !SOURCES.includes(name));
  const rows = picked(ROWS.map(({ name }) => name), words);
  console.log("\nReads of 64 MiB float32 with zarrita 0.7.5 through asRegularStore, with zarrita alone, and with get, in turn in one");
  console.log(`  page: medians in ms, and the time through the adapter over that of the quicker other one (goal ${GOAL})`);
  console.log(`  ${"".padEnd(26)}${columns([...READERS, "ratio"], 10)}`);
  for (const { name, goal, sources = SOURCES } of ROWS.filter(({ name }) => rows.includes(name))) {
    const values = valuesOf(DATA, name);
    const page = await openPage({}, { start: () => startStore(values, peer) });
    try {
      for (const source of picked(sources, names)) {
        await page.renew();
        await page.run(`async () => void (globalThis.sources = await (${openSources})())`);
        // An array stays open, as in pages: the workers end with the last array.
        await page.run(async ({ RectilinearArray }, source) => void (globalThis.held = await RectilinearArray.open(globalThis.sources[source])), source);
        for (const who of READERS) await page.run(read, { who, source, compares: true });
        await page.run(() => void delete globalThis.expected);
        const took = await inTurn(READERS, ENOUGH, (who) => page.run(read, { who, source }));
        const [through, zarrita, ours] = READERS.map((who) => median(took[who]));
        const ratio = through / Math.min(zarrita, ours);
        const note = ratio > goal ? "  the adapter is late" : "";
        const numbers = columns([...[through, zarrita, ours].map((ms) => ms.toFixed(1)), ratio.toFixed(2)], 10);
        console.log(`  ${`${name} ${source}`.padEnd(26)}${numbers}${note}`);
      }
    } finally {
      await page.close();
    }
  }
}
