/** Methods that go by what lies beside an array: `sel`, a group's `coordinates`, and times of bounds. Their code loads when it is first needed. */

/** The class of arrays with its `sel`, and with a `decodeTime` that finds what bounds leave out. */
export function labelled(opened) {
  const { decodeTime } = opened.prototype;
  opened.prototype.decodeTime = async function (selection, options) {
    const { units, calendar } = this.attrs;
    // Bounds have an axis more than what they are the bounds of.
    const isWhole = this.shape.length < 2 || (units && calendar) || this.timeUnit;
    const { boundsOf } = isWhole ? {} : await import("./coordinates.js");
    const owner = await boundsOf?.(this, options?.signal);
    return decodeTime.call(this, selection, options, owner?.units, owner?.calendar);
  };
  opened.prototype.sel = async function (query, options) {
    const { sel } = await import("./sel.js");
    return sel(this, query, options);
  };
  return opened;
}

/** The class of groups with its `coordinates`. */
export function coordinated(opened) {
  opened.prototype.coordinates = async function (array) {
    const { coordinatesIn } = await import("./coordinates.js");
    return coordinatesIn(this, array);
  };
  return opened;
}
