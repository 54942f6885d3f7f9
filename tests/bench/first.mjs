/** The first value on a cold page: bundle fetched from localhost, module compiled, one zstd chunk read; ours and zarrita's in turn. */

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

import { quantile } from "../../www/src/bench/reads.js";
import { launch } from "../browser/support/chromium.mjs";
import { PACKAGE, ROOT } from "../browser/support/paths.mjs";
import { listen } from "../browser/support/server.mjs";
import { DATA, columns, writeData } from "./support/table.mjs";

const BUILT = join(ROOT, "target/bench-first");
const ROUNDS = 21;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Two pages, each as Vite bundles it for a site. */
function bundle() {
  const root = join(import.meta.dirname, "first");
  const input = ["ours.html", "theirs.html"].map((page) => join(root, page));
  const output = { outDir: BUILT, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, rolldownOptions: { input } };
  const alias = { "rectilinear-zarr": join(PACKAGE, "index.js") };
  return build({ root, configFile: false, logLevel: "error", publicDir: false, resolve: { alias }, build: output });
}

/** A host of the pages, gzipped as hosts send them, and of an array at /data; `sent` is what was asked for, in bytes. */
async function startHost() {
  const places = JSON.parse(readFileSync(join(DATA, "512-zstd.json"), "utf8"));
  const values = readFileSync(join(DATA, "512-zstd.bin"));
  const packed = new Map();
  const sent = new Map();
  const answer = (path) => {
    if (path.startsWith("/data/")) {
      const place = places[path.slice("/data".length)];
      return place && { headers: {}, body: values.subarray(...place) };
    }
    const type = TYPES[extname(path)];
    if (!type) return undefined;
    if (!packed.has(path)) packed.set(path, gzipSync(readFileSync(join(BUILT, path)), { level: 9 }));
    return { headers: { "Content-Type": type, "Content-Encoding": "gzip" }, body: packed.get(path) };
  };
  const host = await listen((request, response) => {
    const found = answer(request.url);
    if (!found) return response.writeHead(404).end();
    sent.set(request.url, found.body.length);
    response.writeHead(200, { ...found.headers, "Content-Length": found.body.length }).end(found.body);
  });
  return { ...host, sent };
}

/** Milliseconds from the navigation's begin, and what was sent for the page and its code, in a context that knows nothing. */
async function once(browser, host, name) {
  host.sent.clear();
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.goto(`${host.url}/${name}.html`);
    await page.waitForFunction("globalThis.told", { polling: 20 });
    const told = await page.evaluate("globalThis.told");
    const code = [...host.sent].filter(([path]) => !path.startsWith("/data/"));
    return { ...told, requests: host.sent.size, bytes: code.reduce((sum, [, size]) => sum + size, 0) };
  } finally {
    await context.close();
  }
}

/** Print the table. */
export async function first() {
  writeData();
  await bundle();
  const host = await startHost();
  const browser = await launch();
  try {
    const found = { ours: [], theirs: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of Object.keys(found)) found[name].push(await once(browser, host, name));
    }
    if (new Set(Object.values(found).flat().map(({ sum }) => sum)).size > 1) throw new Error("the two read other values");
    console.log(`\nFirst value on a cold page, one zstd chunk of 1 MiB from localhost, ${await browser.version()}`);
    console.log("  (from the navigation to the values, a context of its own each time; code as Vite bundles it, gzipped)");
    console.log(`  ${"".padEnd(12)}${columns(["ms", "quickest", "requests", "kB of code"], 12)}`);
    // The first round starts the browser's processes.
    const rows = Object.entries(found).map(([name, [, ...rounds]]) => {
      const [ms, quickest] = [0.5, 0].map((part) => quantile(rounds.map(({ ms }) => ms), part));
      const { requests, bytes } = rounds[0];
      console.log(`  ${name.padEnd(12)}${columns([ms.toFixed(1), quickest.toFixed(1), `${requests}`, (bytes / 1e3).toFixed(1)], 12)}`);
      return [ms, quickest, requests, bytes];
    });
    const ratios = rows[0].map((value, nth) => (value / rows[1][nth]).toFixed(2));
    console.log(`  ${"ratio".padEnd(12)}${columns(ratios, 12)}   (the goal: no more than 1 of the time)`);
  } finally {
    await browser.close();
    await host.close();
  }
}
