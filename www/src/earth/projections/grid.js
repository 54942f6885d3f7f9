// Grids of latitudes and longitudes as a projection needs them: the cell at a place, tables of that for the GPU, and the view of the grid that a picture needs.
const MOST = 4096; // entries of a table
const POINTS = [33, 17]; // places of a picture that are looked at for what is in view

/** `at` and `from` of an even table by which a program interpolates: `size` values of a function from one number to another. */
function tableOf(value, [from, to], isEven, cells) {
  const size = isEven ? 2 : Math.min(MOST, Math.max(64, cells * 32));
  return { from, to, values: Float32Array.from({ length: size }, (_, n) => value(from + ((to - from) * n) / (size - 1))) };
}

/**
 * The grid of a dataset whose earth is straight: `cellOf([lon, lat])` is its `[row, column]` as fractions, undefined
 * outside of it, and `rows` and `columns` are tables of these by latitude, and by longitude from the grid's west end on.
 */
export function gridOf({ axes, shape }, { axes: drawn, toCell, toDegrees }) {
  const [height, width] = drawn.map((d) => shape[d]);
  const [down, across] = drawn.map((d) => axes[d]);
  // The longitude of an end, in turns that the grid's own are in.
  const endAt = (column) => {
    const [lon] = toDegrees([height / 2, column]);
    return [-360, 0, 360].map((turn) => lon + turn).reduce((best, each) => (Math.abs(toCell([each, 0])[1] - column) < Math.abs(toCell([best, 0])[1] - column) ? each : best));
  };
  const west = Math.min(endAt(0), endAt(width));
  const rowOf = (lat) => toCell([west, lat])[0];
  const columnOf = (lon) => toCell([lon, 0])[1];
  return {
    height, width, west,
    turn: Math.abs(columnOf(west + 360) - columnOf(west)), // cells around the globe
    rows: tableOf(rowOf, [-90, 90], down.step !== undefined, height),
    columns: tableOf(columnOf, [west, west + 360], across.step !== undefined, width),
    cellOf([lon, lat]) {
      const column = columnOf(west + (lon - west - 360 * Math.floor((lon - west) / 360)));
      const row = rowOf(lat);
      return row >= 0 && row <= height && column >= 0 && column <= width ? [Math.min(row, height - 1e-6), Math.min(column, width - 1e-6)] : undefined;
    },
  };
}

/** The view `{ centre, zoom }` of a grid that has all that a map shows of it. */
export function viewOf(map, { height, width, turn, cellOf }) {
  const middle = cellOf(map.inverse([0.5, 0.5]) ?? [0, 0])?.[1] ?? width / 2;
  const [rows, columns] = [[Infinity, -Infinity], [Infinity, -Infinity]];
  for (let n = 0; n < POINTS[0] * POINTS[1]; n++) {
    const part = [(n % POINTS[0]) / (POINTS[0] - 1), Math.floor(n / POINTS[0]) / (POINTS[1] - 1)];
    const place = map.inverse(part);
    const cell = place && cellOf(place);
    if (!cell) continue;
    const apart = cell[1] - middle;
    const near = middle + apart - turn * Math.round(apart / turn);
    for (const [span, at] of [[rows, cell[0]], [columns, near]]) Object.assign(span, [Math.min(span[0], at), Math.max(span[1], at)]);
  }
  const whole = { centre: [height / 2, width / 2], zoom: 1 };
  if (!(rows[1] >= rows[0])) return whole;
  const hasPole = [90, -90].some((lat) => {
    const part = map.forward([0, lat]);
    return part?.every((n) => n >= 0 && n <= 1);
  });
  // What lies across the grid's ends needs both of them.
  if (hasPole || columns[0] < 0 || columns[1] > width) Object.assign(columns, [0, width]);
  const room = [(rows[1] - rows[0]) / (POINTS[1] - 1) + 1, (columns[1] - columns[0]) / (POINTS[0] - 1) + 1];
  const [tall, wide] = [rows[1] - rows[0] + 2 * room[0], columns[1] - columns[0] + 2 * room[1]];
  const zoom = Math.max(1, Math.min(height / tall, width / wide));
  if (zoom === 1) return whole;
  return { centre: [(rows[0] + rows[1]) / 2, (columns[0] + columns[1]) / 2], zoom };
}
