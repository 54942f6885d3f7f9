/**
 * Times a cold page that opens an original file and reads a part of it, over the network of the bench `files`: code is
 * fetched, modules are compiled, the file is opened and read. Pages of this package and of a peer are measured in turn.
 */

import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

import { FaultyHost, on } from "../browser/support/faults.mjs";
import { PACKAGE, ROOT, ZIP_JS } from "../browser/support/paths.mjs";
import { launchUnwatched } from "./support/browsers.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";

const BUILT = join(ROOT, "target/bench-cold");
const PAGES = join(import.meta.dirname, "cold");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const CODE = /\.(html|js|wasm)$/;

/** Rounds of a file's pages. */
const ENOUGH = enough(20_000, 3, 7);

/** Bundles the pages with Vite, as for a site; resolves to their files in brotli, by path. */
async function bundled() {
  const input = readdirSync(PAGES).filter((name) => name.endsWith(".html")).map((name) => join(PAGES, name));
  const output = { outDir: BUILT, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, rolldownOptions: { input } };
  // An installation puts the package's dependency beside it.
  const alias = { "rectilinear-zarr": join(PACKAGE, "index.js"), "@zip.js/zip.js": ZIP_JS };
  const worker = { format: "es" };
  await build({ root: PAGES, configFile: false, logLevel: "error", publicDir: false, resolve: { alias }, worker, build: output });
  const names = readdirSync(BUILT, { recursive: true }).filter((name) => CODE.test(name));
  return names.map((name) => [`/${name}`, brotliCompressSync(readFileSync(join(BUILT, name)))]);
}

/** Loads a page in a new context: milliseconds from the navigation to the values, their sum, requests, and bytes of code. */
async function once(browser, url, host, name) {
  host.log = [];
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.goto(`${url}/${name}.html`);
    await page.waitForFunction("globalThis.told", { polling: 20 });
    const told = await page.evaluate("globalThis.told");
    const code = host.log.filter(({ path }) => CODE.test(path));
    return { ...told, requests: host.log.length, bytes: code.reduce((all, { sent }) => all + sent, 0) };
  } finally {
    await context.close();
  }
}

/** Prints the time of a cold page for each of these files, `{ file, what, peer }`, with the bytes in `data`, under `rules`. */
export async function cold(tasks, data, rules) {
  const code = await bundled();
  const host = new FaultyHost(new Map([...code, ...[...data].map(([path, bytes]) => [`/data${path}`, bytes])]));
  const typed = (exchange) => Object.assign(exchange.extra, { "Content-Type": TYPES[extname(exchange.path)], "Content-Encoding": "br" });
  host.rules = [...rules, on(CODE, typed)];
  const site = await host.listen();
  const browser = await launchUnwatched();
  try {
    console.log(`${" ".repeat(59)} requests        code       ms   time to ours`);
    for (const { file, what, peer } of tasks) {
      const readers = ["ours", peer];
      const measure = (reader) => once(browser, site.url, host, `${file.split(".")[0]}-${reader}`);
      // The first round starts the browser's processes.
      for (const reader of readers) await measure(reader);
      const found = await inTurn(readers, ENOUGH, measure);
      if (new Set(Object.values(found).flat().map(({ sum }) => sum)).size > 1) throw new Error(`${file}: the pages read different values`);
      const ms = readers.map((reader) => median(found[reader].map((round) => round.ms)));
      for (const [nth, reader] of readers.entries()) {
        const [{ requests, bytes }] = found[reader];
        const name = (nth ? "" : `${file}: ${what}`).padEnd(36);
        const size = `${(bytes / 1e3).toFixed(1)} kB`.padStart(12);
        console.log(`  ${name} ${reader.padEnd(20)}${`${requests}`.padStart(9)}${size}${ms[nth].toFixed(0).padStart(9)}   ${nth ? `${(ms[1] / ms[0]).toFixed(2)}x` : ""}`);
      }
    }
  } finally {
    await browser.close();
    await site.close();
  }
}
