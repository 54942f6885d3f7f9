// Writes what is drawn as a NetCDF-3 file: its values, the coordinates of its axes, and the attributes that still hold.
import { slice } from "rectilinear-zarr";
import { GEOGRAPHIC } from "./geotiff.js";
import { arrayOf, numbersAlong, positionsOf } from "./files.js";

const [CHAR, DOUBLE, INT64, UINT64] = [2, 6, 10, 11];
const [DIMENSIONS, VARIABLES, ATTRIBUTES] = [10, 11, 12];
const SIZES = { [CHAR]: 1, [DOUBLE]: 8, [INT64]: 8, [UINT64]: 8 };

/** Attributes of stored items that do not hold for values, and names of variables that the file does not have. */
const LEFT_OUT = /^(_FillValue|missing_value|scale_factor|add_offset|valid_(min|max|range)|_Unsigned|_ARRAY_DIMENSIONS|bounds|climatology|coordinates|grid_mapping|ancillary_variables|cell_measures|formula_terms|dtype)$/;

/** Attributes that hold for an array, and not for what it is less another. */
const OF_ONE = /^(standard_name|cell_methods|title|comment)$/;

/** A name as NetCDF allows it. */
const named = (name) => name.replace(/[^\p{L}\p{N}_.+@-]/gu, "_").replace(/^([^\p{L}\p{N}_])/u, "_$1");

const padded = (length) => Math.ceil(length / 4) * 4;

/** An attribute as `[name, type, value]`, or undefined where NetCDF has no form for it. */
function attribute([name, value]) {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.every((item) => typeof item === "number")) return [named(name), DOUBLE, Float64Array.from(list)];
  if (value === null || value === undefined || value === "") return undefined;
  return [named(name), CHAR, new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))];
}

const attributes = (attrs) => Object.entries(attrs).map(attribute).filter(Boolean);

/** Writes numbers big endian, in counts of four or eight bytes. */
class Writer {
  constructor(isWide) {
    this.isWide = isWide;
    this.bytes = [];
  }

  number(value, size = 4) {
    const view = new DataView(new ArrayBuffer(size));
    if (size === 8) view.setBigUint64(0, BigInt(value));
    else view.setUint32(0, value);
    this.bytes.push(new Uint8Array(view.buffer));
  }

  count(value) {
    this.number(value, this.isWide ? 8 : 4);
  }

  padded(bytes) {
    const whole = new Uint8Array(padded(bytes.length));
    whole.set(bytes);
    this.bytes.push(whole);
  }

  name(text) {
    const bytes = new TextEncoder().encode(text);
    this.count(bytes.length);
    this.padded(bytes);
  }

  list(tag, items, write) {
    this.number(items.length ? tag : 0);
    this.count(items.length);
    items.forEach(write);
  }

  attributes(list) {
    this.list(ATTRIBUTES, list, ([name, type, value]) => {
      this.name(name);
      this.number(type);
      this.count(value.length);
      this.padded(bigEndian(type, value));
    });
  }
}

/** Bytes of values, big endian. */
function bigEndian(type, values) {
  if (type === CHAR) return values;
  const view = new DataView(new ArrayBuffer(values.length * 8));
  values.forEach((value, i) => (type === DOUBLE ? view.setFloat64(i * 8, value) : view.setBigUint64(i * 8, value))); // of negative ones, the same bits
  return new Uint8Array(view.buffer);
}

/** Bytes of a file: `dimensions` are `[name, length]`, each variable `{ name, dimensions, type, values, attrs, nothing }`, with the indices of its dimensions, and in a list what stands for no data. */
export function netcdfFile(dimensions, variables, attrs) {
  // Whole numbers of 64 bits are in version 5 alone; version 2 is read by more.
  const isWide = variables.some(({ type }) => type === INT64 || type === UINT64);
  const headOf = (places) => {
    const writer = new Writer(isWide);
    writer.bytes.push(Uint8Array.of(0x43, 0x44, 0x46, isWide ? 5 : 2));
    writer.count(0);
    writer.list(DIMENSIONS, dimensions, ([name, length]) => {
      writer.name(name);
      writer.count(length);
    });
    writer.attributes(attributes(attrs));
    writer.list(VARIABLES, variables, ({ name, dimensions: own, type, values, attrs: its, nothing }, nth) => {
      writer.name(name);
      writer.count(own.length);
      own.forEach((dimension) => writer.count(dimension));
      writer.attributes(nothing ? [...attributes(its), ["_FillValue", type, nothing]] : attributes(its));
      writer.number(type);
      writer.count(padded(values.length * SIZES[type]));
      writer.number(places[nth], 8);
    });
    return writer.bytes;
  };
  const length = headOf(variables.map(() => 0)).reduce((sum, bytes) => sum + bytes.length, 0);
  let at = length;
  const places = variables.map(({ type, values }) => {
    const here = at;
    at += padded(values.length * SIZES[type]);
    return here;
  });
  const content = variables.map(({ type, values }) => {
    const writer = new Writer(isWide);
    writer.padded(bigEndian(type, values));
    return writer.bytes[0];
  });
  return new Blob([...headOf(places), ...content]);
}

/** Texts as letters of one length. */
function letters(texts) {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const longest = Math.max(1, ...encoded.map(({ length }) => length));
  const values = new Uint8Array(longest * texts.length);
  encoded.forEach((bytes, i) => values.set(bytes, i * longest));
  return { longest, values };
}

/** The numbers that an array of times stores, with its units and calendar, or milliseconds where those are its type's. */
async function timesOf(catalog, { path, values, attrs }) {
  const since = /\ssince\s/i.test(attrs.units ?? "") && path !== undefined;
  if (!since) return { all: values, attrs: { units: "milliseconds since 1970-01-01", calendar: "standard" } };
  const array = await catalog.open(path);
  try {
    const { data } = await array.get(null, { decode: "cf" });
    return { all: Array.from(data, Number), attrs };
  } finally {
    array.free();
  }
}

/** The coordinate of an axis at some positions: `{ values, attrs }` of numbers or texts; undefined where the axis has none, and all of it is there. */
async function coordinateAt(catalog, dataset, axis, positions, ground) {
  const { coordinate, name, size } = dataset.axes[axis];
  if (!coordinate && ground) return { values: ground, attrs: groundAttrs(dataset, axis) };
  if (!coordinate) return positions.length === size ? undefined : { values: positions, attrs: { long_name: `position along ${name}` } };
  const { all, attrs } = coordinate.labels ? await timesOf(catalog, coordinate) : { all: coordinate.values, attrs: coordinate.attrs ?? {} };
  return { values: positions.map((at) => all[at]), attrs };
}

/** What CF says of the x or y of a projected grid, or of degrees. */
function groundAttrs({ georeference, system, usual }, axis) {
  const isAcross = axis === usual.at(-1);
  const { code } = (georeference ?? system).crs ?? {};
  if (!code) return {};
  if (GEOGRAPHIC.includes(Number(code.split(":")[1]))) return isAcross ? { standard_name: "longitude", units: "degrees_east" } : { standard_name: "latitude", units: "degrees_north" };
  return { standard_name: `projection_${isAcross ? "x" : "y"}_coordinate` };
}

/** Latitudes and longitudes that cells along the drawn axes have of their own: `[{ name, axes, values, attrs }]`, along the axes in the order in which they are stored. */
async function placesOf({ dataset, plane, catalog }, drawn) {
  const { pair } = dataset.system ?? {};
  const own = pair?.axes.map((axis) => drawn.find((one) => one.axis === axis));
  const isRead = own && !own.includes(undefined) && !plane.source?.level && pair.lat.shape.length === 2;
  if (!isRead) return [];
  return Promise.all([pair.lat, pair.lon].map(async ({ path }) => {
    const array = await catalog.open(path);
    try {
      const selection = own.map((one) => positionsOf(one)).map((at) => slice(at[0], at.at(-1) + 1, at.length > 1 ? at[1] - at[0] : 1));
      const { data } = await array.get(selection, { decode: "cf", as: "float64" });
      return { name: path.split("/").at(-1), axes: pair.axes, values: data, attrs: array.attrs };
    } finally {
      array.free();
    }
  }));
}

/** The variable that says the system of a projected grid: `{ name, attrs }`; undefined where nothing does. */
function mappingOf({ georeference, system }) {
  const { crs, mapping, name } = { ...georeference, ...system };
  if (mapping) return { name, attrs: mapping };
  const { code, wkt, projjson } = crs ?? {};
  const words = wkt ?? code ?? (projjson && JSON.stringify(projjson));
  return words && { name: "spatial_ref", attrs: { spatial_ref: words, ...(wkt && { crs_wkt: wkt }) } };
}

/** Bytes of a NetCDF file of what is drawn: a plane, a line or one value, with the steps along the other axes as scalars. */
export async function netcdfOf({ dataset, plane, catalog, against }, values, about) {
  const drawn = plane.taken ?? plane.shown;
  const dimensions = [];
  const variables = [];
  const add = (axis, found, own) => {
    if (!found) return;
    const name = named(dataset.axes[axis].name);
    const attrs = Object.fromEntries(Object.entries(found.attrs).filter(([key]) => !LEFT_OUT.test(key)));
    if (typeof found.values[0] !== "string") return variables.push({ name, dimensions: own, type: DOUBLE, values: Float64Array.from(found.values, Number), attrs });
    const { longest, values: text } = letters(found.values);
    dimensions.push([`${name}_letters`, longest]);
    return variables.push({ name, dimensions: [...own, dimensions.length - 1], type: CHAR, values: text, attrs });
  };
  drawn.forEach(({ axis, count }) => dimensions.push([named(dataset.axes[axis].name), count]));
  for (const [nth, one] of drawn.entries()) {
    add(one.axis, await coordinateAt(catalog, dataset, one.axis, positionsOf(one), numbersAlong(dataset, one, plane.source?.level)), [nth]);
  }
  const isPlaced = drawn.length === 2 && dataset.usual.slice(-2).every((axis) => drawn.some((one) => one.axis === axis));
  const places = isPlaced ? await placesOf({ dataset, plane, catalog }, drawn) : [];
  for (const { name, axes, values: own, attrs } of places) {
    const kept = Object.fromEntries(Object.entries(attrs).filter(([key]) => !LEFT_OUT.test(key)));
    variables.push({ name: named(name), dimensions: axes.map((axis) => drawn.findIndex((one) => one.axis === axis)), type: DOUBLE, values: own, attrs: kept, nothing: Float64Array.of(NaN) });
  }
  const scalars = dataset.axes.map((_, axis) => axis).filter((axis) => !drawn.some((one) => one.axis === axis));
  for (const axis of scalars) add(axis, await coordinateAt(catalog, dataset, axis, [plane.index[axis]]), []);
  const kept = Object.entries(dataset.attrs).filter(([key]) => !LEFT_OUT.test(key) && !(against && OF_ONE.test(key)));
  const attrs = { ...Object.fromEntries(kept), ...(against && { long_name: against.heading }) };
  const others = variables.filter(({ name, dimensions: own }) => places.some((place) => named(place.name) === name) || own.length === 0 || (own.length === 1 && own[0] >= drawn.length)).map(({ name }) => name);
  if (others.length) attrs.coordinates = others.join(" ");
  const system = isPlaced && !dataset.stored ? mappingOf(dataset) : undefined;
  if (system) {
    attrs.grid_mapping = named(system.name);
    variables.push({ name: attrs.grid_mapping, dimensions: [], type: DOUBLE, values: Float64Array.of(0), attrs: Object.fromEntries(Object.entries(system.attrs).filter(([key]) => !LEFT_OUT.test(key))) });
  }
  const own = named(against ? `${dataset.name}_less_${against.name}` : dataset.name);
  const taken = variables.some(({ name }) => name === own);
  const { data, nothing } = arrayOf(values);
  const type = data instanceof Float64Array ? DOUBLE : data instanceof BigUint64Array ? UINT64 : INT64;
  const name = `${own}${taken ? "_values" : ""}`;
  variables.push({ name, dimensions: drawn.map((_, nth) => nth), type, values: data, attrs, nothing: type === DOUBLE ? Float64Array.of(NaN) : nothing === undefined ? undefined : data.constructor.of(nothing) });
  return netcdfFile(dimensions, variables, about);
}
