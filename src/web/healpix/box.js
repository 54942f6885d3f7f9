/**
 * Cells of a box of longitudes and latitudes.
 *
 * In the plane of the HEALPix projection a cell is a square on its corner, and a box is convex in each half of a face:
 * a rectangle near the equator, a part of a triangle in a polar cap. Their overlap is exact. The plane's units are 90
 * degrees of longitude; each face has its own centre as origin.
 */
import { CAP, capWidth } from "./faces.js";

const RADIANS = Math.PI / 180;

/** Most ranges of cells in a box. */
const MOST_RANGES = 2 ** 17;

/** Distance in the plane that rounding may add. */
const ROUNDING = 1e-13;

/** Height of a latitude in the plane, on the northern half. */
const heightOf = (latitude) => (latitude <= CAP ? 0.75 * Math.sin(latitude * RADIANS) : 1 - capWidth(latitude) / 2);

/** Parts of a turn from `west` over `width` that lie within 90 degrees around a face's centre, relative to it. */
function spansOf(west, width, centre) {
  const spans = [-4, 0, 4, 8].map((turn) => [west - turn - centre, west - turn - centre + width]);
  return spans.flatMap(([from, to]) => {
    const [start, stop] = [Math.max(from, -0.5), Math.min(to, 0.5)];
    return start < stop || (start === stop && width === 0) ? [[start, stop]] : [];
  });
}

/**
 * Convex piece by its corners, with the axes that may separate it from a square, and its extent along each.
 *
 * @param {number[]} first @param {number[]} second @param {number[]} third @param {number} sign
 */
function piece([x1, x2], [width1, y1], [width2, y2], sign) {
  const corners = [[x1 * width1, y1], [x2 * width1, y1], [x1 * width2, y2], [x2 * width2, y2]].map(([x, y]) => [x, sign * y]);
  /** @param {number[]} one @param {number[]} other */
  const side = ([ax, ay], [bx, by]) => {
    const length = Math.hypot(bx - ax, by - ay);
    return length === 0 ? [1, 0] : [(by - ay) / length, (ax - bx) / length];
  };
  const axes = [[0, 1], side(corners[0], corners[2]), side(corners[1], corners[3]), [Math.SQRT1_2, Math.SQRT1_2], [Math.SQRT1_2, -Math.SQRT1_2]];
  return axes.map(([p, q]) => {
    const along = corners.map(([x, y]) => p * x + q * y);
    return { p, q, reach: Math.max(Math.abs(p), Math.abs(q)), from: Math.min(...along), to: Math.max(...along) };
  });
}

/** Pieces of a box in a face. */
function piecesOf(face, { west, width, south, north }) {
  const zone = Math.floor(face / 4);
  const spans = spansOf(west / 90, width / 90, zone === 1 ? face - 4 : (face % 4) + 0.5);
  // In the southern faces, the box is mirrored, and so are its pieces.
  const sign = zone === 2 ? -1 : 1;
  const [low, high] = sign < 0 ? [-north, -south] : [south, north];
  const pieces = [];
  const height = (latitude) => Math.sign(latitude) * heightOf(Math.abs(latitude));
  if (low <= CAP && high >= -CAP) {
    const [bottom, top] = [Math.max(low, -CAP), Math.min(high, CAP)].map(height);
    pieces.push(...spans.map((span) => piece(span, [1, bottom], [1, top], sign)));
  }
  if (zone !== 1 && high > CAP) {
    const ends = [Math.max(low, CAP), high].map((latitude) => [capWidth(latitude), heightOf(latitude)]);
    pieces.push(...spans.map((span) => piece(span, ends[0], ends[1], sign)));
  }
  return pieces;
}

/** Relation of a square of half diagonal `half` to a piece: 0 where it is outside, 2 inside, 1 across the edge. */
function relation(axes, x, y, half, slack) {
  let isInside = true;
  for (let i = 0; i < axes.length; i++) {
    const { p, q, reach, from, to } = axes[i];
    const at = p * x + q * y;
    const size = half * reach;
    if (at + size <= from - slack || at - size >= to + slack) return 0;
    isInside &&= at - size >= from && at + size <= to;
  }
  return isInside ? 2 : 1;
}

/**
 * Rising ranges of nested numbers of the cells that overlap a box. A box without area takes the cells that it touches.
 *
 * @param {{ west: number, width: number, south: number, north: number }} box degrees on the sphere: `west` from 0 up to
 *   360, `width` from 0 to 360
 * @param {number} level
 * @param {(from: number, to: number) => boolean} has whether a range has cells that count
 * @returns {[number, number][]}
 */
export function rangesOf(box, level, has) {
  const ranges = [];
  const slack = box.width === 0 || box.south === box.north ? ROUNDING : -ROUNDING;
  const take = (from, to) => {
    const last = ranges.at(-1);
    if (last?.[1] === from) last[1] = to;
    else if (ranges.push([from, to]) > MOST_RANGES) throw new RangeError(`the box has more than ${MOST_RANGES} ranges of cells; select a smaller one`);
  };
  const visit = (cell, size, x, y, half, pieces) => {
    if (!has(cell * size, (cell + 1) * size)) return;
    const near = [];
    let isInside = size === 1;
    for (const piece of pieces) {
      const how = relation(piece, x, y, half, slack);
      if (how > 0) near.push(piece);
      isInside ||= how === 2;
    }
    if (near.length === 0) return;
    if (isInside) {
      take(cell * size, (cell + 1) * size);
      return;
    }
    const [part, step] = [size / 4, half / 2];
    visit(4 * cell, part, x, y - step, step, near);
    visit(4 * cell + 1, part, x + step, y, step, near);
    visit(4 * cell + 2, part, x - step, y, step, near);
    visit(4 * cell + 3, part, x, y + step, step, near);
  };
  for (let face = 0; face < 12; face++) {
    const pieces = piecesOf(face, box);
    const middle = [0.5, 0, -0.5][Math.floor(face / 4)];
    if (pieces.length > 0) visit(face, 4 ** level, 0, middle, 0.5, pieces);
  }
  return ranges;
}
