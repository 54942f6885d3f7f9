/** Arrays laid end to end: `RectilinearArray.concat(arrays, axis)`. */
import { freedError } from "./freed.js";

/**
 * The class with its `concat`.
 *
 * @param {any} opened the class
 * @param {new () => { add(array: unknown): void, along(axis: unknown): unknown }} Joining the module's collector of arrays
 */
export function joining(opened, Joining) {
  opened.concat = async (arrays, axis) => {
    const list = Array.isArray(arrays) ? arrays : [];
    if (list.length === 0) throw new TypeError("concat takes a list of opened arrays, at least one, and an axis");
    const stranger = list.findIndex((array) => !(array instanceof opened));
    if (stranger >= 0) throw new TypeError(`concat takes opened arrays, and what is ${stranger} in the list is none; was its open awaited?`);
    const parts = new Joining();
    for (const [nth, array] of list.entries()) {
      try {
        parts.add(array);
      } catch (cause) {
        throw freedError(`array ${nth} of concat was freed; open it again, and free it once it is joined`, { cause });
      }
    }
    return parts.along(axis);
  };
  return opened;
}
