/** Concatenation of arrays: `RectilinearArray.concat(arrays, axis)`. */
import { freedError } from "./freed.js";
import { whole } from "./parts.js";

/**
 * Adds `concat` to a class.
 *
 * @param {any} opened the class
 * @param {new () => { add(array: unknown): void, along(axis: unknown): unknown }} Joining the module's collector of arrays
 */
export function joining(opened, Joining) {
  opened.concat = async (arrays, axis) => {
    const list = Array.isArray(arrays) ? arrays : [];
    if (list.length === 0) throw new TypeError("concat expects a list of at least one opened array, and an axis");
    const stranger = list.findIndex((array) => !(array instanceof opened));
    if (stranger >= 0) throw new TypeError(`concat expects opened arrays, and item ${stranger} of the list is not one; was its open awaited?`);
    // The caller may free the arrays while the code of joined arrays is still to come.
    const held = list.map((array, nth) => {
      try {
        return array.hold();
      } catch (cause) {
        throw freedError(`array ${nth} of concat was freed; open it again, and free it after concat`, { cause });
      }
    });
    try {
      await whole();
      const parts = new Joining();
      for (const array of held) parts.add(array);
      return parts.along(axis);
    } finally {
      for (const array of held) array.free();
    }
  };
  return opened;
}
