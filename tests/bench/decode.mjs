/**
 * Whole reads by codec and chunk size: from a `Map`, from stores that answer at once or with promises, and by URL; with
 * the options that people have, the defaults, and with neither workers nor cache; and zarrita, and a plain `fetch` of the
 * same parts of files, in the same rounds.
 */

import { ROWS as PAGE_ROWS, quantile } from "../../www/src/bench/reads.js";
import { launch, openPage } from "../browser/support/chromium.mjs";
import { goalsMet } from "./support/goals.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { SOURCES, openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, picked, writeData } from "./support/table.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

/** The rounds of each row from each source, and of one of many values by URL. */
const ENOUGH = enough(6000, 5, 21);
const FEW = enough(6000, 3, 5);

/** Longest wait for one read, in milliseconds: a busy machine takes a minute for 16,384 requests. */
const PATIENCE = 300_000;

/** How much slower the defaults may be than neither workers nor cache. */
const MOST_LOST = 1.05;

/** What is read; shards only here, as the benchmark's page has no writer of shards. */
export const ROWS = [...PAGE_ROWS, { name: "shards-zstd" }];

/** The readers; the last one, by URL alone, is a plain fetch. */
const READERS = ["defaults", "bare", "zarrita", "fetch"];

/** Values by URL from which on zarrita is left out, which asks for all of them at once: browsers refuse that, or stall. */
const MANY = 2000;

/** In the page: the sources, filled, and what a read by URL asks for where that is wanted. */
const fill = `async (zarr, { selection, fetches }) => {
  globalThis.sources = await (${openSources})();
  if (fetches) globalThis.requests = await (await import("/bench/floor.mjs")).requestsOf(zarr, globalThis.sources.url, selection);
}`;

/**
 * In the page: how long a read takes, in milliseconds, of an array that was opened just now, so that nothing is kept of
 * it; its values compared with others where that is asked for.
 */
async function read(zarr, { who, source, selection, compares }) {
  if (who === "fetch") {
    const { fetchAll } = await import("/bench/floor.mjs");
    const started = performance.now();
    await fetchAll(globalThis.requests);
    return performance.now() - started;
  }
  const [zarrita, { openReader, difference }] = await Promise.all([import("/zarrita/zarrita.js"), import("/reads/reads.js")]);
  // zarrita reads no shards from a Map, which has no getRange: it gets the store that answers at once.
  const from = who === "zarrita" && source === "map" ? "sync" : source;
  const [get, free] = await openReader(who, { zarr, zarrita }, globalThis.sources[from], selection);
  const started = performance.now();
  const found = await get();
  const ms = performance.now() - started;
  free();
  const differs = compares && globalThis.expected && difference(found, globalThis.expected);
  if (differs) throw new Error(`${who} from ${source}: ${differs}`);
  if (compares) globalThis.expected ??= found;
  return ms;
}

/** What each read took, in milliseconds, by these readers in turn. */
async function measure(page, { selection }, source, readers, rounds) {
  // An array that stays open, as pages have them: the workers would end with the last one.
  await page.run(async ({ RectilinearArray }, source) => void (globalThis.held = await RectilinearArray.open(globalThis.sources[source])), source);
  for (const who of readers) await page.run(read, { who, source, selection, compares: true });
  await page.run(() => void delete globalThis.expected);
  return inTurn(readers, rounds, (who) => page.run(read, { who, source, selection }));
}

/** A number that was measured, or nothing. */
const shown = (digits) => (value) => (Number.isNaN(value) ? "" : value.toFixed(digits));

/** Print the table, as measured in Chromium or in the browser that `browse` starts; `names` picks rows whose name has one of them, and sources by name. */
export async function decode(names = [], browse = launch) {
  writeData();
  const peer = await bundledZarrita();
  const sources = SOURCES.filter((source) => names.includes(source));
  const words = names.filter((name) => !SOURCES.includes(name));
  const rows = picked(ROWS.map(({ name }) => name), words);
  const lost = [];
  const tell = (text) => console.log(text);
  tell("\nReads of 64 MiB float32 beside zarrita 0.7.5, in turn in one page: medians in ms; how many times as fast the defaults");
  tell("  are as zarrita, and as { workers: 0, cacheBytes: 0 }, by the medians and by the quickest rounds; and what the source");
  tell("  costs: the time of { workers: 0, cacheBytes: 0 } over that from a Map. Then what the goals are for, with the defaults:");
  tell("  / Map and / fetch are the time over that from a Map, and over a plain fetch of the same parts of files");
  const heads = columns(READERS, 10) + columns(["x zarrita", "x bare", "quickest", "/ Map"], 11);
  tell(`  ${"".padEnd(48)}${heads}`);
  for (const row of ROWS.filter(({ name }) => rows.includes(name))) {
    const values = valuesOf(DATA, row.name);
    const page = await openPage({}, { start: () => startStore(values, peer), browse: () => browse({ patience: PATIENCE }) });
    let [map, bareFromMap] = [NaN, NaN];
    try {
      for (const source of sources.length ? sources : SOURCES) {
        // A page of its own for each: what one array took, the next need not hold.
        await page.renew();
        const isUrl = source === "url";
        await page.run(fill, { selection: row.selection, fetches: isUrl });
        const isMany = isUrl && values.size > MANY;
        const readers = READERS.filter((who) => (who === "fetch" ? isUrl : who !== "zarrita" || !isMany));
        const took = await measure(page, row, source, readers, isMany ? FEW : ENOUGH);
        const [defaults, bare, zarrita, fetch] = READERS.map((who) => median(took[who] ?? []));
        const [quickest, quickestBare] = READERS.map((who) => quantile(took[who] ?? [], 0) ?? NaN);
        if (source === "map") [map, bareFromMap] = [defaults, bare];
        const ratios = [zarrita / defaults, bare / defaults, quickestBare / quickest, bare / bareFromMap];
        const title = `${row.name}${row.selection ? ` ${JSON.stringify(row.selection)}` : ""} ${source}`.padEnd(48);
        const text = columns([defaults, bare, zarrita, fetch].map(shown(1)), 10) + columns(ratios.map(shown(2)), 11);
        // By both: a machine that others use has slow rounds, and a race a lucky one.
        const isLost = defaults > bare * MOST_LOST && quickest > quickestBare * MOST_LOST;
        const notes = [isLost && "the defaults lose", goalsMet(row, source, { defaults, bare, zarrita, fetch, map })].filter(Boolean);
        tell(`  ${title}${text}  ${notes.join("; ")}`.trimEnd());
        if (isLost) lost.push(title.trim());
      }
    } finally {
      await page.close();
    }
  }
  if (lost.length) {
    tell(`  the defaults are more than ${MOST_LOST} times slower than { workers: 0, cacheBytes: 0 }: ${lost.join(", ")}`);
    process.exitCode = 1;
  }
}
