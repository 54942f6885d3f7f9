/**
 * Ids of the cells along an axis: checked against its metadata, read when they are first needed, and looked up. An index
 * of the axis finds cells by their rank, which is the number of cells on the axis with a smaller nested number.
 */
import { cellsOf, decoded, levelOf, MOST_LISTED, SCHEMES, unitOf } from "./cells.js";
import { checkDepth, unsupported } from "./metadata.js";


/** Binary search: the first place from 0 to `count` for which `isBefore` is false. */
function first(count, isBefore) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of an axis: `rank` of a cell, `place` along the axis of a rank, and `cell` at a place. */
class CellIndex {
  isSorted = false;

  /** Place of a cell, or -1. @this {RunIndex | ShuffledIndex | RingIndex} */
  placeOf(cell) {
    const rank = this.rank(cell);
    return this.rank(cell + 1) > rank ? this.place(rank) : -1;
  }

  /**
   * Selection of the cells in rising ranges of nested numbers: a slice where they are neighbours along the axis,
   * otherwise a list that rises.
   *
   * @this {RunIndex | ShuffledIndex | RingIndex}
   */
  select(ranges) {
    /** @type {number[][]} */
    const runs = [];
    for (const [start, stop] of ranges.map((ends) => ends.map((cell) => this.rank(cell)))) {
      if (start < stop && runs.at(-1)?.[1] === start) runs[runs.length - 1][1] = stop;
      else if (start < stop) runs.push([start, stop]);
    }
    const slice = (start, stop) => ({ start, stop, step: null });
    const [[start, stop] = [0, 0]] = runs;
    if (runs.length < 2 && (this.isSorted || stop - start === this.count || stop === 0)) return slice(start, stop);
    const count = runs.reduce((sum, [from, to]) => sum + to - from, 0);
    if (count > MOST_LISTED) throw new RangeError(`${count} cells are more than ${MOST_LISTED}, the most that a list may have; select fewer`);
    const places = new Float64Array(count);
    let at = 0;
    for (const [from, to] of runs) for (let rank = from; rank < to; rank++) places[at++] = this.place(rank);
    if (!this.isSorted) places.sort();
    if (places[count - 1] - places[0] === count - 1) return slice(places[0], places[count - 1] + 1);
    return places[count - 1] < 2 ** 32 ? Uint32Array.from(places) : Array.from(places);
  }
}

/** Index of an axis whose cells rise, held as runs of neighbours. */
class RunIndex extends CellIndex {
  /**
   * @param {ArrayLike<number>} starts first cell of each run
   * @param {ArrayLike<number>} offsets rank of that cell, and at the end the number of all cells
   */
  constructor(starts, offsets) {
    super();
    this.starts = starts;
    this.offsets = offsets;
    this.count = offsets[starts.length];
    this.isSorted = true;
  }

  /** Rank of a cell. */
  rank(cell) {
    const { starts, offsets } = this;
    const run = first(starts.length, (i) => starts[i] <= cell) - 1;
    return run < 0 ? 0 : offsets[run] + Math.min(cell - starts[run], offsets[run + 1] - offsets[run]);
  }

  /** Index along the axis of the cell of a rank. */
  place(rank) {
    return rank;
  }

  /** Cell at an index. */
  cell(index) {
    const run = first(this.starts.length, (i) => this.offsets[i] <= index) - 1;
    return this.starts[run] + index - this.offsets[run];
  }
}

/** Index of an axis whose cells are in no order. */
class ShuffledIndex extends CellIndex {
  /** @param {Float64Array} cells */
  constructor(cells) {
    super();
    this.cells = cells;
    this.count = cells.length;
    this.order = Uint32Array.from(cells.keys()).sort((a, b) => cells[a] - cells[b]);
  }

  rank(cell) {
    return first(this.count, (rank) => this.cells[this.order[rank]] < cell);
  }

  place(rank) {
    return this.order[rank];
  }

  cell(index) {
    return this.cells[index];
  }
}

/** Index of the whole globe along the rings. */
class RingIndex extends CellIndex {
  constructor(level) {
    super();
    this.level = level;
    this.count = cellsOf(level);
  }

  rank(cell) {
    return cell;
  }

  place(rank) {
    return SCHEMES.ring.encode(rank, this.level);
  }

  cell(index) {
    return SCHEMES.ring.decode(index, this.level);
  }
}

/**
 * Index of cells in the order of the axis. `refuse(index, other)` is called where a cell occurs twice.
 *
 * @param {Float64Array} cells
 * @param {(index: number, other: number) => void} refuse
 */
function indexOf(cells, refuse) {
  let [runs, rises] = [cells.length > 0 ? 1 : 0, true];
  for (let i = 1; i < cells.length && rises; i++) {
    rises = cells[i] > cells[i - 1];
    if (cells[i] !== cells[i - 1] + 1) runs++;
  }
  if (!rises) {
    const index = new ShuffledIndex(cells);
    const twice = index.order.findIndex((place, rank) => rank > 0 && cells[place] === cells[index.order[rank - 1]]);
    if (twice >= 0) refuse(index.order[twice - 1], index.order[twice]);
    return index;
  }
  const [starts, offsets] = [new Float64Array(runs), new Float64Array(runs + 1)];
  let run = 0;
  for (let i = 0; i < cells.length; i++) {
    if (i > 0 && cells[i] === cells[i - 1] + 1) continue;
    starts[run] = cells[i];
    offsets[run++] = i;
  }
  offsets[runs] = cells.length;
  return new RunIndex(starts, offsets);
}

/** Index of ids that are listed one by one; `level` is null where they tell it. */
function listed({ scheme, level: known, fault }, data) {
  const level = known ?? checkDepth(data.length > 0 ? levelOf(BigInt(data[0])) : 0);
  const cells = new Float64Array(data.length);
  const isBig = scheme === "zuniq";
  for (let i = 0; i < data.length; i++) {
    try {
      cells[i] = decoded(scheme, isBig ? BigInt(data[i]) : data[i], level);
    } catch ({ message }) {
      if (known === null && Number.isInteger(levelOf(BigInt(data[i])))) throw unsupported("an axis with cells of several levels", `level ${level}, and at index ${i} another one`);
      throw fault(`at index ${i} of the ids: ${message}`);
    }
  }
  const index = indexOf(cells, (first, second) => {
    throw fault(`the ids at indices ${first} and ${second} are both ${data[first]}`);
  });
  return { index, level };
}

/**
 * Index of ids that stand for ranges of cells: pairs of nested numbers of level 29, or cells of zuniq of any level, whose
 * lowest bit reaches from their middle to both ends.
 */
function expanded({ level, compression, size, fault }, data) {
  const ends = BigInt64Array.from({ length: compression === "ranges" ? data.length : 2 * data.length }, (_, i) => {
    if (compression === "ranges") return BigInt(data[i]);
    const id = BigInt(data[i >> 1]);
    return (i % 2 === 0 ? id - unitOf(id) : id + unitOf(id)) >> 1n;
  });
  const cells = Float64Array.from(ends, (end) => Number(end) / 4 ** (29 - level));
  const [starts, offsets] = [new Float64Array(cells.length / 2), new Float64Array(cells.length / 2 + 1)];
  for (let i = 0; i < starts.length; i++) {
    const [before, from, to] = [cells[2 * i - 1] ?? 0, cells[2 * i], cells[2 * i + 1]];
    const isRange = before <= from && from < to && to <= cellsOf(level) && Number.isInteger(from) && Number.isInteger(to);
    if (!isRange) throw fault(`at index ${i} of the ids: no range of cells of level ${level} after those before it`);
    starts[i] = from;
    offsets[i + 1] = offsets[i] + to - from;
  }
  if (offsets[starts.length] !== size) throw fault(`the ids stand for ${offsets[starts.length]} cells on an axis of ${size}`);
  return { index: new RunIndex(starts, offsets), level };
}

/** Reads the ids, if there are any, and returns the index of the axis and the level of its cells. */
export async function readIds(grid, array) {
  const { level, scheme } = grid;
  if (!array) return { index: scheme === "ring" ? new RingIndex(level) : new RunIndex([0], [0, cellsOf(level)]), level };
  const { data } = await array.get(null);
  return grid.compression === "none" ? listed(grid, data) : expanded(grid, data);
}
