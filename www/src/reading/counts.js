// Counts how many values of a picture lie in each part of a scale.
import { partOf } from "./scale.js";

const MOST = 2.5e5; // values that are counted; of more, every nth

/** `{ counts, every, total }` of the finite values in lists, in `bins` parts of a scale that are alike in width; the last has the upper end too. */
export function countsOf(lists, scale, bins) {
  const size = lists.reduce((sum, list) => sum + list.length, 0);
  const every = Math.max(1, Math.ceil(size / MOST));
  const counts = new Uint32Array(bins);
  let total = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i += every) {
      const part = partOf(scale, list[i]);
      if (!(part >= 0 && part <= 1 + 1e-12)) continue;
      counts[Math.min(bins - 1, Math.floor(part * bins))] += 1;
      total += 1;
    }
  }
  return { counts, every, total };
}
