/**
 * Measures the memory that pages take while they reduce: 10 GB that a host makes on the fly, and 64 MiB beside zarrita with a
 * loop. It is that of the page's process (resident, at its peak), less that before the read; Linux tells it.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { launchUnwatched, openPage } from "../support/browsers.mjs";
import { median } from "../support/rounds.mjs";
import { startStore, valuesOf } from "../support/sources.mjs";
import { DATA } from "../support/table.mjs";

/** Most memory that the reduction of 10 GB may take, in MiB, and most of that of zarrita that one of 64 MiB may take. */
const [MOST, PART] = [150, 0.1];

const ROUNDS = 3;

/** Edge of a chunk along the last two axes, and number of chunks, each of 1 MiB: 10 GB. */
const [EDGE, COUNT] = [512, 9537];

/** Processes that show pages. */
async function renderers(browser) {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

/** A number of a process in MiB, by its name in /proc. */
const mib = (id, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024;

/** MiB by which the memory of pages grows at its peak while `work` runs, and what that gave. */
async function growth(page, work) {
  await page.run(() => globalThis.gc?.());
  const ids = await renderers(page.browser);
  const before = ids.map((id) => {
    // Forgets the peak so far.
    writeFileSync(`/proc/${id}/clear_refs`, "5");
    return mib(id, "VmRSS");
  });
  const found = await work();
  return { grown: ids.reduce((sum, id, nth) => sum + mib(id, "VmHWM") - before[nth], 0), found };
}

/** A host that makes the chunks of an array when they are asked for, from one of a few patterns. */
function largeHost() {
  const document = { zarr_format: 3, node_type: "array", shape: [COUNT, EDGE, EDGE], data_type: "float32", fill_value: 0, chunk_grid: { name: "regular", configuration: { chunk_shape: [1, EDGE, EDGE] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "gzip", configuration: { level: 1 } }] };
  const patterns = Array.from({ length: 4 }, (_, nth) => gzipSync(Buffer.from(Float32Array.from({ length: EDGE * EDGE }, (_, i) => nth + (i % 1024) / 1024).buffer), { level: 1 }));
  const mean = Array.from({ length: COUNT }, (_, nth) => nth % 4).reduce((sum, nth) => sum + nth, 0) / COUNT + 1023 / 2048;
  const handle = (request, response) => {
    const nth = /\/c\/(\d+)\/0\/0$/.exec(request.url)?.[1];
    const body = nth === undefined ? (request.url.endsWith("/zarr.json") ? Buffer.from(JSON.stringify(document)) : undefined) : patterns[nth % 4];
    response.writeHead(body ? 200 : 404, { "Content-Length": body?.length ?? 0, "Cache-Control": "no-store" }).end(body);
  };
  return { handle, mean };
}

/** Reduces 10 GB; prints the memory. */
async function large() {
  const { handle, mean } = largeHost();
  const page = await openPage({ "/near": handle }, { browse: () => launchUnwatched({ patience: 900_000 }), watches: false });
  try {
    const { grown, found } = await growth(page, () =>
      page.run(async ({ RectilinearArray }) => {
        const { reduce } = await import("rectilinear-zarr/answers");
        const array = await RectilinearArray.open("/near");
        const started = performance.now();
        const answer = await reduce(array, ["mean", "count"]);
        return { mean: answer.mean.data[0], count: answer.count.data[0], ms: performance.now() - started };
      }));
    if (Math.abs(found.mean - mean) > 1e-6 || found.count !== COUNT * EDGE * EDGE) throw new Error(`the mean is ${found.mean} of ${found.count}, not ${mean}`);
    console.log(`  mean of ${((COUNT * EDGE * EDGE * 4) / 1e9).toFixed(1)} GB in ${COUNT.toLocaleString("en")} chunks, by URL, in ${(found.ms / 1000).toFixed(0)} s`.padEnd(72) + `${grown.toFixed(0).padStart(6)} MiB  goal <= ${MOST}${grown <= MOST ? "" : ", missed"}`);
  } finally {
    await page.close();
  }
}

/** In the page: the mean of the array at /store. */
async function meanBy({ RectilinearArray }, who) {
  if (who === "reduce") {
    const { reduce } = await import("rectilinear-zarr/answers");
    return (await reduce(await RectilinearArray.open(`${location.origin}/store`), "mean", { decode: false })).data[0];
  }
  const zarrita = await import("/zarrita/zarrita.js");
  const { data } = await zarrita.get(await zarrita.open(new zarrita.FetchStore(`${location.origin}/store`), { kind: "array" }));
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  return sum / data.length;
}

/** Takes the mean of 64 MiB by the package and by zarrita, each in a page of its own; prints their memory. */
async function beside(peer) {
  for (const name of ["512-zstd", "512-uncompressed"]) {
    const grown = { reduce: [], zarrita: [] };
    const means = new Set();
    for (let round = 0; round < ROUNDS; round++) {
      for (const who of ["reduce", "zarrita"]) {
        const page = await openPage({}, { start: () => startStore(valuesOf(DATA, name), peer), browse: launchUnwatched, watches: false });
        try {
          const one = await growth(page, () => page.run(meanBy, who));
          grown[who].push(one.grown);
          means.add(one.found.toPrecision(4));
        } finally {
          await page.close();
        }
      }
    }
    if (means.size > 1) throw new Error(`the means are ${[...means]}`);
    const [own, other] = [median(grown.reduce), median(grown.zarrita)];
    console.log(`  mean of 64 MiB, ${name}: ${own.toFixed(0)} MiB, and zarrita with a loop ${other.toFixed(0)} MiB`.padEnd(72) + `${(own / other).toFixed(2).padStart(6)} x    goal <= ${PART}${own <= PART * other ? "" : ", missed"}`);
  }
}

/** Prints the rows. */
export async function memory(peer) {
  console.log("\nMemory of the page's process at its peak, less that before, of means by URL, defaults, code included");
  await large();
  await beside(peer);
}
