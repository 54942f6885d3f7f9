/** The HEALPix grid of an array: cells of points, points of cells, and selections of cells. */
import { authalic } from "./authalic.js";
import { cellOfNested, checkedLevel, decoded, MOST_IDS, MOST_LISTED, SCHEMES } from "./cells.js";
import { cellAround, pointOf, turned } from "./faces.js";
import { checkIds, describe, failure } from "./metadata.js";
import { hasFields } from "../common/options.js";

/** @returns {value is any[]} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** Checks a longitude and a latitude. */
function checkPoint(longitude, latitude) {
  if (Number.isFinite(longitude) && Math.abs(latitude) <= 90) return;
  throw new RangeError(`expected a longitude and a latitude up to 90 degrees, got ${longitude} and ${latitude}`);
}

/** Cells of points, points of cells, and selections of cells. */
class HealpixGrid {
  #authalic;
  #ids;
  #read;
  #reading;

  /**
   * Made by `gridOf`.
   *
   * @param {any} array
   * @param {any} grid description of the grid
   * @param {() => Promise<{ index: any, level: number }>} read reads the ids
   * @param {{ index: any, level: number }} [done] ids that were read
   */
  constructor(array, { level, scheme, ellipsoid, from, dimension, axis, size, coordinate, ids }, read, done) {
    this.array = array;
    this.level = done?.level ?? level;
    this.scheme = scheme;
    this.ellipsoid = ellipsoid;
    this.from = from;
    this.dimension = dimension;
    this.axis = axis;
    this.size = size;
    this.coordinate = coordinate;
    this.#authalic = authalic(ellipsoid.flattening);
    this.#ids = ids;
    this.#read = read;
    this.#reading = done && Promise.resolve(done);
  }

  /** Index of the axis. Ids are read once; a failed read is tried again by the next call. */
  async #index() {
    this.#reading ??= this.#read().catch((error) => {
      this.#reading = undefined;
      throw error;
    });
    const { index } = await this.#reading;
    this.#release();
    return index;
  }

  /** Frees the array of the ids, which is not needed once they are read. */
  #release() {
    this.#ids?.free();
    this.#ids = undefined;
  }

  #encode(nested, level = this.level) {
    return SCHEMES[this.scheme].encode(nested, level);
  }

  #decode(cell, level = this.level) {
    return decoded(this.scheme, cell, level);
  }

  /** Error of a selection of cells. */
  #refusal(reason) {
    return failure("SelectionError", `selection on axis ${this.axis} (${this.dimension}): ${reason}`, { axis: this.axis });
  }

  cellAt(longitude, latitude, level = this.level) {
    checkPoint(longitude, latitude);
    return cellAround(longitude, this.#authalic.to(latitude), 1 << checkedLevel(level), SCHEMES[this.scheme].of);
  }

  centre(cell, level) {
    return this.#pointsOf(cell, level, [[0.5, 0.5]])[0];
  }

  corners(cell, level) {
    const [[middle], ...corners] = this.#pointsOf(cell, level, [[0.5, 0.5], [0, 0], [1, 0], [1, 1], [0, 1]]);
    return corners.map(([longitude, latitude]) => [longitude + 360 * Math.round((middle - longitude) / 360), latitude]);
  }

  /** Points at places in a cell. */
  #pointsOf(cell, level = this.level, places) {
    const n = 2 ** checkedLevel(level);
    return cellOfNested(this.#decode(cell, level), n, (face, column, row) =>
      places.map(([x, y]) => {
        const [longitude, latitude] = pointOf(face, (column + x) / n, (row + y) / n);
        return [longitude, this.#authalic.from(latitude)];
      }),
    );
  }

  parent(cell, level) {
    const count = 4 ** (this.level - checkedLevel(level, this.level));
    return this.#encode(Math.floor(this.#decode(cell) / count), level);
  }

  children(cell, level) {
    const [from, to] = this.#inside(cell, level);
    if (to - from > MOST_LISTED) throw new RangeError(`${to - from} children are more than ${MOST_LISTED}; use within`);
    return Array.from({ length: to - from }, (_, i) => this.#encode(from + i));
  }

  /** Range of nested numbers of the grid's level within a cell of another level. */
  #inside(cell, level) {
    const count = 4 ** (this.level - checkedLevel(level, this.level));
    const from = this.#decode(cell, level) * count;
    return [from, from + count];
  }

  async within(cell, level) {
    const range = this.#inside(cell, level);
    return { [this.dimension]: (await this.#index()).select([range]) };
  }

  async box(bounds) {
    if (!isList(bounds) || bounds.length !== 4) throw new TypeError("expected a box: west, south, east, north");
    const [west, south, east, north] = bounds;
    checkPoint(west, south);
    checkPoint(east, north);
    if (south > north) throw new RangeError(`the box begins at the latitude ${south}, north of its end ${north}`);
    const [{ rangesOf }, index] = await Promise.all([import("./box.js"), this.#index()]);
    const { to } = this.#authalic;
    const width = east < west ? turned(east - west) : Math.min(360, east - west);
    const box = { west: turned(west), width, south: to(south), north: to(north) };
    const ranges = rangesOf(box, this.level, (from, stop) => index.rank(from) < index.rank(stop));
    return { [this.dimension]: index.select(ranges) };
  }

  async indexOf(cell) {
    const nested = this.#decode(cell);
    return (await this.#index()).placeOf(nested);
  }

  async select(cells) {
    const nested = Array.from(isList(cells) ? cells : [cells], (cell) => this.#decode(cell));
    const index = await this.#index();
    const places = nested.map((cell) => {
      const place = index.placeOf(cell);
      if (place < 0) throw this.#refusal(`the array has no cell ${this.#encode(cell)}`);
      return place;
    });
    return { [this.dimension]: isList(cells) ? places : places[0] };
  }

  async cells(selection) {
    const index = await this.#index();
    const wanted = selection?.[this.dimension] ?? {};
    const isSlice = hasFields(wanted) || typeof wanted === "number";
    if ((selection !== undefined && selection !== null && !hasFields(selection)) || !(isSlice || isList(wanted))) {
      throw this.#refusal("expected a plain object, as box and select return it");
    }
    const { start, stop } = wanted;
    const places = isList(wanted) ? wanted : typeof wanted === "number" ? [wanted] : undefined;
    const count = places?.length ?? Math.max(0, Math.min(stop ?? this.size, this.size) - (start ?? 0));
    if (count > MOST_IDS) throw new RangeError(`${count} cells are more than ${MOST_IDS}; ask for those of a selection`);
    const cells = new (this.scheme === "zuniq" ? BigUint64Array : Float64Array)(count);
    for (let i = 0; i < count; i++) {
      const place = places ? places[i] : (start ?? 0) + i;
      if (!(place >= 0 && place < this.size)) throw this.#refusal(`there is no index ${place}`);
      cells[i] = this.#encode(index.cell(place));
    }
    return cells;
  }

  /** @param {Record<string, any>} [query] @param {any} [options] */
  async sel({ cells, ...labels } = {}, options) {
    if (cells === undefined) throw this.#refusal("expected { cells: an id, or a list of ids }");
    const selected = await this.select(cells);
    // Where ids are the labels of the dimension, the array's own look-up finds them.
    const isLabel = this.coordinate?.split("/").pop() === this.dimension;
    const found = await this.array.sel({ ...labels, ...(isLabel ? { [this.dimension]: cells } : selected) }, options);
    if (isLabel || !(this.dimension in found.coordinates)) return found;
    throw this.#refusal("an array of its name holds labels other than the ids; read by get and select");
  }

  free() {
    this.array.free();
    this.#release();
  }
}

if (Symbol.dispose) HealpixGrid.prototype[Symbol.dispose] = HealpixGrid.prototype.free;

/** Completes the description of a grid by the opened array of its ids, and the axis of the cells. */
async function located(grid, array, around) {
  const found = grid.found ?? (grid.coordinate && (await around.find(grid.coordinate)));
  if (grid.coordinate && !found) throw grid.fault(`there is no array ${grid.coordinate} beside ${array.path}`);
  const dimension = grid.dimension ?? found.dimensionNames?.[0] ?? found.name.split("/").pop();
  const axis = array.dimensionNames.indexOf(dimension);
  if (axis < 0) throw failure("SelectionError", `${array.path} has no dimension ${dimension}, along which the cells lie`, { axis: undefined });
  return { ...grid, dimension, axis, size: array.shape[axis], coordinate: found?.path, ids: found && (await around.open(found.name)) };
}

/**
 * Finds the grid of an array by what is around it. The array is freed with the grid, and where none is found.
 *
 * @param {any} array
 * @param {any} around arrays beside it, as `Around` finds them
 * @param {object} [dggs] description by the caller
 */
export async function gridOf(array, around, dggs) {
  const { attrs, shape, path, zarrFormat, dimensionNames = [] } = array;
  const plain = { attrs, shape, path, zarrFormat, dimensionNames };
  let grid;
  try {
    grid = await located(await describe(plain, around, dggs), plain, around);
    checkIds(grid, grid.ids);
    const { ids } = grid;
    const read = async () => (await import("./ids.js")).readIds(grid, ids);
    return new HealpixGrid(array, grid, read, grid.level === null ? await read() : undefined);
  } catch (error) {
    array.free();
    grid?.ids?.free();
    throw error;
  }
}
