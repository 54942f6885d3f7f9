// In place of src/web/load/parts.js, in a package whose main module is whole and calls `profile.ran` in each function:
// notes which functions run while which parts are there. A part is there as soon as it is asked for, unless nothing waits
// for it.

/** Names of the parts after the first, as in src/web/load/parts.js, which the split reads. */
export const PARTS = "PARTS".split(" ");

let there = 1;
/** Functions by the parts that were there, as bits: 1 is the first part, 2 the second, and so on. */
export const ran = new Map();

/** Begins a page that has these parts. */
export const pageWith = (parts) => void (there = parts);

/** The parts that are there. */
export const partsThere = () => there;

/** Their names, for a log. */
export const seen = () => PARTS.filter((_, nth) => there & (2 << nth)).join(" ") || "first";

export const sharing = (imports) => ({
  ...imports,
  profile: {
    ran(number) {
      if (!ran.has(there)) ran.set(there, new Set());
      ran.get(there).add(number);
    },
  },
});
export const shared = () => {};
export const [isWhole, isNeededAtOnce] = [() => false, () => false];
export const [whenWhole, findBy, joinAll] = [() => {}, () => {}, () => {}];
export const wholeFile = () => undefined;
export const unlessLost = (promise) => promise;

export function parts(names) {
  const wanted = names.reduce((bits, name) => bits | (2 << PARTS.indexOf(name)), 0);
  if ((there & wanted) === wanted) return undefined;
  there |= wanted;
  return Promise.resolve();
}

export const wholeIfStarted = () => whole();
export const whole = (priority) => (priority === "low" ? new Promise(() => {}) : Promise.resolve(parts(PARTS)));
