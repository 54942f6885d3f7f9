/**
 * Times `cellAt` of 10^6 points, beside the sines and cosines that it takes, and beside healpix-geo natively where the
 * variable NEIGHBOURS names a Python with the packages of tests/neighbours/requirements.txt. Runs in Node.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";

import { PACKAGE } from "../../browser/support/paths.mjs";
import { enough, inTurn, median } from "../support/rounds.mjs";
import { columns } from "../support/table.mjs";

const ENOUGH = enough(8000, 5, 31);

const COUNT = 1_000_000;
const LEVEL = 20;

/** Goal for the processor's time of all points, in milliseconds. */
const GOAL = 300;

const ROWS = ["nested", "ring"].flatMap((scheme) => ["sphere", "WGS84"].map((ellipsoid) => ({ scheme, ellipsoid })));

const { NEIGHBOURS } = process.env;
const NATIVE = join(import.meta.dirname, "healpix_points.py");

/** Points all over the globe, by formulas that give the same floats in every language. */
const longitudes = Float64Array.from({ length: COUNT }, (_, i) => ((i * 137.50776405003785) % 360) - 180);
const latitudes = Float64Array.from({ length: COUNT }, (_, i) => ((i * 0.7548776662466927) % 1) * 180 - 90);

/** A grid of all cells of the level, of which no value is stored. */
async function gridOf({ scheme, ellipsoid }) {
  const [{ Group }, { healpix }] = await Promise.all(["node.js", "healpix.js"].map((file) => import(join(PACKAGE, file))));
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape: [12 * 4 ** LEVEL],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2 ** 20] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes" }],
    dimension_names: ["cells"],
    attributes: {},
  };
  const files = { "/zarr.json": { zarr_format: 3, node_type: "group" }, "/t/zarr.json": array };
  const group = await Group.open(new Map(Object.entries(files).map(([key, document]) => [key, Buffer.from(JSON.stringify(document))])));
  const body = ellipsoid === "sphere" ? {} : { ellipsoid: { name: "WGS84", semi_major_axis: 6378137, inverse_flattening: 298.257223563 } };
  return healpix(group, "t", { dggs: { name: "healpix", refinement_level: LEVEL, indexing_scheme: scheme, spatial_dimension: "cells", ...body } });
}

/** Milliseconds of the processor that a call takes, on all threads. */
function spent(call) {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const cells = new Float64Array(COUNT);

function ours(grid) {
  for (let i = 0; i < COUNT; i++) cells[i] = grid.cellAt(longitudes[i], latitudes[i]);
}

/** The trigonometry that no formula is without: a sine, and for an ellipsoid one more with its cosine. */
function sines(ellipsoid) {
  const factor = Math.PI / 180;
  for (let i = 0; i < COUNT; i++) {
    const angle = latitudes[i] * factor;
    cells[i] = ellipsoid === "sphere" ? Math.sin(angle) : Math.sin(angle) + Math.sin(2 * angle) * Math.cos(2 * angle);
  }
}

/** Milliseconds of healpix-geo, which has to give the same cells. */
function natively({ scheme, ellipsoid }, digest) {
  const [ms, found] = execFileSync(NEIGHBOURS, [NATIVE, scheme, ellipsoid, String(LEVEL), String(COUNT)], { encoding: "utf8" }).trim().split(" ");
  if (found !== digest) throw new Error(`${scheme}, ${ellipsoid}: healpix-geo gives other cells`);
  return Number(ms);
}

/** Prints the table. */
export async function healpix() {
  const readers = ["ours", "sines", ...(NEIGHBOURS ? ["healpix-geo"] : [])];
  if (!NEIGHBOURS) console.log("\nNo column of healpix-geo: NEIGHBOURS names no Python with it");
  console.log(`\nCells of 10^6 points at level ${LEVEL}: medians of the processor's time in ms (goal ${GOAL})`);
  console.log(`  ${"".padEnd(18)}${columns(readers, 13)}`);
  for (const row of ROWS) {
    const grid = await gridOf(row);
    ours(grid);
    const digest = createHash("sha256").update(BigUint64Array.from(cells, BigInt)).digest("hex");
    const measure = { ours: () => spent(() => ours(grid)), sines: () => spent(() => sines(row.ellipsoid)), "healpix-geo": () => natively(row, digest) };
    const took = await inTurn(readers, ENOUGH, (who) => measure[who]());
    const times = readers.map((who) => median(took[who]));
    const note = times[0] > GOAL ? "  too slow" : "";
    console.log(`  ${`${row.scheme}, ${row.ellipsoid}`.padEnd(18)}${columns(times.map((ms) => ms.toFixed(0)), 13)}${note}`);
    grid.free();
  }
}
