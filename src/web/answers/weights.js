/** Weights of an answer: areas of cells on the Earth, cosines of latitudes, or numbers. */
import { along, given, refusal, sizeAlong } from "./axes.js";
import { edgesAround } from "./cell-edges.js";
import { labelsAlong } from "../labels/coordinates.js";

const RADIANS = Math.PI / 180;

/** What makes a coordinate one of latitudes, of longitudes, or of a projection, by the CF conventions, or by its name. */
const KINDS = {
  latitude: { units: /^degrees?_?n(orth)?$/i, standard: "latitude", names: /^(lat|latitude|y_lat|nav_lat)$/i },
  x: { standard: "projection_x_coordinate", names: /^(x|xc|easting|rlon)$/i },
  y: { standard: "projection_y_coordinate", names: /^(y|yc|northing|rlat)$/i },
  longitude: { units: /^degrees?_?e(ast)?$/i, standard: "longitude", names: /^(lon|long|longitude|x_lon|nav_lon)$/i },
};

/** Whether a coordinate of these attributes and this name is one of a kind. */
export function isOfKind(attrs, name, kind) {
  const { units, standard, names } = KINDS[kind];
  return units?.test(attrs.units ?? "") || attrs.standard_name === standard || names.test(name);
}

/** Coordinate of the axis of this kind; undefined without one. */
export async function coordinateOf(array, axes, kind) {
  for (const axis of axes) {
    if (array.shape[axis.axis] === 0) continue;
    const found = await labelsAlong(array, axis.axis);
    if (found?.kind !== "number") continue;
    if (isOfKind(found.array.attrs, axis.name, kind)) return { axis, found };
  }
  return undefined;
}

/** Lower and upper bound of each cell along a coordinate: its CF bounds, else edges between the centres. */
export async function boundsOf({ found: { array, keys } }, signal) {
  const name = array.attrs.bounds;
  if (typeof name === "string") {
    const bounds = await array.openBeside(name, 0).catch(() => undefined);
    if (bounds?.shape.length === 2 && bounds.shape[0] === keys.length && bounds.shape[1] === 2) {
      const { data } = await bounds.get(null, { decode: "cf", signal });
      return (index) => [Number(data[2 * index]), Number(data[2 * index + 1])];
    }
  }
  const edges = edgesAround(Float64Array.from(/** @type {any} */ (keys), Number));
  return (index) => [edges[index], edges[index + 1]];
}

const clipped = (latitude) => Math.min(Math.max(latitude, -90), 90);

/** Name of the variable with the areas of an array's cells, by CF's `cell_measures`. */
const areasOf = ({ attrs }) => (typeof attrs.cell_measures === "string" ? /\barea:\s*(\S+)/.exec(attrs.cell_measures)?.[1] : undefined);

/** Areas of cells that are stored beside an array; undefined where none are. */
export async function storedAreas(array, signal) {
  const name = areasOf(array);
  const stored = name === undefined ? undefined : await array.openBeside(name, 0).catch(() => undefined);
  return stored && given(stored, `the areas ${name}`, undefined, { signal });
}

/** Areas of cells: of `cell_measures` where they are stored, else from bounds or centres of latitudes and longitudes. */
export async function areas(array, axes, signal) {
  const stored = await storedAreas(array, signal);
  if (stored) return stored;
  const latitudes = await coordinateOf(array, axes, "latitude");
  if (!latitudes) {
    throw refusal('the weights "area" need an axis of latitudes (units degrees_north, or a name such as lat), or cell_measures with an area; pass the areas as an array');
  }
  const longitudes = await coordinateOf(array, axes, "longitude");
  const heights = await boundsOf(latitudes, signal);
  const height = (index) => {
    const [low, high] = heights(index).map((latitude) => Math.sin(clipped(latitude) * RADIANS));
    return Math.abs(high - low);
  };
  const rows = Float64Array.from({ length: latitudes.axis.length }, (_, index) => height(index));
  if (!longitudes) return { data: rows, shape: [rows.length], dimensions: [latitudes.axis.name] };
  const widths = await boundsOf(longitudes, signal);
  const columns = Float64Array.from({ length: longitudes.axis.length }, (_, index) => Math.abs(widths(index)[1] - widths(index)[0]));
  // One weight a row says as much where all columns are as wide, but for the digits of stored coordinates.
  if (columns.every((width) => Math.abs(width / columns[0] - 1) < 1e-4)) return { data: rows, shape: [rows.length], dimensions: [latitudes.axis.name] };
  const data = new Float64Array(rows.length * columns.length);
  rows.forEach((row, y) => columns.forEach((column, x) => (data[y * columns.length + x] = row * column)));
  return { data, shape: [rows.length, columns.length], dimensions: [latitudes.axis.name, longitudes.axis.name] };
}

async function cosines(array, axes) {
  const latitudes = await coordinateOf(array, axes, "latitude");
  if (!latitudes) throw refusal('the weights "cos" need an axis of latitudes: units degrees_north, or a name such as lat');
  const data = Float64Array.from(/** @type {any} */ (latitudes.found.keys), (latitude) => Math.cos(clipped(Number(latitude)) * RADIANS));
  return { data, shape: [data.length], dimensions: [latitudes.axis.name] };
}

/**
 * Weights by the option `weights`: `"area"`, `"cos"`, or numbers along some of the array's dimensions.
 *
 * @returns {Promise<{ strides: number[], of: Float64Array } | undefined>}
 */
export async function weightsBy(array, axes, weights, signal) {
  if (weights === undefined || weights === null) return undefined;
  const what = "the weights";
  if (typeof weights === "string" && weights !== "area" && weights !== "cos") throw refusal(`${what} are "area", "cos" or an array, not ${JSON.stringify(weights)}`);
  const fitting = axes.filter(({ count, length, isDropped }) => !isDropped && (count === weights.length || length === weights.length));
  const byDefault = fitting.length === 1 ? [fitting[0].name] : undefined;
  const values = weights === "area" ? await areas(array, axes, signal) : weights === "cos" ? await cosines(array, axes) : await given(weights, what, byDefault, { signal });
  const of = new Float64Array(sizeAlong(axes, values.dimensions));
  const { strides } = along(axes, values, what, (place, value) => {
    of[place] = Number(value);
    if (!Number.isFinite(of[place])) {
      throw refusal(`${what} must be finite numbers, and item ${place} along ${values.dimensions.join(", ")} is ${value}; replace missing weights by 0`);
    }
  });
  return { strides, of };
}
