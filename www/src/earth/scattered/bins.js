// Finds the nearest of many points on the Earth: they are sorted into bins of latitude and longitude, searched from the nearest out.
import { placeOf, putVector, vectorOf } from "../vectors.js";

const A_BIN = 2; // points in a bin, about
const MARK = 2; // degrees along the boxes that tell where points are at all
const WIDE = 10; // degrees along the boxes of which each has a point where points cover the Earth
const AT_ONCE = 4096; // points between two looks at the clock
const SLICE = 8; // ms of work before the page may answer

const RADIANS = Math.PI / 180;
const cosine = (degrees) => Math.cos(degrees * RADIANS);
const around = (lon) => lon - 360 * Math.floor(lon / 360); // from 0 up to 360
const isPlace = (lon, lat) => Number.isFinite(lon) && Math.abs(lat) <= 90.001;

/** The square of the chord over an angle in degrees. */
const chord = (degrees) => 4 * Math.sin((degrees * RADIANS) / 2) ** 2;

/** Does `work(n)` for each of `count`, in tasks of its own that `turn()` begins, so that the page answers in between. */
export async function inTurns(count, turn, work) {
  await turn();
  let began = performance.now();
  for (let from = 0; from < count; from += AT_ONCE) {
    if (performance.now() - began > SLICE) {
      await turn();
      began = performance.now();
    }
    const end = Math.min(count, from + AT_ONCE);
    for (let n = from; n < end; n++) work(n);
  }
}

/** Where points are: their number, latitudes from and to, the meridian that they begin at and the degrees they go on east, the square degrees they cover, and whether that is all of the Earth. */
async function extentOf(lons, lats, turn) {
  const columns = 360 / MARK;
  const marked = new Uint8Array((columns * 180) / MARK);
  const wide = Array.from({ length: 180 / WIDE }, (_, row) => new Uint8Array(Math.max(1, Math.round((360 / WIDE) * cosine(-90 + (row + 0.5) * WIDE)))));
  let [count, south, north] = [0, 90, -90];
  await inTurns(lons.length, turn, (n) => {
    const [lon, lat] = [around(lons[n]), lats[n]];
    if (!isPlace(lon, lat)) return;
    count++;
    south = Math.min(south, lat);
    north = Math.max(north, lat);
    marked[Math.min(180 / MARK - 1, Math.max(0, Math.floor((lat + 90) / MARK))) * columns + Math.min(columns - 1, Math.floor(lon / MARK))] = 1;
    const row = wide[Math.min(wide.length - 1, Math.max(0, Math.floor((lat + 90) / WIDE)))];
    row[Math.min(row.length - 1, Math.floor((lon / 360) * row.length))] = 1;
  });
  const taken = Array.from({ length: columns }, (_, column) => marked.some((is, n) => is && n % columns === column));
  const area = marked.reduce((sum, is, n) => sum + is * MARK * MARK * cosine(-90 + (Math.floor(n / columns) + 0.5) * MARK), 0);
  // East of the longest gap.
  let [longest, west] = [0, 0];
  for (let from = 0; from < columns; from++) {
    let gap = 0;
    while (gap < columns && !taken[(from + gap) % columns]) gap++;
    if (gap > longest) [longest, west] = [gap, (from + gap) % columns];
  }
  const width = 360 - longest * MARK;
  const isPart = width <= 180; // wider ones are searched all around
  return { count, south, north, west: isPart ? west * MARK : 0, width: isPart ? width : 360, area, isWhole: wide.every((row) => row.every(Boolean)) };
}

/**
 * A search for the nearest of points by longitudes and latitudes in degrees, of which those that are no places (NaN) are
 * left out. `turn()` resolves in a task of its own. Undefined where there is no point.
 */
export async function binsOf(lons, lats, turn) {
  const { count, south, north, west, width, area, isWhole } = await extentOf(lons, lats, turn);
  if (!count) return undefined;
  const isAround = width === 360;

  let high = Math.min(20, Math.max(1e-4, Math.sqrt((A_BIN * area) / count))); // degrees of latitude along a bin
  const rowsOf = () => {
    const rows = Math.max(1, Math.floor((north - south) / high) + 1);
    return Array.from({ length: rows }, (_, row) => {
      const [from, to] = [south + row * high, south + (row + 1) * high];
      return Math.max(1, Math.ceil((width * (from < 0 && to > 0 ? 1 : Math.max(cosine(from), cosine(Math.min(90, to))))) / high));
    });
  };
  let columns = rowsOf();
  while (columns.reduce((sum, n) => sum + n, 0) > 2 * count + 4096) {
    high *= 1.4;
    columns = rowsOf();
  }
  const rows = columns.length;
  const begins = new Uint32Array(rows + 1); // of rows, in bins
  columns.forEach((n, row) => (begins[row + 1] = begins[row] + n));

  const binAt = (lon, lat) => {
    const row = Math.min(rows - 1, Math.max(0, Math.floor((lat - south) / high)));
    return begins[row] + Math.min(columns[row] - 1, Math.floor((around(lon - west) / width) * columns[row]));
  };

  // Points by their bins: a bin's are those from `starts[bin]` to the next.
  const starts = new Uint32Array(begins[rows] + 1);
  await inTurns(lons.length, turn, (n) => isPlace(lons[n], lats[n]) && starts[binAt(lons[n], lats[n]) + 1]++);
  await inTurns(begins[rows], turn, (bin) => (starts[bin + 1] += starts[bin]));
  const next = starts.slice(0, -1);
  const order = new Uint32Array(count);
  const vectors = new Float32Array(3 * count);
  await inTurns(lons.length, turn, (n) => {
    if (!isPlace(lons[n], lats[n])) return;
    const at = next[binAt(lons[n], lats[n])]++;
    order[at] = n;
    putVector(vectors, 3 * at, lons[n], lats[n]);
  });
  const ranks = new Uint32Array(lons.length).fill(0xffff_ffff); // where a point is in the order
  await inTurns(count, turn, (at) => (ranks[order[at]] = at));

  // What a search found, the nearest first: ranks of points, and the squares of their chords.
  const most = 8;
  const found = new Uint32Array(most);
  const squares = new Float64Array(most);
  let size = 0;

  function search(lon, lat, wanted, within) {
    const [x, y, z] = vectorOf([lon, lat]);
    const parallel = cosine(lat);
    size = 0;
    const worst = () => (size < wanted ? within : squares[wanted - 1]);

    function look(bin) {
      for (let at = starts[bin]; at < starts[bin + 1]; at++) {
        const square = (vectors[3 * at] - x) ** 2 + (vectors[3 * at + 1] - y) ** 2 + (vectors[3 * at + 2] - z) ** 2;
        if (square >= worst()) continue;
        let nth = size < wanted ? size++ : wanted - 1;
        for (; nth > 0 && squares[nth - 1] > square; nth--) {
          squares[nth] = squares[nth - 1];
          found[nth] = found[nth - 1];
        }
        squares[nth] = square;
        found[nth] = at;
      }
    }

    /** Whether what is so many degrees of longitude away is farther than all that was found. */
    const isFar = (degrees) => {
      if (degrees <= 0) return false;
      const sine = parallel * Math.sin(Math.min(90, degrees) * RADIANS); // of the way to that meridian
      return (2 * sine * sine) / (1 + Math.sqrt(1 - sine * sine)) > worst();
    };

    function lookAlong(row) {
      const [from, bins, wide] = [begins[row], columns[row], width / columns[row]];
      const east = around(lon - west); // of where the bins begin
      if (isAround) {
        const middle = Math.min(bins - 1, Math.floor(east / wide));
        look(from + middle);
        for (let by = 1; by <= bins >> 1; by++) {
          const [left, right] = [east - (middle - by + 1) * wide, (middle + by) * wide - east];
          if (isFar(Math.min(left, right))) return;
          look(from + ((middle - by + bins) % bins));
          if (2 * by !== bins) look(from + ((middle + by) % bins));
        }
        return;
      }
      const isLeft = east > width && 360 - east < east - width; // outside, nearer to the first
      const middle = east <= width ? Math.min(bins - 1, Math.floor(east / wide)) : isLeft ? 0 : bins - 1;
      const place = isLeft ? east - 360 : east;
      for (let bin = middle; bin >= 0 && !isFar(place - (bin + 1) * wide); bin--) look(from + bin);
      for (let bin = middle + 1; bin < bins && !isFar(bin * wide - place); bin++) look(from + bin);
    }

    const middle = Math.min(rows - 1, Math.max(0, Math.floor((lat - south) / high)));
    for (let by = 0, isOpen = true; isOpen; by++) {
      isOpen = false;
      for (const row of by ? [middle - by, middle + by] : [middle]) {
        if (row < 0 || row >= rows) continue;
        const away = Math.max(0, south + row * high - lat, lat - (south + (row + 1) * high));
        if (chord(away) > worst()) continue;
        isOpen = true;
        lookAlong(row);
      }
    }
  }

  const placeOfRank = (rank) => placeOf([vectors[3 * rank], vectors[3 * rank + 1], vectors[3 * rank + 2]]);

  return {
    count, isWhole,
    /** Degrees between neighbours, about. */
    spacing: Math.sqrt(area / count),
    /** The point at a place among the points in order, as `[lon, lat]`: to look at some of all. */
    placeAt: placeOfRank,
    /** Searches the `wanted` nearest points to a place, eight at most, with the square of the chord below `within`; gives how many there are, of which `pointAt` and `squareAt` tell. */
    search(lon, lat, wanted, within = Infinity) {
      search(lon, lat, wanted, within);
      return size;
    },
    pointAt: (nth) => order[found[nth]],
    squareAt: (nth) => squares[nth],
    /** The place of a point by its number; undefined where it has none. */
    placeOf: (point) => (ranks[point] === 0xffff_ffff ? undefined : placeOfRank(ranks[point])),
  };
}
