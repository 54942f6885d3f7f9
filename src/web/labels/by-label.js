/**
 * Methods that need arrays beside an array: `sel`, a group's `coordinates`, and times of bounds. Their code is loaded
 * at the first call.
 *
 * Each method makes several asynchronous calls on a handle of its own, so that `free()` in between does not break it.
 */

import { SEL, checkOptions, given, hasFields } from "../common/options.js";

/** Adds `sel` to the class of arrays, and makes `decodeTime` of bounds use the attributes of their variable. */
export function labelled(opened) {
  const { decodeTime } = opened.prototype;
  opened.prototype.decodeTime = async function (selection, options) {
    const array = this.hold();
    try {
      const { units, calendar } = array.attrs;
      // Bounds have one axis more than their variable, so at least two.
      const isWhole = array.shape.length < 2 || (units && calendar) || array.timeUnit;
      const { boundsOf } = isWhole ? {} : await import("./coordinates.js");
      const owner = await boundsOf?.(array, options?.signal);
      return await decodeTime.call(array, selection, options, owner?.units, owner?.calendar);
    } finally {
      array.free();
    }
  };
  opened.prototype.sel = async function (query, options) {
    const array = this.hold();
    try {
      checkOptions("sel", options, SEL);
      if (!hasFields(query)) {
        const message = "selection: sel expects a plain object { dimension name: label }; to select by index, use get";
        throw Object.assign(new Error(message), { name: "SelectionError" });
      }
      const { sel } = await import("./sel.js");
      return await sel(array, query, options, { given, hasFields });
    } finally {
      array.free();
    }
  };
  return opened;
}

/** Adds `coordinates` to the class of groups. */
export function coordinated(opened) {
  opened.prototype.coordinates = async function (array) {
    const group = this.hold();
    let held = array;
    try {
      held = array?.hold?.() ?? array;
      const { coordinatesIn } = await import("./coordinates.js");
      return await coordinatesIn(group, held);
    } finally {
      group.free();
      if (held !== array) held.free();
    }
  };
  return opened;
}
