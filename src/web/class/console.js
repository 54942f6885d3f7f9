/** What a console, a text and JSON show of opened objects, in place of an address in WebAssembly's memory. */

/**
 * Makes consoles show a class by its name and its properties.
 *
 * @param {any} opened the class
 * @param {string} name its name, which a minifier may change in the class itself
 * @param {(object: any) => object} fields gives what is shown of an object
 * @param {string} [made] how an object is made
 */
export function shownInConsoles(opened, name, fields, made = `await ${name}.open(source)`) {
  const shown = (object, text) => {
    try {
      return `${name} ${text(fields(object))}`;
    } catch (error) {
      // A console shows what was freed too.
      return `${name} (${error.name === "FreedError" ? "freed" : error.message})`;
    }
  };
  const methods = {
    toJSON() { return fields(this); },
    toString() { return shown(this, JSON.stringify); },
    // Node's consoles and its error messages.
    [Symbol.for("nodejs.util.inspect.custom")](_, options, inspect) { return shown(this, (fields) => inspect(fields, options)); },
    [Symbol.toStringTag]: name,
  };
  const hidden = (value) => ({ value, configurable: true, writable: true });
  for (const key of Reflect.ownKeys(methods)) Object.defineProperty(opened.prototype, key, hidden(methods[key]));
  // Each object's address becomes a property that is not listed. An object of `new` has none.
  Object.defineProperty(opened.prototype, "__wbg_ptr", {
    configurable: true,
    get() { throw new TypeError(`a ${name} is not made by new: use ${made}`); },
    set(value) { Object.defineProperty(this, "__wbg_ptr", hidden(value)); },
  });
}

/** The most runs of chunks that are shown of an axis. */
const MOST_RUNS = 8;

/** Chunk lengths along an axis, for people: a number, or a text where they differ. */
function chunksAlong(runs) {
  if (runs.length === 1) return runs[0].edge;
  const shown = runs.slice(0, MOST_RUNS).map(({ edge, count }) => (count > 1 ? `${count} x ${edge}` : edge));
  return `${shown.join(", ")}${runs.length > MOST_RUNS ? ", …" : ""}`;
}

/** What is shown of an array. */
export function ofArray({ path, zarrFormat, dtype, shape, dimensionNames, chunkGrid }) {
  const chunks = shape.map((_, axis) => chunksAlong(chunkGrid.runs(axis)));
  return { path, zarrFormat, dtype, shape, ...(dimensionNames && { dimensionNames }), chunks };
}

/** What is shown of a group. Attributes may hold bigints, which JSON does not take, and may be long. */
export const ofGroup = ({ path, zarrFormat, attrs }) => ({ path, zarrFormat, attributes: Object.keys(attrs) });

/** What is shown of a chunk grid. */
export const ofGrid = ({ shape, isRegular }) => ({ shape, isRegular });
