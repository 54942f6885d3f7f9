// Gives the values that a picture shows by the cell they stand at, of a map in pieces and of a line alike.

/**
 * `sampleAt([row, column])` is the sample drawn at a cell: `{ value, index, cells, chunk, level }`, of which `index` is its
 * position along every axis and `cells` what it stands for along the drawn ones; without a value where none is read yet. Of two lines there is a `second`
 * value, of a line of times the `label` of one, and of channels over each other those of all, `channels`.
 */
export function fieldOf({ plane, values, scene, look }) {
  const { shown, source, index: origin } = plane;
  const withCell = (cell) => shown.reduce((index, { axis, stop }, i) => index.with(axis, Math.min(stop - 1, Math.floor(cell[cell.length - shown.length + i]))), origin.slice());
  if (plane.isMap) {
    return (cell) => {
      const found = scene.sampleAt(cell);
      if (!found) return { index: withCell(cell), cells: cell.map((at) => [Math.floor(at), Math.floor(at) + 1]) };
      return { ...found, index: withCell(found.at) };
    };
  }
  return ([, column]) => {
    const [{ axis, step, stop, first = 0 }] = shown;
    const nth = Math.floor((column - first) / step);
    const at = first + nth * step;
    const index = origin.with(axis, Math.min(stop - 1, Math.max(0, at)));
    const [value, label] = nth in values ? [Number.isNaN(values[nth]) ? NaN : (values.exact?.[nth] ?? values[nth]), values.labels?.[nth]] : [];
    const second = look.second?.[nth];
    return { second, label, value, index, cells: [undefined, [at, at + step]], chunk: source.grid.chunkAt(index).coords };
  };
}
