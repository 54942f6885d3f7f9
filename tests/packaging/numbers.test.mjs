/** The page on numbers says what pages download: its table is compared with the package and with a bundle of zarrita. `NUMBERS=write` writes it. */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { PAGES, filesOf } from "../../.tools/downloads.mjs";
import { compressed, peers, total } from "../../.tools/peers.mjs";
import { PACKAGE, ROOT } from "../browser/support/paths.mjs";

const PAGE = join(ROOT, "www/docs/numbers.md");
const SECTION = "## Download until a first value\n";

/** Modules that load on demand, by their row. */
const ON_DEMAND = {
  "with blosc, gzip or lz4": "rectilinear_zarr_codecs_bg.wasm",
  "with rectilinear chunks or shards": "rectilinear_zarr_grids_bg.wasm",
  "with groups, Zarr v2 or other types": "rectilinear_zarr_opening_bg.wasm",
  "with virtual stores or original files": "rectilinear_zarr_virtual_bg.wasm",
  "with points, streams, times, conversions or workers": "rectilinear_zarr_calls_bg.wasm",
  "on demand: filters, objects, bz2": "rectilinear_zarr_rare_bg.wasm",
  "on demand: GRIB2": "rectilinear_zarr_grib_bg.wasm",
  "on demand: filters of HDF5": "rectilinear_zarr_hdf5filters_bg.wasm",
  "on demand: JPEG 2000": "rectilinear_zarr_jpeg2000_bg.wasm",
  "on demand: lzma": "rectilinear_zarr_lzma_bg.wasm",
  "on demand: pcodec": "rectilinear_zarr_pcodec_bg.wasm",
  "on demand: zfpy": "rectilinear_zarr_zfp_bg.wasm",
  "on demand: NetCDF-3, TIFF": "rectilinear_zarr_files_bg.wasm",
  "on demand: HDF5, NetCDF-4": "rectilinear_zarr_hdf5_bg.wasm",
  "on demand: kerchunk, Icechunk, cfdb": "rectilinear_zarr_systems_bg.wasm",
};

/** How far a number of the page may be off, as builds on other machines differ by some bytes. */
const TOLERANCE = 0.01;

/** Bytes of gzip and of brotli of files of the package. */
const weigh = async (names) => total(await Promise.all(names.map(async (name) => compressed(await readFile(join(PACKAGE, name))))));

/** Three digits of kB. */
const kilobytes = (bytes) => (bytes < 99_950 ? (bytes / 1000).toFixed(1) : `${Math.round(bytes / 1000)}`);

/** The rows: gzip and brotli of ours, and of zarrita's where there is one. */
async function measured() {
  const directory = pathToFileURL(`${PACKAGE}/`);
  const rows = (await peers()).map(async ({ codec, pages, sizes }) => {
    const kinds = PAGES.filter(({ page }) => pages.includes(page));
    assert.equal(kinds.length, pages.length, codec);
    const names = new Set(kinds.flatMap((kind) => filesOf(kind, directory)));
    return [codec, [...(await weigh([...names])), ...sizes]];
  });
  const modules = Object.entries(ON_DEMAND).map(async ([row, name]) => [row, await weigh([name])]);
  return Promise.all([...rows, ...modules]);
}

test("the page on numbers has the downloads of today", async () => {
  const page = await readFile(PAGE, "utf8");
  const [before, rest] = page.split(SECTION);
  const [start, ...after] = rest.split("\n## ");
  let table = start;
  for (const [row, sizes] of await measured()) {
    const line = table.split("\n").find((text) => text.startsWith(`| ${row} |`)) ?? assert.fail(`no row ${row}`);
    const [ours, theirs = ""] = [sizes.slice(0, 2), sizes.slice(2)].map((pair) => pair.map(kilobytes).join("; "));
    if (process.env.NUMBERS === "write") {
      table = table.replace(line, `| ${row} | ${ours} |${theirs && ` ${theirs}`} |`);
      continue;
    }
    const found = [...line.slice(row.length + 2).matchAll(/[\d.]+/g)].map(([number]) => Number(number));
    assert.equal(found.length, sizes.length, line);
    const isOff = found.some((number, nth) => Math.abs(number * 1000 - sizes[nth]) > TOLERANCE * sizes[nth]);
    assert.ok(!isOff, `${line} is ${ours} ${theirs} now: NUMBERS=write node --test tests/packaging/numbers.test.mjs`);
  }
  if (process.env.NUMBERS === "write") await writeFile(PAGE, [before, SECTION, [table, ...after].join("\n## ")].join(""));
});
