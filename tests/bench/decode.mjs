/**
 * Times whole reads by codec and chunk size: from a `Map`, from synchronous and asynchronous stores, and by URL; with
 * the default options, with neither workers nor cache, with zarrita, by a plain `fetch` of the same byte ranges, and with
 * the default options of an earlier package if BEFORE names its folder, in turn.
 */

import { ROWS as PAGE_ROWS, quantile } from "../../www/src/bench/reads.js";
import { launchUnwatched, openPage } from "./support/browsers.mjs";
import { goalsMet } from "./support/goals.mjs";
import { processorCounter } from "./support/processors.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { BEFORE, SOURCES, openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

/** Rounds of each row from each source, and of a row of many values by URL. */
const ENOUGH = enough(6000, 6, 24);
const FEW = enough(6000, 3, 5);

/** Longest wait for one read, in milliseconds: a busy machine takes a minute for 16,384 requests. */
const PATIENCE = 300_000;

/** Limit for the time with the defaults over that with neither workers nor cache. */
const MOST_LOST = 1.05;

/** Arrays that are read. Shards are read only here, as the benchmark's page cannot write them. */
export const ROWS = [...PAGE_ROWS, { name: "shards-zstd" }];

/** The readers; `map` is the defaults from a `Map` beside a store's methods, `fetch` a plain `fetch` beside a URL. */
const READERS = ["defaults", "bare", "zarrita", "map", "fetch", "before"];

/**
 * Order of the first round. zarrita slows the reads after it for a while: by this order, `defaults` and `bare` are
 * equally far behind it, and `map` and `fetch` are nearer.
 */
const ORDER = ["zarrita", "defaults", "map", "fetch", "before", "bare"];

/** Number of values by URL from which on zarrita is left out: it requests all at once, and browsers fail or stall. */
const MANY = 2000;

/** In the page: opens the sources and, for `fetches`, lists the requests of a read by URL. */
const fill = `async (zarr, { selection, fetches }) => {
  globalThis.sources = await (${openSources})();
  if (fetches) globalThis.requests = await (await import("/bench/floor.mjs")).requestsOf(zarr, globalThis.sources.url, selection);
}`;

/**
 * In the page: times a read of a newly opened array, which has nothing in its cache, in milliseconds. For `compares`,
 * its values are compared with those of the first reader.
 */
async function read(zarr, { who, source, selection, compares }) {
  // The page's thread collects no garbage of the reader before; workers may, and Firefox has no `gc`.
  globalThis.gc?.();
  if (who === "fetch") {
    const { fetchAll } = await import("/bench/floor.mjs");
    const started = performance.now();
    await fetchAll(globalThis.requests);
    return performance.now() - started;
  }
  const [zarrita, { openReader, difference }] = await Promise.all([import("/zarrita/zarrita.js"), import("/reads/reads.js")]);
  // zarrita cannot read shards from a Map, which has no getRange: it reads from the synchronous store.
  const from = { map: "map", zarrita: source === "map" ? "sync" : source }[who] ?? source;
  const as = { map: "defaults", before: "defaults" }[who] ?? who;
  const measured = who === "before" ? await import("/before/index.js") : zarr;
  const [get, free] = await openReader(as, { zarr: measured, zarrita }, globalThis.sources[from], selection);
  const started = performance.now();
  const found = await get();
  const ms = performance.now() - started;
  free();
  const differs = compares && globalThis.expected && difference(found, globalThis.expected);
  if (differs) throw new Error(`${who} from ${source}: ${differs}`);
  if (compares) globalThis.expected ??= found;
  return ms;
}

/** Times each read in milliseconds, and by URL its processor time, by these readers in turn. */
async function measure(page, { selection }, source, readers, rounds, processorTime) {
  // An array stays open, as in pages: the workers end with the last array.
  const hold = async (zarr, { source, before }) => {
    const packages = before ? [zarr, await import("/before/index.js")] : [zarr];
    globalThis.held = await Promise.all(packages.map(({ RectilinearArray }) => RectilinearArray.open(globalThis.sources[source])));
  };
  await page.run(hold, { source, before: readers.includes("before") });
  for (const who of readers) await page.run(read, { who, source, selection, compares: true });
  await page.run(() => void delete globalThis.expected);
  return inTurn(readers, rounds, async (who) => {
    const before = await processorTime?.();
    const ms = await page.run(read, { who, source, selection });
    return { ms, busy: processorTime ? (await processorTime()) - before : NaN };
  });
}

/** Processor time of reads by URL: how busy the defaults and a plain `fetch` keep the machine's processors. */
const busyLine = (took) => {
  const of = (who) => {
    const [busy, ms] = ["busy", "ms"].map((name) => median(took[who].map((round) => round[name])));
    return `${busy.toFixed(0)} ms in ${ms.toFixed(0)} (${(busy / ms).toFixed(1)} processors)`;
  };
  return `    processor time of the browser: defaults ${of("defaults")}, fetch ${of("fetch")}`;
};

/** Text of a measured number; empty where nothing was measured. */
const shown = (digits) => (value) => (Number.isNaN(value) ? "" : value.toFixed(digits));

/**
 * Prints the table, measured in the browser that `browse` starts, by default Chromium. `names` select sources by their
 * names, and rows by parts of theirs.
 */
export async function decode(names = [], browse = launchUnwatched) {
  writeData();
  const peer = await bundledZarrita();
  const sources = SOURCES.filter((source) => names.includes(source));
  const words = names.filter((name) => !SOURCES.includes(name));
  const rows = picked(ROWS.map(({ name }) => name), words);
  const lost = [];
  const print = (text) => console.log(text);
  print("\nReads of 64 MiB float32, with zarrita 0.7.5 in turn in one page: medians in ms; how many times as fast the defaults");
  print("  are as zarrita, and as { workers: 0, cacheBytes: 0 } by the medians and by the quickest rounds. Then the ratios that");
  print("  have goals: / Map and / fetch are the time over that from a Map, and over that of a plain fetch of the same byte ranges");
  if (BEFORE) print(`  before: the defaults of the package in ${BEFORE}; / before is the time over its time`);
  const shownReaders = READERS.filter((who) => who !== "before" || BEFORE);
  const heads = columns(shownReaders, 10) + columns(["x zarrita", "x bare", "quickest", ...(BEFORE ? ["/ before"] : [])], 11);
  print(`  ${"".padEnd(48)}${heads}`);
  for (const row of ROWS.filter(({ name }) => rows.includes(name))) {
    const values = valuesOf(DATA, row.name);
    const page = await openPage({}, { start: () => startStore(values, peer), browse: () => browse({ patience: PATIENCE }), watches: browse === launchUnwatched });
    try {
      for (const source of sources.length ? sources : SOURCES) {
        // Each source gets a new page, so that it does not hold the memory of the one before.
        await page.renew();
        const isUrl = source === "url";
        await page.run(fill, { selection: row.selection, fetches: isUrl });
        const isMany = isUrl && values.size > MANY;
        const isThere = { fetch: isUrl, map: source === "sync" || source === "async", zarrita: !isMany, before: Boolean(BEFORE) };
        const readers = ORDER.filter((who) => isThere[who] ?? true);
        const processorTime = isUrl && browse === launchUnwatched ? await processorCounter(page.browser) : undefined;
        const took = await measure(page, row, source, readers, isMany ? FEW : ENOUGH, processorTime);
        const times = shownReaders.map((who) => (took[who] ?? []).map(({ ms }) => ms));
        const medians = times.map(median);
        const [defaults, bare, zarrita, map, fetch, before] = medians;
        const [quickest, quickestBare] = times.map((list) => quantile(list, 0) ?? NaN);
        const ratios = [zarrita / defaults, bare / defaults, quickestBare / quickest, ...(BEFORE ? [defaults / before] : [])];
        const title = `${row.name}${row.selection ? ` ${JSON.stringify(row.selection)}` : ""} ${source}`.padEnd(48);
        const text = columns(medians.map(shown(1)), 10) + columns(ratios.map(shown(2)), 11);
        // Both have to lose: medians vary on a busy machine, and a quickest round can be lucky.
        const isLost = defaults > bare * MOST_LOST && quickest > quickestBare * MOST_LOST;
        const notes = [isLost && "the defaults lose", goalsMet(row, source, { defaults, bare, zarrita, fetch, map })].filter(Boolean);
        print(`  ${title}${text}  ${notes.join("; ")}`.trimEnd());
        if (processorTime) print(busyLine(took));
        if (isLost) lost.push(title.trim());
      }
    } finally {
      await page.close();
    }
  }
  if (lost.length) {
    print(`  the defaults are more than ${MOST_LOST} times slower than { workers: 0, cacheBytes: 0 }: ${lost.join(", ")}`);
    process.exitCode = 1;
  }
}
