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
