/** Goals of the reads that `decode` times, beside what was measured. */

/** The most that a read from a store's methods may take, over that from a `Map`, with the defaults. */
const READABLE = 1.3;

/** The most that a whole read by URL may take, over a plain `fetch` of the same parts of files, by codec. */
const OVER_FETCH = { uncompressed: 1.1, zstd: 1.25, blosc: 1.25, gzip: 1.5 };

/** The least gain of the defaults over neither workers nor cache, in chunks of 512 x 512, by codec. */
const OVER_BARE = { gzip: 1.4, zstd: 1.15 };

/** The least gain over zarrita from a store's methods, in chunks of 32 x 32, by codec. */
const OVER_ZARRITA = { uncompressed: 3, zstd: 1.6, blosc: 3.5, gzip: 5.5 };

/**
 * The goals of a row from a source, as `[what, goal, found, isMost]`: what was found may not be above the goal, or not
 * below it. `times` has the medians of `defaults`, `bare`, `zarrita` and `fetch`, and that of `defaults` from a `Map`,
 * `map`; NaN where one was not measured, and there is no goal then.
 */
function goalsOf({ name, selection }, source, times) {
  const [size, codec] = name.split("-");
  const isStore = source === "sync" || source === "async";
  const goals = [
    ["/ Map", isStore && READABLE, times.defaults / times.map, true],
    ["/ fetch", source === "url" && !selection && OVER_FETCH[codec], times.defaults / times.fetch, true],
    ["x bare", size === "512" && OVER_BARE[codec], times.bare / times.defaults],
    ["x zarrita", source === "url" ? 1 : isStore && size === "32" && OVER_ZARRITA[codec], times.zarrita / times.defaults],
  ];
  return goals.filter(([, goal, found]) => goal && !Number.isNaN(found));
}

/** The goals of a row in words, and which of them are missed. */
export function goalsMet(row, source, times) {
  const told = goalsOf(row, source, times).map(([what, goal, found, isMost]) => {
    const isMissed = isMost ? found > goal : found < goal;
    return `${what} ${found.toFixed(2)} (goal ${isMost ? "<=" : ">="} ${goal}${isMissed ? ", missed" : ""})`;
  });
  return told.join(", ");
}
