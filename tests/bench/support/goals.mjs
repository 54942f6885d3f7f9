/** Goals of the reads that `decode` measures. */

/** Largest time of a read from a store's methods, relative to a `Map`, with the default options. */
const READABLE = 1.3;

/** Largest time of a whole read by URL, relative to a plain `fetch` of the same parts of files, by codec. */
const OVER_FETCH = { uncompressed: 1.1, zstd: 1.25, blosc: 1.25, gzip: 1.5 };

/** Least speed-up of the default options over no workers and no cache, in chunks of 512 x 512, by codec. */
const OVER_BARE = { gzip: 1.4, zstd: 1.15 };

/** Least speed-up over zarrita, from a store's methods, in chunks of 32 x 32, by codec. */
const OVER_ZARRITA = { uncompressed: 3, zstd: 1.6, blosc: 3.5, gzip: 5.5 };

/**
 * Goals of a row from a source, as `[what, goal, found, isMost]`: `found` must be at most the goal, or at least.
 * `times` has the medians of `defaults`, `bare`, `zarrita`, `fetch`, and of `map`, the defaults from a `Map`. A median
 * that was not measured is NaN, and its goal is left out.
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

/** Text of a row's goals, with those that are missed. */
export function goalsMet(row, source, times) {
  const told = goalsOf(row, source, times).map(([what, goal, found, isMost]) => {
    const isMissed = isMost ? found > goal : found < goal;
    return `${what} ${found.toFixed(2)} (goal ${isMost ? "<=" : ">="} ${goal}${isMissed ? ", missed" : ""})`;
  });
  return told.join(", ");
}
