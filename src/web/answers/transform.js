/** Grids that six numbers place: the edges of their cells, and how features come to them. Loaded where a transform is given. */
import { refusal } from "./axes.js";
import { bytesOf } from "./read.js";
import { storedAreas } from "./weights.js";

const RADIANS = Math.PI / 180;

/** Edges of cells of one length, one more than there are cells. */
const edgesFrom = (count, origin, step) => Float64Array.from({ length: count + 1 }, (_, i) => origin + step * i);

/**
 * Where a transform lays cells along rows and columns: their edges `ys` and `xs`, the `project` by which features come to
 * them, how closely these follow bends, and in degrees the areas of a row's cells. With a projection the grid is one of
 * rows and columns, to which the projection and the inverse of the transform lead; without, of the degrees that the
 * transform leads to.
 */
function placedBy(transform, lengths, project) {
  const numbers = Array.isArray(transform) || ArrayBuffer.isView(transform) ? Array.from(/** @type {any} */ (transform), Number) : [];
  const [a, b, c, d, e, f] = numbers;
  const area = a * e - b * d;
  if (numbers.length !== 6 || !numbers.every(Number.isFinite) || area === 0) {
    throw refusal(`zonal: the option transform must be six numbers [a, b, c, d, e, f], by which x = a * column + b * row + c and y = d * column + e * row + f, not ${JSON.stringify(transform)}`);
  }
  if (lengths.length < 2) throw refusal("zonal: the option transform lies along the last two axes of an array, which has fewer");
  const [rows, columns] = lengths;
  if (project) {
    const inCells = (point) => {
      const [x, y] = project(point);
      return [(e * (x - c) - b * (y - f)) / area, (a * (y - f) - d * (x - c)) / area];
    };
    return { ys: edgesFrom(rows, 0, 1), xs: edgesFrom(columns, 0, 1), project: inCells, tolerance: 0.1 };
  }
  if (b !== 0 || d !== 0) throw refusal("zonal: the transform turns the grid of degrees; pass project too, from longitude and latitude to the x and y that the transform leads to");
  const ys = edgesFrom(rows, f, e).map((edge) => Math.min(Math.max(edge, -90), 90));
  const sines = ys.map((edge) => Math.sin(edge * RADIANS));
  return {
    ys, xs: edgesFrom(columns, c, a), project: undefined, tolerance: Math.min(Math.abs(a), Math.abs(e)) / 10,
    areas: () => Float64Array.from({ length: rows }, (_, i) => Math.abs(sines[i + 1] - sines[i])),
  };
}

/**
 * The grid that a transform lays along the last two axes of an array. `runOf(axes, axis)` and `weightsOf(...)` are those of
 * grids between edges.
 */
export function transformed(array, axes, { transform, project, runOf, weightsOf }) {
  const grid = axes.slice(-2);
  const { ys, xs, areas, ...placed } = placedBy(transform, grid.map(({ length }) => length), project);
  return {
    ...placed,
    axes: grid,
    settings: { rows: bytesOf(ys), columns: bytesOf(xs), isDegrees: !project, rowAxis: runOf(axes, grid[0]), columnAxis: runOf(axes, grid[1]) },
    async weights(weights, signal) {
      if (weights !== "area" || !areas || (await storedAreas(array, signal))) return weightsOf(array, axes, grid, weights, signal);
      return { of: bytesOf(areas()), steps: [1, 0] };
    },
  };
}
