/** Rounds in which several readers are measured one after the other, so that a slow minute of the machine meets them all. */

import { quantile } from "../../../www/src/bench/reads.js";

/** Bounds of a bench's rounds: how many at least and at most, and after how many milliseconds no other begins; BENCH_MS says another time. */
export const enough = (ms, least, most) => ({ ms: Number(process.env.BENCH_MS ?? ms), least, most });

/** Calls `measure(who, round)` for each reader in each round, and gives a list of what it gave for each reader. */
export async function inTurn(readers, { ms, least, most }, measure) {
  const found = Object.fromEntries(readers.map((who) => [who, []]));
  const started = performance.now();
  for (let round = 0; round < least || (round < most && performance.now() - started < ms); round++) {
    for (let nth = 0; nth < readers.length; nth++) {
      // Each is first in turn: whoever follows the other's garbage waits for its collection.
      const who = readers[(nth + round) % readers.length];
      found[who].push(await measure(who, round));
    }
  }
  return found;
}

/** The median of some numbers; NaN where there are none. */
export const median = (values) => quantile(values, 0.5) ?? NaN;
