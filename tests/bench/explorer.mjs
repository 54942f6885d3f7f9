/**
 * Measures the explorer in Chromium: the first picture over slow networks, requests of images that are not consolidated,
 * long tasks with a slower processor, pictures a second, and memory. Words pick some of them, stores of `tasks`, or a
 * painter; `requests told` and `tasks told` print each request and each long task. BENCH_ROUNDS is the number of cold
 * pages, BENCH_MS the time of playbacks and held keys, and BENCH_SLOWER how many times slower the browser makes the
 * processor for `tasks`, of which the rest is reckoned.
 */

import { picture } from "./explorer/picture.mjs";
import { playback } from "./explorer/playback.mjs";
import { requests } from "./explorer/requests.mjs";
import { STORES, startSite } from "./explorer/site.mjs";
import { PAINTERS, steps } from "./explorer/steps.mjs";
import { tasks } from "./explorer/tasks.mjs";

const named = (words, all) => {
  const found = all.filter((name) => words.includes(name));
  return found.length ? found : undefined;
};

export async function explorer(words = []) {
  const isTold = words.includes("told");
  const painters = named(words, Object.keys(PAINTERS));
  const parts = {
    picture: (site) => picture(site),
    requests: (site) => requests(site, isTold),
    tasks: (site) => tasks(site, { isTold, isDrawing: painters?.includes("webgl2"), stores: named(words, Object.keys(STORES)) }),
    steps: (site) => steps(site, painters),
    playback: (site) => playback(site),
  };
  const site = await startSite();
  try {
    for (const name of named(words, Object.keys(parts)) ?? Object.keys(parts)) await parts[name](site);
  } finally {
    await site.close();
  }
}
