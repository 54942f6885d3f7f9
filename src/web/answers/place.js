/** The place of a series: labels or indices that leave one axis, and the chunks along that axis. */
import { axesOf, axisCalled, refusal } from "./axes.js";
import { byLabel } from "./selected.js";
import { hasFields } from "../common/options.js";

/** Most items of a series. */
const MOST_ITEMS = 2 ** 26;

/** Index of each axis of a place, an axis that stays, and labels of the others. */
async function indicesOf(array, place, { method = "nearest", tolerance, wrap }, signal) {
  if (Array.isArray(place)) return { selection: place, labels: {} };
  if (!hasFields(place)) throw refusal("series: the place is an object of labels by dimension, such as { lat: 52.1, lon: 4.3 }, or a list of indices, with null for the axis that stays");
  const { selection, coordinates } = await byLabel(array, place, { method, tolerance, wrap, isPlace: true }, signal);
  return { selection, labels: coordinates };
}

/** The axis that stays; all others have one index. */
function stayingAxis(axes, along) {
  const kept = axes.filter(({ isDropped }) => !isDropped);
  const long = kept.filter(({ count }) => count !== 1);
  if (along !== undefined && axes.some((axis) => axis.isDropped && axis.name === along)) {
    throw refusal(`series: the place has an index along ${along}, the axis of the series; leave it out`);
  }
  const found = along === undefined ? (long[0] ?? kept[0]) : axisCalled(axes, along, "series: the option along");
  if (!found) throw refusal(`series: the place has an index along each of ${axes.map(({ name }) => name).join(", ")}; leave out the dimension of the series`);
  const others = long.filter((axis) => axis !== found);
  if (others.length > 0) {
    const names = (along === undefined ? long : others).map(({ name }) => name).join(", ");
    throw refusal(`series: the place leaves ${names}; give ${along === undefined ? "all of these but one" : "each of these"} a label or an index`);
  }
  return found;
}

/**
 * Looks up the place of a series.
 *
 * @param {any} array
 * @param {any} place labels by dimension, or a list of indices
 * @param {any} options along which axis, and how labels are looked up
 * @param {AbortSignal} [signal]
 */
export async function placeOf(array, place, { along, ...looking }, signal) {
  const { selection, labels } = await indicesOf(array, place, looking, signal);
  const axes = axesOf(array, selection);
  const axis = stayingAxis(axes, along);
  const { count, name } = axis;
  const first = count > 0 ? axis.at(0) : 0;
  if (!axis.isRun() || !(first >= 0 && first + count <= axis.length)) {
    throw refusal(`series: along ${name}, the place must be a range with step 1 within the axis, as a series shows all of it`);
  }
  if (count > MOST_ITEMS) throw refusal(`series: ${name} has ${count} items, and ${MOST_ITEMS} are the most; give it a range of labels`);
  const at = axes.map((other) => (other === axis ? null : other.at(0)));
  delete labels[name];
  return { axis, first, count, at, labels, chunks: new ChunksAlong(array, axis.axis, first, count) };
}

/** The chunks along one axis within a range of indices, which may be of many lengths. */
class ChunksAlong {
  constructor(array, axis, first, count) {
    const runs = (array.innerChunkGrid ?? array.chunkGrid).runs(axis);
    this.first = first;
    this.stop = first + count;
    // First chunk and first index of each run, and of what comes after all.
    this.runs = [];
    let [chunk, start] = [0, 0];
    for (const { edge, count: own } of runs) {
      this.runs.push({ chunk, start, edge });
      chunk += own;
      start += edge * own;
    }
    this.begin = count > 0 ? this.#chunkAt(first) : 0;
    /** Number of chunks. */
    this.count = count > 0 ? this.#chunkAt(this.stop - 1) - this.begin + 1 : 0;
  }

  /** The last run for which this holds, of runs of which it holds for the first ones. */
  #run(isBefore) {
    let [low, high] = [0, this.runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isBefore(this.runs[middle])) low = middle;
      else high = middle - 1;
    }
    return this.runs[low];
  }

  #chunkAt(index) {
    const { chunk, start, edge } = this.#run((run) => run.start <= index);
    return chunk + Math.floor((index - start) / edge);
  }

  /** Indices of a chunk within the range: the first one, and the one after the last. */
  span(nth) {
    const number = this.begin + nth;
    const { chunk, start, edge } = this.#run((run) => run.chunk <= number);
    const from = start + (number - chunk) * edge;
    return [Math.max(from, this.first), Math.min(from + edge, this.stop)];
  }
}
