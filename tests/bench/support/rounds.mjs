/** Rounds that measure several readers in turn, so that a slow minute of the machine affects all of them. */

import { quantile } from "../../../www/src/bench/reads.js";

/** Bounds of rounds: their least and largest number, and the milliseconds after which none begins (BENCH_MS). */
export const enough = (ms, least, most) => ({ ms: Number(process.env.BENCH_MS ?? ms), least, most });

/**
 * Orders of the readers for one round after the other: after a reader comes the one that has followed it least often.
 * The garbage and freed memory of a reader cost the next one up to a fifth of its time, so they must cost all alike.
 */
export function* turns(readers) {
  const followed = new Map();
  let last = readers.at(-1);
  for (;;) {
    const [turn, left] = [[], new Set(readers)];
    while (left.size) {
      const count = (who) => (who === last ? Infinity : (followed.get(`${last}, ${who}`) ?? 0));
      const who = [...left].reduce((least, other) => (count(other) < count(least) ? other : least));
      followed.set(`${last}, ${who}`, count(who) + 1);
      left.delete(who);
      turn.push(who);
      last = who;
    }
    yield turn;
  }
}

/** Calls `measure(who, round)` for each reader in each round; returns a list of results for each reader. */
export async function inTurn(readers, { ms, least, most }, measure) {
  const found = Object.fromEntries(readers.map((who) => [who, []]));
  const order = turns(readers);
  const started = performance.now();
  for (let round = 0; round < least || (round < most && performance.now() - started < ms); round++) {
    for (const who of order.next().value) found[who].push(await measure(who, round));
  }
  return found;
}

/** Median of numbers; NaN for none. */
export const median = (values) => quantile(values, 0.5) ?? NaN;
