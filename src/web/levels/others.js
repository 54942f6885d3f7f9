/** Entries for the axes of an array that are neither rows nor columns, from options of reads. */
import { given, hasFields } from "../common/options.js";

/**
 * Entries by axis. An axis goes by the name of the array's dimension, or by that of the pyramid's axis where the array has no
 * such dimension. A name that only other variables of the pyramid have says nothing of this one.
 *
 * @param {any} array
 * @param {any} levels
 * @param {string} option its name, for messages
 * @param {any} value a list, or an object by name
 * @returns {any[]}
 */
export function othersOf({ shape, dimensionNames = [] }, levels, option, value) {
  const names = levels.axes.map(({ name }) => name);
  if (Array.isArray(value)) return shape.map((_, axis) => value[axis] ?? undefined);
  const fields = hasFields(value) ? new Map(Object.entries(given(value))) : undefined;
  const stranger = [...(fields?.keys() ?? [])].find((name) => !dimensionNames.includes(name) && !names.includes(name));
  if (!fields || stranger !== undefined) {
    const got = fields ? `${JSON.stringify(stranger)}, which neither the array nor the pyramid has` : String(value);
    throw new TypeError(`the option ${option} is a list, or a plain object of whole numbers by dimension name; got ${got}`);
  }
  const other = (axis) => (names.length === shape.length && !dimensionNames.includes(names[axis]) ? names[axis] : undefined);
  return shape.map((_, axis) => fields.get(dimensionNames[axis]) ?? fields.get(other(axis)));
}
