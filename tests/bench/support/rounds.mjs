/** Rounds that measure several readers in turn, so that a slow minute of the machine affects all of them. */

import { quantile } from "../../../www/src/bench/reads.js";

/** Bounds of rounds: their least and largest number, and the milliseconds after which none begins (BENCH_MS). */
export const enough = (ms, least, most) => ({ ms: Number(process.env.BENCH_MS ?? ms), least, most });

/** Calls `measure(who, round)` for each reader in each round; returns a list of results for each reader. */
export async function inTurn(readers, { ms, least, most }, measure) {
  const found = Object.fromEntries(readers.map((who) => [who, []]));
  const started = performance.now();
  for (let round = 0; round < least || (round < most && performance.now() - started < ms); round++) {
    // The first reader changes with every second round, and the direction with each: a reader may wait for the garbage collection
    // of the one before it, and would always wait for the same one's.
    const first = (round >> 1) % readers.length;
    const turn = [...readers.slice(first), ...readers.slice(0, first)];
    for (const who of round % 2 ? turn.reverse() : turn) found[who].push(await measure(who, round));
  }
  return found;
}

/** Median of numbers; NaN for none. */
export const median = (values) => quantile(values, 0.5) ?? NaN;
