/** What goes by labels: `sel`, and a group's `coordinates`. The code for it loads when one of them is called first. */

/** The class of arrays with its `sel`. */
export function labelled(opened) {
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
