/** What a console, a text and JSON show of opened objects, in place of an address in WebAssembly's memory. */

/** The most runs of chunks that are shown of an axis. */
const MOST_RUNS = 8;

/** Chunk lengths along an axis, for people: a number, or a text where they differ. */
function chunksAlong(runs) {
  if (runs.length === 1) return runs[0].edge;
  const shown = runs.slice(0, MOST_RUNS).map(({ edge, count }) => (count > 1 ? `${count} x ${edge}` : edge));
  return `${shown.join(", ")}${runs.length > MOST_RUNS ? ", …" : ""}`;
}

/** What is shown of the objects of each class. */
const SHOWN = {
  RectilinearArray: ({ path, zarrFormat, dtype, shape, dimensionNames, chunkGrid }) => {
    const chunks = shape.map((_, axis) => chunksAlong(chunkGrid.runs(axis)));
    return { path, zarrFormat, dtype, shape, ...(dimensionNames && { dimensionNames }), chunks };
  },
  // Attributes may hold bigints, which JSON does not take, and may be long.
  Group: ({ path, zarrFormat, attrs }) => ({ path, zarrFormat, attributes: Object.keys(attrs) }),
  ChunkGrid: ({ shape, isRegular }) => ({ shape, isRegular }),
};

/** How an object of each class is made. */
const MADE = { ChunkGrid: "array.chunkGrid" };

/** Makes consoles show a class by its name and its properties. */
export function shownInConsoles(opened, name) {
  const own = { configurable: true, writable: true };
  const shown = (object, text) => {
    try {
      return `${name} ${text(SHOWN[name](object))}`;
    } catch (error) {
      // A console shows what was freed too.
      return `${name} (${error.name === "FreedError" ? "freed" : error.message})`;
    }
  };
  Object.defineProperties(opened.prototype, {
    [Symbol.toStringTag]: { ...own, value: name },
    toJSON: { ...own, value() { return SHOWN[name](this); } },
    toString: { ...own, value() { return shown(this, JSON.stringify); } },
    // Node's consoles and its error messages.
    [Symbol.for("nodejs.util.inspect.custom")]: { ...own, value(_, options, inspect) { return shown(this, (fields) => inspect(fields, options)); } },
    // Each object's address becomes a property that is not listed. An object of `new` has none.
    __wbg_ptr: {
      configurable: true,
      get() { throw new TypeError(`a ${name} is not made by new: use ${MADE[name] ?? `await ${name}.open(source)`}`); },
      set(value) { Object.defineProperty(this, "__wbg_ptr", { ...own, value }); },
    },
  });
}
