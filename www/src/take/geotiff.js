// Writes a map as a GeoTIFF: one band of numbers, north up, with its place on the Earth.
import { unitOf } from "../earth/cf.js";
import { arrayOf, numbersAlong } from "./files.js";

const EVEN = 1e-3; // of a step that cells may be off
const TAGS = { width: 256, height: 257, bits: 258, compression: 259, photometric: 262, description: 270, strips: 273, samples: 277, rows: 278, counts: 279, planar: 284, format: 339, scale: 33550, tie: 33922, keys: 34735, nodata: 42113 };
const SAMPLES = { BigUint64Array: 1, BigInt64Array: 2, Float32Array: 3, Float64Array: 3 }; // forms of numbers, as TIFF has them
const [ASCII, SHORT, LONG, DOUBLE] = [2, 3, 4, 12];
const SIZES = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 };
/** Codes of systems whose coordinates are degrees. */
export const GEOGRAPHIC = [4258, 4269, 4283, 4326, 4490, 4617, 4674, 4979];

/** The first place and the step of places that are evenly apart, else undefined. */
function evenly(list = []) {
  if (list.length < 2) return undefined;
  const step = (list.at(-1) - list[0]) / (list.length - 1);
  return step !== 0 && list.every((place, i) => Math.abs(place - list[0] - i * step) <= Math.abs(step) * EVEN) ? { from: list[0], step } : undefined;
}

/** The code of the system that a map's places are in: that which the data states, or 4326 for latitudes and longitudes. */
function codeOf(dataset, [down, across]) {
  const { crs } = dataset.georeference ?? dataset.system ?? {};
  const stated = /^EPSG:(\d+)$/i.exec(crs?.code ?? "");
  if (stated) return Number(stated[1]);
  return dataset.axes[down.axis].kind === "lat" && dataset.axes[across.axis].kind === "lon" ? 4326 : undefined;
}

/** Factor from the numbers along an axis to metres or degrees. */
const inUnits = ({ axes }, { axis }) => unitOf(axes[axis].coordinate?.attrs.units);

/** Rows of a map from north to south, columns from west to east, and their even steps; undefined for what a GeoTIFF cannot place. */
export function gridOf(dataset, plane) {
  const drawn = plane.taken ?? plane.shown;
  if (drawn.length !== 2 || dataset.usual.slice(-2).some((axis, i) => axis !== drawn[i].axis)) return undefined;
  const code = codeOf(dataset, drawn);
  if (code === undefined) return undefined;
  const [ys, xs] = drawn.map((one) => evenly(numbersAlong(dataset, one, plane.source?.level)?.map((place) => place * inUnits(dataset, one))));
  if (!ys || !xs) return undefined;
  return { ys, xs, code, height: drawn[0].count, width: drawn[1].count };
}

/** Bytes of one entry of the directory, and its values that are too long for it. */
const entryOf = ([tag, type, values]) => ({ tag, type, count: values.length, values, bytes: values.length * SIZES[type] });

/** Bytes of a GeoTIFF of a map's values; of a map that `gridOf` places. */
export function geotiffOf(dataset, plane, values, description) {
  const { ys, xs, code, height, width } = gridOf(dataset, plane);
  const isSingle = /^(float32|float16|bfloat16|u?int8|u?int16|bool)$/.test(dataset.dtype) && !dataset.decoder.isPacked && !plane.join; // differences of two are float64
  const { data: own, nothing } = arrayOf(values);
  const Numbers = isSingle ? Float32Array : own.constructor;
  const [turnRows, turnColumns] = [ys.step > 0, xs.step < 0];
  const data = new Numbers(width * height);
  for (let row = 0; row < height; row++) {
    const from = (turnRows ? height - 1 - row : row) * width;
    for (let column = 0; column < width; column++) data[row * width + column] = own[from + (turnColumns ? width - 1 - column : column)];
  }
  const [high, wide] = [Math.abs(ys.step), Math.abs(xs.step)];
  const top = (turnRows ? ys.from + (height - 1) * ys.step : ys.from) + high / 2;
  const left = (turnColumns ? xs.from + (width - 1) * xs.step : xs.from) - wide / 2;
  const text = (words) => [...new TextEncoder().encode(words), 0];
  const isGeographic = GEOGRAPHIC.includes(code);
  const keys = [1, 1, 0, 3, 1024, 0, 1, isGeographic ? 2 : 1, 1025, 0, 1, 1, isGeographic ? 2048 : 3072, 0, 1, code];
  const entries = [
    [TAGS.width, LONG, [width]], [TAGS.height, LONG, [height]], [TAGS.bits, SHORT, [8 * Numbers.BYTES_PER_ELEMENT]], [TAGS.compression, SHORT, [1]],
    [TAGS.photometric, SHORT, [1]], [TAGS.description, ASCII, text(description)], [TAGS.strips, LONG, [0]], [TAGS.samples, SHORT, [1]],
    [TAGS.rows, LONG, [height]], [TAGS.counts, LONG, [data.byteLength]], [TAGS.planar, SHORT, [1]], [TAGS.format, SHORT, [SAMPLES[Numbers.name]]],
    [TAGS.scale, DOUBLE, [wide, high, 0]], [TAGS.tie, DOUBLE, [0, 0, 0, left, top, 0]], [TAGS.keys, SHORT, keys],
    ...(own instanceof Float64Array || nothing !== undefined ? [[TAGS.nodata, ASCII, text(String(nothing ?? "nan"))]] : []),
  ].map(entryOf);
  const begin = 8 + 2 + 12 * entries.length + 4;
  let end = begin;
  for (const entry of entries.filter(({ bytes }) => bytes > 4)) {
    entry.at = end;
    end += entry.bytes + (entry.bytes % 2);
  }
  end = Math.ceil(end / 8) * 8;
  entries.find(({ tag }) => tag === TAGS.strips).values = [end];
  const head = new DataView(new ArrayBuffer(end));
  const put = { [ASCII]: (at, value) => head.setUint8(at, value), [SHORT]: (at, value) => head.setUint16(at, value, true), [LONG]: (at, value) => head.setUint32(at, value, true), [DOUBLE]: (at, value) => head.setFloat64(at, value, true) };
  [0x49, 0x49, 42, 0, 8, 0, 0, 0].forEach((byte, i) => head.setUint8(i, byte)); // little endian, the directory follows
  head.setUint16(8, entries.length, true);
  entries.forEach(({ tag, type, count, values: own, at }, nth) => {
    const place = 10 + 12 * nth;
    head.setUint16(place, tag, true);
    head.setUint16(place + 2, type, true);
    head.setUint32(place + 4, count, true);
    if (at) head.setUint32(place + 8, at, true);
    own.forEach((value, i) => put[type]((at ?? place + 8) + i * SIZES[type], value));
  });
  return new Blob([head, data]);
}
