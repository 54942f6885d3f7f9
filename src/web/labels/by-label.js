/**
 * Methods that go by what lies beside an array: `sel`, a group's `coordinates`, and times of bounds. Their code loads when
 * it is first needed.
 *
 * Each is several calls one after the other, so it works on a handle of its own: `free()` in between changes nothing.
 */

/** The class of arrays with its `sel`, and with a `decodeTime` that finds what bounds leave out. */
export function labelled(opened) {
  const { decodeTime } = opened.prototype;
  opened.prototype.decodeTime = async function (selection, options) {
    const array = this.hold();
    try {
      const { units, calendar } = array.attrs;
      // Bounds have an axis more than what they are the bounds of.
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
      const { sel } = await import("./sel.js");
      return await sel(array, query, options);
    } finally {
      array.free();
    }
  };
  return opened;
}

/** The class of groups with its `coordinates`. */
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
