/** Concatenation of arrays: `RectilinearArray.concat(arrays, axis)`. */
import { freedError } from "./freed.js";

/**
 * Adds `concat` to a class.
 *
 * @param {any} opened the class
 * @param {new () => { add(array: unknown): void, along(axis: unknown): Promise<unknown>, free(): void }} Joining the module's collector of arrays
 */
export function joining(opened, Joining) {
  opened.concat = async (arrays, axis) => {
    const list = Array.isArray(arrays) ? arrays : [];
    if (list.length === 0) throw new TypeError("concat expects a list of at least one opened array, and an axis");
    const stranger = list.findIndex((array) => !(array instanceof opened));
    if (stranger >= 0) throw new TypeError(`concat expects opened arrays, and item ${stranger} of the list is not one; was its open awaited?`);
    const parts = new Joining();
    list.forEach((array, nth) => {
      try {
        parts.add(array);
      } catch (cause) {
        parts.free();
        throw freedError(`array ${nth} of concat was freed; open it again, and free it after concat`, { cause });
      }
    });
    return parts.along(axis);
  };
  return opened;
}
