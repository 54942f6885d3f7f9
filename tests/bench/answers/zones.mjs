/** Times the means of 1,000 districts over one global field beside `get` of the field, by URL. */

import { launchUnwatched, openPage } from "../support/browsers.mjs";
import { enough, inTurn, median } from "../support/rounds.mjs";
import { startStore, valuesOf } from "../support/sources.mjs";
import { DATA, columns, picked } from "../support/table.mjs";

const ENOUGH = enough(6000, 5, 24);

/** Arrays of `data.py`: 64 MiB of float32, which become fields of 4096 x 4096 cells of the globe. */
const ROWS = ["512-zstd", "512-uncompressed"];

/** Goal for the time of all districts over that of `get`. */
const GOAL = 2;

const SIDE = 4096;
const READERS = ["get", "zonal", "area"];

const json = (value) => Buffer.from(JSON.stringify(value));

/** Values of a group with the array as `t`, and latitudes and longitudes. */
export function globe(values) {
  const found = new Map([["/zarr.json", json({ zarr_format: 3, node_type: "group" })]]);
  for (const [key, bytes] of values) found.set(`/t${key}`, bytes);
  found.set("/t/zarr.json", json({ ...JSON.parse(found.get("/t/zarr.json")), dimension_names: ["lat", "lon"] }));
  for (const [name, units, at] of [["lat", "degrees_north", (i) => 90 - ((i + 0.5) * 180) / SIDE], ["lon", "degrees_east", (i) => ((i + 0.5) * 360) / SIDE - 180]]) {
    found.set(`/${name}/zarr.json`, json({ zarr_format: 3, node_type: "array", shape: [SIDE], data_type: "float64", fill_value: 0, dimension_names: [name], attributes: { units }, chunk_grid: { name: "regular", configuration: { chunk_shape: [SIDE] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] }));
    found.set(`/${name}/c/0`, Buffer.from(Float64Array.from({ length: SIDE }, (_, i) => at(i)).buffer));
  }
  return found;
}

/** In the page: 1,000 districts that fill the globe, with borders of 40 vertices a side that are those of their neighbours. */
function makeDistricts() {
  const [rows, columns, steps] = [25, 40, 40];
  const [high, wide] = [180 / rows, 360 / columns];
  // A border is bent between two corners, within the globe, so that neighbours share all of it.
  const bend = (along, line, most) => (line === 0 || line === most ? 0 : 1.5 * Math.sin(Math.PI * along) ** 2 * Math.sin(along * 7 + line));
  const at = (row, column) => {
    const [isAcross, isDown] = [Number.isInteger(column), Number.isInteger(row)];
    return [column * wide - 180 + (isAcross ? bend(row, column, columns) : 0), row * high - 90 + (isDown ? bend(column, row, rows) : 0)];
  };
  const side = (from, to) => Array.from({ length: steps }, (_, i) => at(from[0] + ((to[0] - from[0]) * i) / steps, from[1] + ((to[1] - from[1]) * i) / steps));
  const features = [];
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column], [row, column]];
    const ring = corners.slice(1).flatMap((to, nth) => side(corners[nth], to));
    features.push({ type: "Feature", geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] } });
  }
  return { type: "FeatureCollection", features };
}

/** In the page: times one read of a newly opened array in milliseconds. */
async function timed({ Group }, { who, make }) {
  globalThis.gc?.();
  const { zonal } = await import("rectilinear-zarr/answers");
  globalThis.districts ??= new Function(`return (${make})()`)();
  const array = await (await Group.open(`${location.origin}/store`)).array("t");
  const started = performance.now();
  const found = who === "get" ? await array.get() : await zonal(array, globalThis.districts, { stats: ["mean", "count"], ...(who === "area" && { weights: "area" }) });
  const ms = performance.now() - started;
  array.free();
  const cells = who === "get" ? undefined : found.count.data.reduce((sum, count) => sum + count, 0);
  // The districts fill the globe, so their shares add up to all cells.
  if (cells !== undefined && Math.abs(cells / 4096 ** 2 - 1) > 1e-9) throw new Error(`${who}: the districts have ${cells} cells`);
  return ms;
}

/** Prints the table, of all rows or those that the words name. */
export async function zones(words) {
  console.log("\n1,000 districts over a field of 4096 x 4096 float32 by URL, defaults: medians in ms of a read into an array, of count and");
  console.log("  mean of each district, and weighted by area; then these over get");
  console.log(`  ${"".padEnd(26)}${columns([...READERS, "/ get", "/ get"], 11)}`);
  for (const name of picked(ROWS, words)) {
    const page = await openPage({}, { start: () => startStore(globe(valuesOf(DATA, name))), browse: launchUnwatched, watches: false });
    try {
      await page.run(async ({ Group }) => void (globalThis.held = await (await Group.open(`${location.origin}/store`)).array("t")));
      const measure = (who) => page.run(timed, { who, make: String(makeDistricts) });
      for (const who of READERS) await measure(who);
      const found = await inTurn(READERS, ENOUGH, measure);
      const medians = Object.fromEntries(READERS.map((who) => [who, median(found[who])]));
      const ratios = [medians.zonal / medians.get, medians.area / medians.get];
      const isMet = ratios.every((ratio) => ratio <= GOAL);
      console.log(`  ${name.padEnd(26)}${columns([...READERS.map((who) => medians[who].toFixed(0)), ...ratios.map((ratio) => ratio.toFixed(2))], 11)}  goal <= ${GOAL}${isMet ? "" : ", missed"}`);
    } finally {
      await page.close();
    }
  }
}
