/** Rounds that measure several readers in turn, so that a slow minute of the machine affects all of them. */

import { quantile } from "../../../www/src/bench/reads.js";

/** Bounds of rounds: their least and largest number, and the milliseconds after which none begins (BENCH_MS). */
export const enough = (ms, least, most) => ({ ms: Number(process.env.BENCH_MS ?? ms), least, most });

/**
 * Orders of the readers in a cycle of rounds, over which each reader follows every other one once, and never itself.
 * Garbage and freed memory of a reader slow the next one by up to a fifth, so one that comes after the slowest reader
 * more often would seem slower.
 */
export function cycleOf(readers) {
  const count = readers.length;
  const length = count * (count - 1);
  const order = [];
  const followed = new Set();
  /** Extends the order to its whole length, or leaves it as it was and returns false. */
  const extend = () => {
    if (order.length === length) return !followed.has(`${order.at(-1)} ${order[0]}`);
    const inRound = order.slice(order.length - (order.length % count));
    for (const who of readers) {
      const pair = order.length ? `${order.at(-1)} ${who}` : "";
      if (inRound.includes(who) || order.at(-1) === who || followed.has(pair)) continue;
      order.push(who);
      followed.add(pair);
      if (extend()) return true;
      order.pop();
      followed.delete(pair);
    }
    return false;
  };
  if (count < 2 || !extend()) return [readers];
  return Array.from({ length: count - 1 }, (_, round) => order.slice(round * count, (round + 1) * count));
}

/**
 * Calls `measure(who, round)` for each reader in each round, and ends after a whole cycle of rounds; returns a list of
 * results for each reader.
 */
export async function inTurn(readers, { ms, least, most }, measure) {
  const found = Object.fromEntries(readers.map((who) => [who, []]));
  const cycle = cycleOf(readers);
  const started = performance.now();
  for (let round = 0; round < least || round % cycle.length || (round < most && performance.now() - started < ms); round++) {
    for (const who of cycle[round % cycle.length]) found[who].push(await measure(who, round));
  }
  return found;
}

/** Median of numbers; NaN for none. */
export const median = (values) => quantile(values, 0.5) ?? NaN;
