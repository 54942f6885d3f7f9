// Labels over images: what finds and draws them is loaded with the first store that may have some.

const MAY_BE = /(^|\/)labels\/[^/]/;

/** A function to call after anything that is opened or drawn. `given` is what `createOver` takes. */
export function createLabels(given) {
  let over;
  let without; // entries that were looked through and have none
  return () => {
    const { entries = [] } = given.explorer.catalog ?? {};
    if (!over && (entries === without || !entries.some(({ path }) => MAY_BE.test(path)))) return void (without = entries);
    over ??= import("./over.js").then(({ createOver }) => createOver(given));
    over.then((follow) => follow(), () => (over = undefined));
  };
}
