/** Writes the data of the benchmark of original files: a netCDF-4 cube of 20 variables by h5wasm, and a TIFF with levels. */

import { join } from "node:path";
import { deflateSync } from "node:zlib";

import { ROOT } from "../../browser/support/paths.mjs";

/** Numbers from 0 to 1 that look random, always the same ones. */
function noise() {
  let state = 41;
  return () => ((state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const [DAYS, ROWS, COLUMNS] = [365, 180, 360];

/** Writes a year of daily fields in chunks of ten days, and 16 smaller variables with attributes, between which headers lie. */
export async function writeCube(path) {
  const h5wasm = await import(join(ROOT, "tests/node_modules/h5wasm/dist/node/hdf5_hl.js"));
  await h5wasm.ready;
  const file = new h5wasm.File(path, "w");
  const random = noise();
  const scales = { time: DAYS, lat: ROWS, lon: COLUMNS };
  for (const [name, length] of Object.entries(scales)) {
    const data = Float64Array.from({ length }, (_, nth) => (name === "time" ? nth : name === "lat" ? 89.5 - nth : nth - 179.5));
    file.create_dataset({ name, data, shape: [length], dtype: "<d" });
    const scale = file.get(name);
    scale.make_scale(name);
    scale.create_attribute("units", { time: "days since 2024-01-01", lat: "degrees_north", lon: "degrees_east" }[name]);
  }
  const add = (name, data, shape, chunks, axes) => {
    file.create_dataset({ name, data, shape, dtype: "<f", chunks, compression: "gzip", compression_opts: [4] });
    const dataset = file.get(name);
    axes.forEach((axis, nth) => dataset.attach_scale(nth, axis));
    dataset.create_attribute("long_name", `the variable ${name}`);
    dataset.create_attribute("units", "K");
  };
  const plane = ROWS * COLUMNS;
  for (let nth = 0; nth < 16; nth++) {
    add(`field_${nth}`, Float32Array.from({ length: plane }, () => Math.round(2800 + 200 * random()) / 10), [ROWS, COLUMNS], [90, 90], ["lat", "lon"]);
  }
  const cube = new Float32Array(DAYS * plane);
  for (let at = 0; at < cube.length; at++) {
    const [row, column] = [Math.floor(at / COLUMNS) % ROWS, at % COLUMNS];
    cube[at] = Math.round(2800 + 150 * Math.sin(row / 60) + 20 * Math.cos(column / 40) + 10 * random()) / 10;
  }
  add("t2m", cube, [DAYS, ROWS, COLUMNS], [10, 90, 90], ["time", "lat", "lon"]);
  file.close();
}

const [SIZE, TILE, LEVELS] = [4096, 512, 4];

/** The bytes of a TIFF of 16-bit heights in tiles, with three smaller levels; all directories are before the tiles, as in a COG. */
export function writePyramid() {
  const random = noise();
  const levels = Array.from({ length: LEVELS }, (_, level) => {
    const size = SIZE >> level;
    const edge = Math.min(TILE, size);
    const tiles = [];
    for (let top = 0; top < size; top += edge) {
      for (let left = 0; left < size; left += edge) {
        const heights = Uint16Array.from({ length: edge * edge }, (_, at) => {
          const [y, x] = [(top + Math.floor(at / edge)) << level, (left + (at % edge)) << level];
          return 1200 + 800 * Math.sin(x / 310) * Math.cos(y / 170) + 8 * random();
        });
        tiles.push(deflateSync(new Uint8Array(heights.buffer)));
      }
    }
    return { size, edge, tiles };
  });
  // Entries of a directory: tag, type (3 of 16 bits, 4 of 32), values.
  const entries = ({ size, edge, tiles }, level, offsets) => [
    [254, 4, [level ? 1 : 0]], [256, 4, [size]], [257, 4, [size]], [258, 3, [16]], [259, 3, [8]], [262, 3, [1]], [277, 3, [1]],
    [322, 4, [edge]], [323, 4, [edge]], [324, 4, offsets], [325, 4, tiles.map(({ length }) => length)], [339, 3, [1]],
  ];
  const lengthOf = (level) => 2 + 12 * 12 + 4 + (level.tiles.length > 1 ? 8 * level.tiles.length : 0);
  let at = levels.reduce((sum, level) => sum + lengthOf(level), 8);
  const head = Buffer.alloc(at);
  head.write("II*\0", 0, "latin1");
  head.writeUInt32LE(8, 4);
  let directory = 8;
  levels.forEach((level, nth) => {
    const offsets = level.tiles.map(({ length }) => (at += length) - length);
    let beyond = directory + 2 + 12 * 12 + 4;
    head.writeUInt16LE(12, directory);
    entries(level, nth, offsets).forEach(([tag, type, values], entry) => {
      const place = directory + 2 + 12 * entry;
      head.writeUInt16LE(tag, place);
      head.writeUInt16LE(type, place + 2);
      head.writeUInt32LE(values.length, place + 4);
      if (values.length === 1) return type === 3 ? head.writeUInt16LE(values[0], place + 8) : head.writeUInt32LE(values[0], place + 8);
      head.writeUInt32LE(beyond, place + 8);
      for (const value of values) beyond = head.writeUInt32LE(value, beyond);
    });
    directory += lengthOf(level);
    head.writeUInt32LE(nth + 1 < LEVELS ? directory : 0, directory - (level.tiles.length > 1 ? 8 * level.tiles.length : 0) - 4);
  });
  return Buffer.concat([head, ...levels.flatMap(({ tiles }) => tiles)]);
}
