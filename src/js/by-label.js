/**
 * What goes by labels: `sel`, and a group's `coordinates`. The code for it loads when one of them is called first.
 *
 * Both are several calls one after the other, so they work on handles of their own: `free()` in between changes nothing.
 */

/** The class of arrays with its `sel`. */
export function labelled(opened) {
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
