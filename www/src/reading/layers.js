// Joins what several positions have at the cells of a map: the difference of two steps, or channels over each other.
import { originIn } from "../map/plan.js";

/** The rows and columns of a selection at another position. */
const movedTo = (selection, origin, axes) => selection.map((item, d) => (axes.includes(d) ? item : origin[d]));

/**
 * The plan of a map of the cells at `positions`, by the plan of the first of them: each piece has the selections of the
 * others, and `join` says what its values are: "difference", the first less the second, or "channels", whose numbers are
 * `channels`. `needed` are the chunks of all positions.
 */
export function planJoined(plan, dataset, positions, join, channels) {
  const { source, axes } = plan;
  const others = positions.slice(1).map((position) => originIn(source, dataset, position, axes));
  const mark = join === "channels" ? `channels ${channels}` : `less ${positions[1]}`;
  const at = `${plan.at};${mark}`;
  const places = others.map((origin) => source.grid.chunkAt(origin).coords);
  return {
    ...plan, at, join,
    pieces: plan.pieces.map((piece) => ({ ...piece, at, join, channels, key: `${piece.key};${mark}`, others: others.map((origin) => movedTo(piece.selection, origin, axes)) })),
    needed: [plan.touched, ...places.map((place) => plan.touched.map((coords) => movedTo(coords, place, axes)))].flat(),
    selections: others.map((origin) => movedTo(plan.selection, origin, axes)),
  };
}

/** Least and greatest finite number, or undefined where there is none. */
function extentOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v < low && v !== -Infinity) low = v;
    if (v > high && v !== Infinity) high = v;
  }
  return low <= high ? [low, high] : undefined;
}

const isWhole = (v) => Number.isInteger(v) || Number.isNaN(v);

/** The first values less the second; of large integers, exactly. */
function difference([{ values: a }, { values: b }]) {
  const values = Float64Array.from(a, (v, i) => v - b[i]);
  const isExact = Boolean(a.exact || b.exact) && a.every(isWhole) && b.every(isWhole);
  if (isExact) values.forEach((v, i) => Number.isNaN(v) || (values[i] = Number((a.exact?.[i] ?? BigInt(a[i])) - (b.exact?.[i] ?? BigInt(b[i])))));
  return { values: Object.assign(values, { isExact }), range: extentOf(values) };
}

/** Content of a piece by the reads of its positions, each `{ values, range }`. */
export function joined({ join, channels, counts }, reads) {
  if (join === "difference") return difference(reads);
  return { ...reads[0], layers: reads.map((read, i) => ({ ...read, counts, channel: channels[i] })) };
}

/** Bytes that the values of a piece take. */
export const bytesOf = ({ values, layers }) => (layers ?? [{ values }]).reduce((sum, layer) => sum + layer.values.byteLength, 0);

/** Layers of a piece that are drawn, the lowest first, each with its own look: `[[values, look]]`. A channel that is not shown is none. */
export function layersOf(piece, look) {
  if (!piece.layers) return [[piece, look]];
  return piece.layers.flatMap((layer) => {
    const own = look.channels?.find(({ channel }) => channel === layer.channel);
    return own ? [[layer, own]] : [];
  });
}
