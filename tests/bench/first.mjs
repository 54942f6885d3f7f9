/**
 * Times the first tile on a cold page, over several networks that the browser emulates: code is fetched, the module
 * compiled and one zstd chunk read. Pages of this package and of zarrita are measured in turn.
 */

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

import { quantile } from "../../www/src/bench/reads.js";
import { PACKAGE, ROOT, ZIP_JS } from "../browser/support/paths.mjs";
import { listen } from "../browser/support/server.mjs";
import { launchUnwatched } from "./support/browsers.mjs";
import { emulate, watch } from "./support/emulated.mjs";
import { enough, inTurn, median } from "./support/rounds.mjs";
import { DATA, columns, writeData } from "./support/table.mjs";

const BUILT = join(ROOT, "target/bench-first");
const ARRAY = "256-zstd";

/** Rounds over each network. */
const ENOUGH = enough(30_000, 3, 21);

/** Networks: Mbit/s, latency of a request in ms, and the goal for zarrita's time over this package's. */
const NETWORKS = [
  { name: "localhost", goal: 1.1 },
  { name: "50 Mbit/s, 30 ms", rate: 50, latency: 30, goal: 1.1 },
  { name: "9 Mbit/s, 60 ms", rate: 9, latency: 60, goal: 1 },
  { name: "1.6 Mbit/s, 150 ms", rate: 1.6, latency: 150, goal: 1 },
];
/** The two pages. */
const NAMES = ["ours", "theirs"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Bundles the two pages with Vite, as for a site. */
function bundle() {
  const root = join(import.meta.dirname, "first");
  const input = NAMES.map((name) => join(root, `${name}.html`));
  const output = { outDir: BUILT, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0, rolldownOptions: { input } };
  // An installation puts the package's dependency beside it.
  const alias = { "rectilinear-zarr": join(PACKAGE, "index.js"), "@zip.js/zip.js": ZIP_JS };
  return build({ root, configFile: false, logLevel: "error", publicDir: false, resolve: { alias }, build: output });
}

/** Starts a host of the pages, in brotli, and of an array at /data; `sent` has the bytes of each answer by path. */
async function startHost() {
  const places = JSON.parse(readFileSync(join(DATA, `${ARRAY}.json`), "utf8"));
  const values = readFileSync(join(DATA, `${ARRAY}.bin`));
  const packed = new Map();
  const sent = new Map();
  const answer = (path) => {
    if (path.startsWith("/data/")) {
      const place = places[path.slice("/data".length)];
      return place && { headers: {}, body: values.subarray(...place) };
    }
    const type = TYPES[extname(path)];
    if (!type) return undefined;
    if (!packed.has(path)) packed.set(path, brotliCompressSync(readFileSync(join(BUILT, path))));
    return { headers: { "Content-Type": type, "Content-Encoding": "br" }, body: packed.get(path) };
  };
  const host = await listen((request, response) => {
    const found = answer(request.url);
    if (!found) return response.writeHead(404).end();
    sent.set(request.url, found.body.length);
    response.writeHead(200, { ...found.headers, "Content-Length": found.body.length }).end(found.body);
  });
  return { ...host, sent };
}

/** Loads a page in a new context, with nothing cached: milliseconds until the values came, requests, bytes of code. */
async function once(browser, host, name, { rate, latency }) {
  host.sent.clear();
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const session = await watch(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    if (rate) await emulate(session, rate, latency);
    await page.goto(`${host.url}/${name}.html`);
    await page.waitForFunction("globalThis.told", { polling: 20 });
    const told = await page.evaluate("globalThis.told");
    const code = [...host.sent].filter(([path]) => !path.startsWith("/data/"));
    return { ...told, requests: host.sent.size, bytes: code.reduce((sum, [, size]) => sum + size, 0) };
  } finally {
    await context.close();
  }
}

/** Prints the rows of one network. */
async function compare(browser, host, network) {
  // The first round starts the browser's processes.
  for (const name of NAMES) await once(browser, host, name, network);
  const found = await inTurn(NAMES, ENOUGH, (name) => once(browser, host, name, network));
  if (new Set(Object.values(found).flat().map(({ sum }) => sum)).size > 1) throw new Error("the two pages read different values");
  const rows = NAMES.map((name) => {
    const took = found[name].map(({ ms }) => ms);
    const [{ requests, bytes }] = found[name];
    return [median(took), quantile(took, 0), requests, bytes / 1e3];
  });
  rows.forEach(([ms, quickest, requests, kB], nth) => {
    const title = `${nth ? "" : network.name}`.padEnd(22) + NAMES[nth].padEnd(8);
    console.log(`  ${title}${columns([ms.toFixed(1), quickest.toFixed(1), `${requests}`, kB.toFixed(1)], 12)}`);
  });
  const ratio = rows[1][0] / rows[0][0];
  const verdict = `(the goal is ${network.goal.toFixed(1)}${ratio < network.goal ? ", missed" : ""})`;
  console.log(`  ${"".padEnd(22)}${ratio.toFixed(2)} times as fast by the medians, ${(rows[1][1] / rows[0][1]).toFixed(2)} by the quickest ${verdict}`);
}

/** Prints the table. */
export async function first() {
  writeData();
  await bundle();
  const host = await startHost();
  const browser = await launchUnwatched();
  try {
    console.log(`\nFirst tile on a cold page, one zstd chunk of 256 x 256 float32, ${await browser.version()}`);
    console.log("  (from the navigation to the values, a context of its own each time; code as Vite bundles it, brotli, no cache)");
    console.log(`  ${"".padEnd(30)}${columns(["ms", "quickest", "requests", "kB of code"], 12)}`);
    for (const network of NETWORKS) await compare(browser, host, network);
  } finally {
    await browser.close();
    await host.close();
  }
}
