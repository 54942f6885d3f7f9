// Says which cell of an unstructured grid a place lies in: by the corners of the cells, or as the one whose centre is the nearest.
import { vectorOf } from "../vectors.js";

const NEAREST = 8; // cells that are tried whether a place lies in them
const NEIGHBOURS = 3; // by which the size of a cell without corners is known
const REACH = 1.25; // times the way to the third neighbour, that a cell reaches from its centre
const SAMPLED = 2048; // cells that tell how far cells reach
const LARGER = 2; // times as far as those that any may reach

/** `bins` of the centres, and `outlines` where they are known. Gives `cellAt(lon, lat)`, -1 where no cell is. */
export function cellsOf(bins, outlines, size) {
  const reaches = bins.isWhole || outlines ? undefined : new Float32Array(size); // squares of chords, 0 where not known yet
  let last = -1; // the cell that was found last, which the next place often lies in too

  function reachOf(cell) {
    if (reaches[cell]) return reaches[cell];
    const place = bins.placeOf(cell);
    const found = bins.search(...place, NEIGHBOURS + 1);
    return (reaches[cell] = found > 1 ? bins.squareAt(found - 1) * REACH ** 2 : Infinity);
  }

  /** The square of the chord that no cell reaches beyond, of those of some: what is farther from all centres is not looked at. */
  function farthest() {
    if (bins.isWhole) return Infinity;
    let most = 0;
    for (let n = 0; n < size; n += Math.ceil(size / SAMPLED)) {
      const place = bins.placeOf(n);
      const reach = place ? (outlines ? outlines.reach(n, vectorOf(place)) : reachOf(n)) : 0;
      if (Number.isFinite(reach)) most = Math.max(most, reach);
    }
    return most > 0 ? most * LARGER ** 2 : Infinity;
  }

  const within = farthest();

  function byCentre(lon, lat) {
    if (!bins.search(lon, lat, 1, within)) return -1;
    const [cell, square] = [bins.pointAt(0), bins.squareAt(0)];
    return reaches && square > reachOf(cell) ? -1 : cell;
  }

  function byOutline(lon, lat) {
    const vector = vectorOf([lon, lat]);
    if (last >= 0 && outlines.has(last, vector)) return last;
    // Of triangles, it is nearly always the nearest, which is found much sooner than several.
    if (bins.search(lon, lat, 1, within) && outlines.has(bins.pointAt(0), vector)) return (last = bins.pointAt(0));
    const found = bins.search(lon, lat, NEAREST, within);
    for (let nth = 1; nth < found; nth++) {
      const cell = bins.pointAt(nth);
      if (outlines.has(cell, vector)) return (last = cell);
    }
    return bins.isWhole ? bins.pointAt(0) : -1; // where cells cover the Earth, their sides may differ a little
  }

  return { cellAt: outlines ? byOutline : byCentre };
}
