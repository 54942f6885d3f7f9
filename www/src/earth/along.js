// Turns positions along an axis into its coordinates and back, by straight lines between the centres of cells.

/** Longitudes with turns added, so that neighbours lie within half a turn. */
export function unwound(values) {
  const list = new Float64Array(values); // which copies typed arrays at once
  for (let i = 1; i < list.length; i++) list[i] -= 360 * Math.round((list[i] - list[i - 1]) / 360);
  return list;
}

/**
 * Maps for an axis whose coordinates rise or fall all along: `at(cell)` is the coordinate at a position, of which the
 * first cell's centre is 0.5, and `find(coordinate)` the position. Both go on beyond the ends. Undefined for other axes.
 */
export function along(values) {
  if (!(values?.length > 1)) return undefined;
  const rises = values[1] > values[0];
  for (let i = 1; i < values.length; i++) if (!(rises ? values[i] > values[i - 1] : values[i] < values[i - 1])) return undefined;
  const last = values.length - 2;
  const slope = (i) => values[i + 1] - values[i];
  return {
    at(cell) {
      const i = Math.min(last, Math.max(0, Math.floor(cell - 0.5)));
      return values[i] + (cell - 0.5 - i) * slope(i);
    },
    find(coordinate) {
      let [low, high] = [0, last];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (rises ? values[middle] <= coordinate : values[middle] >= coordinate) low = middle;
        else high = middle - 1;
      }
      return low + (coordinate - values[low]) / slope(low) + 0.5;
    },
  };
}
