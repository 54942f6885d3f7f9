/** Compares zarrita's reads of a regular store with the oracle's index. Runs in pages. */

import { toSelection } from "./compare.mjs";
import { crc32 } from "./crc32.mjs";
import { bytesOf, className } from "./dtypes.mjs";
import { spelled } from "./elements.mjs";

/**
 * Results of zarrita in one form: it gives a scalar where every axis is an integer, and arrays of its own for bool and
 * for items of several elements.
 */
function answer(found) {
  const isScalar = found === null || typeof found !== "object" || !("data" in found);
  const { data, shape } = isScalar ? { data: [found], shape: [] } : found;
  if (data.elements) return { data: data.elements, shape };
  return { data: ArrayBuffer.isView(data) || Array.isArray(data) ? data : [...data], shape };
}

/** Data as a typed array, from which bytes are taken. */
function typed(data, dtype) {
  const number = (value) => (typeof value === "boolean" ? Number(value) : value);
  return ArrayBuffer.isView(data) ? data : globalThis[className(dtype)].from(data, number);
}

/** Whether zarrita supports a selection: it has neither negative steps nor empty results. */
const isZarritas = ({ selection, shape }) => !shape.includes(0) && selection.every((part) => !((part?.slice?.[2] ?? 1) < 0));

/** Reads an array with zarrita, whole and by the index's selections; returns the differences as sentences. */
export async function compareRegular(zarr, array, entry) {
  const failures = [];
  const expect = (what, got, expected) => {
    const [a, b] = [got, expected].map((value) => JSON.stringify(value));
    if (a !== b) failures.push(`${what}: got ${a}, expected ${b}`);
  };
  expect("shape", array.shape, entry.shape);
  if (entry.shape.includes(0)) return failures;
  const rank = entry.shape.length;
  const whole = { selection: [], shape: entry.shape, crc32: entry.crc32 };
  const asked = [whole, ...entry.selections].filter(isZarritas);
  for (const { selection, shape, crc32: checksum } of asked) {
    const what = `zarr.get(${JSON.stringify(selection)})`;
    const full = [...toSelection(selection), ...new Array(rank - selection.length).fill(null)];
    const found = answer(await zarr.get(array, rank === 0 ? null : full));
    expect(`${what} shape`, found.shape, shape);
    // A NaN may lose its payload as a number.
    if (found.shape.length === 0 && Number.isNaN(found.data[0])) continue;
    if (entry.values) {
      if (selection.length === 0) expect(what, Array.from(found.data, spelled), entry.values);
      continue;
    }
    expect(what, crc32(bytesOf(typed(found.data, entry.dtype), entry.dtype)), checksum);
  }
  return failures;
}
