// Labels over images: what finds and draws them is loaded with the first store that may have some.

/** A function to call after anything that is opened or drawn. `given` is what `createOver` takes. */
export function createLabels(given) {
  let over;
  return () => {
    if (given.explorer.catalog?.entries.some(({ path }) => path.includes("labels/"))) over ??= import("./over.js").then(({ createOver }) => createOver(given));
    over?.then((follow) => follow(), () => (over = undefined));
  };
}
