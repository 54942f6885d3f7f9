/**
 * Whole reads by codec and chunk size: from a `Map`, from stores that answer at once or with promises, and by URL; with
 * the options that people have, the defaults, and with neither workers nor cache; and zarrita in the same rounds.
 */

import { ROWS as PAGE_ROWS, quantile } from "../../www/src/bench/reads.js";
import { openPage } from "../browser/support/chromium.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { SOURCES, openSources, startStore, valuesOf } from "./support/sources.mjs";
import { DATA, columns, writeData } from "./support/table.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";

/** The rounds of each row from each source. */
const ENOUGH = enough(6000, 5, 21);

/** How much slower the defaults may be than neither workers nor cache. */
const MOST_LOST = 1.05;

/** What is read; shards only here, as the benchmark's page has no writer of shards. */
const ROWS = [...PAGE_ROWS, { name: "shards-zstd" }];

/** Who reads. */
const READERS = ["defaults", "bare", "zarrita"];

/** Values by URL from which on zarrita is left out, which asks for all of them at once: browsers refuse that, or stall. */
const MANY = 2000;

/** In the page: the sources, filled. */
const fill = `async () => void (globalThis.sources = await (${openSources})())`;

/**
 * In the page: how long a read takes, in milliseconds, of an array that was opened just now, so that nothing is kept of
 * it; its values compared with others where that is asked for.
 */
async function read(zarr, { who, source, selection, compares }) {
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
async function measure(page, { selection }, source, readers) {
  // An array that stays open, as pages have them: the workers would end with the last one.
  await page.run(async ({ RectilinearArray }, source) => void (globalThis.held = await RectilinearArray.open(globalThis.sources[source])), source);
  for (const who of readers) await page.run(read, { who, source, selection, compares: true });
  await page.run(() => void delete globalThis.expected);
  return inTurn(readers, ENOUGH, (who) => page.run(read, { who, source, selection }));
}

/** Print the table, as measured in Chromium or in the browser that `browse` starts; `names` picks rows whose name has one of them, and sources by name. */
export async function decode(names = [], browse = undefined) {
  writeData();
  const zarrita = await bundledZarrita();
  const picked = SOURCES.filter((source) => names.includes(source));
  const sources = picked.length ? picked : SOURCES;
  const words = names.filter((name) => !SOURCES.includes(name));
  const lost = [];
  const tell = (text) => console.log(text);
  tell("\nReads of 64 MiB float32 beside zarrita 0.7.5, in turn in one page: medians in ms; how many times as fast the defaults");
  tell("  are as zarrita, and as { workers: 0, cacheBytes: 0 }, by the medians and by the quickest rounds; and what the source");
  tell("  costs: the time of { workers: 0, cacheBytes: 0 } over that from a Map");
  const heads = columns(["defaults", "bare", "zarrita"], 10) + columns(["x zarrita", "x bare", "quickest", "/ Map"], 11);
  tell(`  ${"".padEnd(48)}${heads}`);
  for (const row of ROWS.filter(({ name }) => !words.length || words.some((part) => name.includes(part)))) {
    const values = valuesOf(DATA, row.name);
    const page = await openPage({}, { start: () => startStore(values, zarrita), browse });
    let fromMap = NaN;
    try {
      for (const source of sources) {
        // A page of its own for each: what one array took, the next need not hold.
        await page.renew();
        await page.run(fill);
        const readers = source === "url" && values.size > MANY ? READERS.slice(0, 2) : READERS;
        const took = await measure(page, row, source, readers);
        const [defaults, bare, peer] = READERS.map((who) => median(took[who] ?? []));
        const [quickest, quickestBare] = READERS.map((who) => quantile(took[who] ?? [], 0) ?? NaN);
        if (source === "map") fromMap = bare;
        const ratios = [peer / defaults, bare / defaults, quickestBare / quickest, bare / fromMap];
        const title = `${row.name}${row.selection ? ` ${JSON.stringify(row.selection)}` : ""} ${source}`.padEnd(48);
        const text = columns([defaults, bare, peer].map((ms) => ms.toFixed(1)), 10) + columns(ratios.map((ratio) => ratio.toFixed(2)), 11);
        // By both: a machine that others use has slow rounds, and a race a lucky one.
        const isLost = defaults > bare * MOST_LOST && quickest > quickestBare * MOST_LOST;
        tell(`  ${title}${text}${isLost ? "  the defaults lose" : ""}`);
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
