/**
 * The one chunk shape that a regular view of an array has: near that of its chunks, and small enough for a tile of a map.
 * An axis that is cut evenly keeps its edge, so that there each chunk of the view lies in one chunk of the array.
 */

/** The edge of a map's tile: uneven chunks on the last two axes become multiples of it. */
const TILE = 256;

/** The most bytes of a chunk of the view: what a viewer waits for to see the first of them. */
const MOST_BYTES = 4 * 2 ** 20;

/** The runs of equal chunks that meet an axis, with the elements that lie in each. */
function meeting(runs, extent) {
  let start = 0;
  return runs.flatMap(({ edge, count }) => {
    const elements = Math.min(edge * count, extent - start);
    start += elements;
    return elements > 0 ? [{ edge, elements }] : [];
  });
}

/** Whether chunks are of one length, but for a shorter last one. */
function isEven([first, last, ...others]) {
  return last === undefined || (others.length === 0 && last.elements <= Math.min(first.edge, last.edge));
}

/** Half of an axis' elements lie in chunks of at most this edge; among edges alone, thirty days would outvote a year. */
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

/** About half of an edge, which stays a multiple of a tile's as long as it can. */
function half(edge) {
  const unit = edge > TILE && edge % TILE === 0 ? TILE : 1;
  return Math.ceil(edge / 2 / unit) * unit;
}

/**
 * @param {{ shape: number[], chunkGrid: object, innerChunkGrid?: object }} array
 * @param {number} itemBytes
 */
export function chunkShapeOf(array, itemBytes) {
  const { shape, chunkGrid, innerChunkGrid = chunkGrid } = array;
  const rank = shape.length;
  const edges = shape.map((extent, axis) => edgeOf(innerChunkGrid.runs(axis), extent, rank > 1 && axis >= rank - 2));
  // Maps look at one place of the leading axes: those are cut first, the longest one before the others.
  const leading = Math.max(0, rank - 2);
  while (edges.reduce((bytes, edge) => bytes * edge, itemBytes) > MOST_BYTES) {
    const axes = edges.slice(0, leading).some((edge) => edge > 1) ? edges.slice(0, leading) : edges;
    const longest = axes.indexOf(Math.max(...axes));
    if (edges[longest] === 1) break;
    edges[longest] = half(edges[longest]);
  }
  return edges;
}
