/** Selections of one axis as runs of neighbouring indices, in the order that was asked for. */
import { misfit, shown } from "./faults.js";

/** Ends of a slice on an axis, by Python's rules: clipped, and counted from the end where they are negative. */
function resolved({ start, stop, step }, length, axis) {
  const by = step ?? 1;
  for (const [name, bound] of Object.entries({ start, stop, step })) {
    if (bound !== null && bound !== undefined && !Number.isInteger(bound)) throw misfit(axis, `${name} of a slice is an integer or null, got ${shown(bound)}`);
  }
  if (by === 0) throw misfit(axis, "the step of a slice is not 0");
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const clipped = (bound) => Math.min(Math.max(bound < 0 ? bound + length : bound, low), high);
  const from = start == null ? (by > 0 ? low : high) : clipped(start);
  const to = stop == null ? (by > 0 ? high : low) : clipped(stop);
  return { from, by, count: Math.max(0, Math.ceil((to - from) / by)) };
}

/** An index from 0 on. */
function indexOn(index, length, axis, entry) {
  const number = typeof index === "bigint" ? Number(index) : index;
  const place = entry === undefined ? "" : `entry ${entry} of the list: `;
  if (!Number.isInteger(number)) throw misfit(axis, `${place}expected an integer, got ${shown(index)}`);
  if (number < -length || number >= length) throw misfit(axis, `${place}index ${number} is outside the axis of length ${length}`);
  return number < 0 ? number + length : number;
}

/** Joins indices to runs: start and stop of each run in turn. */
function joined(count, indexAt) {
  const ends = [];
  for (let nth = 0; nth < count; nth++) {
    const index = indexAt(nth);
    if (ends.at(-1) === index) ends[ends.length - 1]++;
    else ends.push(index, index + 1);
  }
  return ends;
}

/** Indices that a list of booleans selects. */
function selected(mask, length, axis) {
  if (mask.length !== length) throw misfit(axis, `a list of booleans is as long as the axis, ${length}, got ${mask.length}`);
  const indices = [];
  mask.forEach((isSelected, index) => {
    if (typeof isSelected !== "boolean") throw misfit(axis, `entry ${index} of the list: expected a boolean, got ${shown(isSelected)}`);
    if (isSelected) indices.push(index);
  });
  return indices;
}

/**
 * Runs of a selection: `ends` has start and stop of each run in turn, `count` is the number of indices.
 *
 * @param {any} selection null, an integer, a slice, or a list of integers or booleans
 * @param {number} length
 * @param {number} axis
 * @returns {{ ends: number[], count: number }}
 */
export function runsOf(selection, length, axis) {
  if (selection === null || selection === undefined) return { ends: length > 0 ? [0, length] : [], count: length };
  if (Array.isArray(selection) || (ArrayBuffer.isView(selection) && "length" in selection)) {
    /** @type {any} */
    const list = typeof selection[0] === "boolean" ? selected(selection, length, axis) : selection;
    return { ends: joined(list.length, (nth) => indexOn(list[nth], length, axis, nth)), count: list.length };
  }
  if (typeof selection === "object" && ["start", "stop", "step"].some((end) => end in selection)) {
    const { from, by, count } = resolved(selection, length, axis);
    if (by === 1) return { ends: count > 0 ? [from, from + count] : [], count };
    return { ends: joined(count, (nth) => from + nth * by), count };
  }
  if (typeof selection !== "number" && typeof selection !== "bigint") {
    throw misfit(axis, `expected null, an integer, slice(start, stop) or a list, got ${shown(selection)}`);
  }
  const index = indexOn(selection, length, axis);
  return { ends: [index, index + 1], count: 1 };
}
