// Chooses the part of each function of a module, from a profile.

/**
 * Number of the part of each function: 0 for the first. A function is in a part that was there whenever it ran, the
 * latest one; those that never ran are in the last part.
 *
 * @param {string[]} functions names in the order of the module
 * @param {[number, string[]][]} ran names of functions that ran, by the parts that were there: bit 0 is the first part
 * @param {number} count of parts
 * @returns {Map<string, number>}
 */
export function assigned(functions, ran, count) {
  const all = 2 ** count - 1;
  const allowed = new Map();
  for (const [there, names] of ran) for (const name of names) allowed.set(name, (allowed.get(name) ?? all) & there);
  return new Map(functions.map((name) => [name, 31 - Math.clz32(allowed.get(name) ?? all)]));
}

/** Lines of text of a function that is about as long as the stand-in of a later function, with its slot. */
const SMALL = 10;

/**
 * Moves small functions to the first part where functions of that part call them, and they call none of later parts: a
 * stand-in for each would be as long, and could make a page stand still.
 *
 * @param {Map<string, number>} parts changed here
 * @param {{ name: string, lines: string[] }[]} functions
 * @param {(form: { lines: string[] }) => Iterable<string>} calledBy names of the functions that a function calls
 */
export function gatherSmall(parts, functions, calledBy) {
  const called = new Map(functions.map((form) => [form.name, [...calledBy(form)]]));
  const isFirst = (name) => !parts.get(name);
  const small = functions.filter(({ name, lines }) => !isFirst(name) && lines.length <= SMALL);
  for (let isDone = false; !isDone; ) {
    const wanted = new Set(functions.filter(({ name }) => isFirst(name)).flatMap(({ name }) => called.get(name)));
    const moved = small.filter(({ name }) => !isFirst(name) && wanted.has(name) && called.get(name).every(isFirst));
    for (const { name } of moved) parts.set(name, 0);
    isDone = moved.length === 0;
  }
  return parts;
}
