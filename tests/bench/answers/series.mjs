/** Times the first picture of a series of 10,000 chunks on a host of 80 ms, and counts what each part cost. */

import { FaultyHost, slow } from "../../browser/support/faults.mjs";
import { written } from "../../browser/support/written.mjs";
import { openPage } from "../support/browsers.mjs";
import { median } from "../support/rounds.mjs";

const COUNT = 10_000;
const LATENCY = 80;
const ROUNDS = 5;

/** Goal for the time until the first part, in ms. */
const GOAL = 600;

const json = (value) => Buffer.from(JSON.stringify(value));

/** Files of a group with a series of one chunk a day, and with coordinates of one chunk each. */
function files() {
  const found = written("t", { shape: [COUNT, 8, 8], chunks: [1, 8, 8], gzip: true });
  const document = { ...JSON.parse(found.get("/t/zarr.json")), dimension_names: ["time", "lat", "lon"] };
  const line = (name, count, step, units) => {
    const own = { zarr_format: 3, node_type: "array", shape: [count], data_type: "float64", fill_value: 0, dimension_names: [name], attributes: { units }, chunk_grid: { name: "regular", configuration: { chunk_shape: [count] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
    found.set(`/${name}/c/0`, Buffer.from(Float64Array.from({ length: count }, (_, i) => i * step).buffer));
    found.set(`/${name}/zarr.json`, json(own));
    return own;
  };
  const metadata = { t: document, time: line("time", COUNT, 1, "days since 2000-01-01"), lat: line("lat", 8, 10, "degrees_north"), lon: line("lon", 8, 10, "degrees_east") };
  found.set("/t/zarr.json", json(document));
  found.set("/zarr.json", json({ zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "inline", must_understand: false, metadata } }));
  return found;
}

/** In the page: the parts of a series of a newly opened array, with the ms at which each came. */
async function read({ Group }, url) {
  const { series } = await import("rectilinear-zarr/answers");
  const array = await (await Group.open(url)).array("t");
  const started = performance.now();
  const parts = [];
  for await (const { share, requests, coordinates, data } of series(array, { lat: 21, lon: 33 })) {
    if (data[0] !== 2 * 8 + 3 || coordinates.time.length !== 10_000) throw new Error(`the series begins with ${data[0]}`);
    parts.push({ ms: performance.now() - started, share, requests });
  }
  array.free();
  return parts;
}

/** Prints the row. */
export async function series() {
  const host = new FaultyHost(files());
  host.rules = [slow(LATENCY)];
  const page = await openPage({ "/near": host.handle });
  try {
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) rounds.push(await page.run(read, "/near"));
    // The first round is not counted: it compiles code.
    const counted = rounds.slice(1);
    const at = (nth) => median(counted.map((parts) => parts.at(nth).ms));
    const [first, last] = [counted[0][0], counted[0].at(-1)];
    console.log(`\nA series of ${COUNT.toLocaleString("en")} chunks on a host of ${LATENCY} ms over HTTP/1.1, coordinates read anew, medians of ${ROUNDS} rounds`);
    console.log(`  first part after ${at(0).toFixed(0)} ms, of ${first.requests} requests  goal <= ${GOAL}${at(0) <= GOAL ? "" : ", missed"}`);
    console.log(`  ${counted[0].length} parts, the last after ${at(-1).toFixed(0)} ms, of ${last.requests} requests, with ${(100 * last.share).toFixed(1)} % of the items`);
  } finally {
    await page.close();
  }
}
