/**
 * Default chunk shape of a regular view: near the array's own chunks, and small enough for a map tile. An axis with
 * equal chunks keeps its edge, so along it each chunk of the view lies in one chunk of the array. A short array of one
 * axis is one chunk.
 */

/** Edge of a map tile: unequal chunks on the last two axes become multiples of it. */
const TILE = 256;

/** Most bytes of a chunk of the view: a viewer shows nothing before it has a whole chunk. */
const MOST_BYTES = 4 * 2 ** 20;

/** Runs of equal chunks that lie within an axis, with the number of elements in each run. */
function meeting(runs, extent) {
  let start = 0;
  return runs.flatMap(({ edge, count }) => {
    const elements = Math.min(edge * count, extent - start);
    start += elements;
    return elements > 0 ? [{ edge, elements }] : [];
  });
}

/** Whether all chunks have one length, except for a shorter last one. */
function isEven([first, last, ...others]) {
  return last === undefined || (others.length === 0 && last.elements <= Math.min(first.edge, last.edge));
}

/** Median edge, weighted by elements, so that many short chunks do not outvote a long one. */
function median(runs, extent) {
  let below = 0;
  const byEdge = runs.toSorted((a, b) => a.edge - b.edge);
  return byEdge.find(({ elements }) => (below += elements) * 2 >= extent)?.edge ?? 1;
}

function edgeOf(runs, extent, isOfMap) {
  const found = meeting(runs, extent);
  const middle = median(found, extent);
  const edge = isEven(found) || !isOfMap ? middle : Math.max(1, Math.round(middle / TILE)) * TILE;
  return Math.max(1, Math.min(edge, extent));
}

/** About half of an edge; a multiple of a tile's edge as long as possible. */
function half(edge) {
  const unit = edge > TILE && edge % TILE === 0 ? TILE : 1;
  return Math.ceil(edge / 2 / unit) * unit;
}

/**
 * Chooses the chunk shape of a regular view.
 *
 * @param {{ shape: number[], chunkGrid: { runs(axis: number): object[] } }} array with the grid that is decoded
 * @param {number} itemBytes
 */
export function chunkShapeOf({ shape, chunkGrid }, itemBytes) {
  const rank = shape.length;
  // Some clients take the first chunk of a coordinate for all of it.
  if (rank === 1 && shape[0] * itemBytes <= MOST_BYTES) return [Math.max(1, shape[0])];
  const edges = shape.map((extent, axis) => edgeOf(chunkGrid.runs(axis), extent, rank > 1 && axis >= rank - 2));
  // Maps show one index of the leading axes, so those are cut first, the longest one before the others.
  const leading = Math.max(0, rank - 2);
  while (edges.reduce((bytes, edge) => bytes * edge, itemBytes) > MOST_BYTES) {
    const axes = edges.slice(0, leading).some((edge) => edge > 1) ? edges.slice(0, leading) : edges;
    const longest = axes.indexOf(Math.max(...axes));
    if (edges[longest] === 1) break;
    edges[longest] = half(edges[longest]);
  }
  return edges;
}
