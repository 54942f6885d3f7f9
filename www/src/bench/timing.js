// Times two readers in turn, until there are enough rounds to have a median.
import { quantile } from "./reads.js";

const ENOUGH = { ms: 2500, least: 5, most: 21 };
/** The clocks of some browsers have steps of a millisecond: what is quicker than this is done several times a round. */
const LEAST_MS = 20;

/** Lets the page draw and answer. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Milliseconds that one call takes, as the mean of some calls one after the other. */
async function timed(read, times) {
  const started = performance.now();
  for (let nth = 0; nth < times; nth++) await read();
  return (performance.now() - started) / times;
}

/** The median of what a call of each takes, in milliseconds by name; ends early where `signal` says so. */
export async function inTurn(readers, signal) {
  const took = Object.fromEntries(Object.keys(readers).map((name) => [name, []]));
  const rounds = () => Object.values(took)[0].length;
  const times = {};
  for (const [name, read] of Object.entries(readers)) {
    await read();
    times[name] = Math.ceil(LEAST_MS / Math.max(1, await timed(read, 1)));
  }
  const started = performance.now();
  while (rounds() < ENOUGH.least || (rounds() < ENOUGH.most && performance.now() - started < ENOUGH.ms)) {
    for (const [name, read] of Object.entries(readers)) {
      await breathe();
      signal.throwIfAborted();
      took[name].push(await timed(read, times[name]));
    }
  }
  return Object.fromEntries(Object.entries(took).map(([name, all]) => [name, quantile(all, 0.5)]));
}
