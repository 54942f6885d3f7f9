// Chooses the tiles of a base map that a picture takes, asks for them, and keeps some.

const MOST = 40; // tiles of a picture; of more, coarser ones are taken
const MOST_KEPT = 160; // and bytes of their pixels
const MOST_BYTES = 4e7;
const WIDEST = 1024; // pixels of a tile
const PATIENCE = 20_000; // ms
const AGAIN = 60_000; // ms until a tile that did not come is asked for once more

/** The number of a tile, whose column may have passed the map's seam. */
export const tileAt = (z, x, y) => y * 2 ** z + (x - 2 ** z * Math.floor(x / 2 ** z));

/** Numbers of the tiles of a zoom that the blocks of a picture lie in, the nearest to the picture's middle first; undefined where there are more than `most`. */
function tilesAt(blocks, z, middle, most) {
  const times = 2 ** z;
  const found = new Map(); // number -> how far the nearest block is
  for (const { xs, ys, top, left } of blocks) {
    const [west, east, north, south] = [xs, ys].flatMap((list) => {
      const known = list.filter((n) => !Number.isNaN(n));
      return [Math.min(...known), Math.max(...known)];
    }).map((part) => Math.floor(part * times));
    const far = Math.hypot(top - middle[0], left - middle[1]);
    for (let y = Math.max(0, north); y <= Math.min(times - 1, south); y++) {
      for (let x = west; x <= Math.min(east, west + times - 1); x++) {
        const number = tileAt(z, x, y);
        if (far < (found.get(number) ?? Infinity)) found.set(number, far);
        if (found.size > most) return undefined;
      }
    }
  }
  return [...found].sort(([, a], [, b]) => a - b).map(([number]) => number);
}

/** The zoom and the tiles of a picture of `[height, width]` whose pixels are `pitch` of the world wide: `{ z, numbers }`. */
export function chosenFor(blocks, pitch, [height, width], { minzoom, maxzoom, tileSize }, most = MOST) {
  const finest = Math.min(maxzoom, Math.round(-Math.log2(pitch * tileSize)));
  for (let z = finest; z >= minzoom; z--) {
    const numbers = tilesAt(blocks, z, [height / 2, width / 2], most);
    if (numbers) return { z, numbers };
  }
  return { z: minzoom, numbers: [] }; // a map that begins closer than the picture shows it
}

/** The address of a tile. */
export const addressOf = ({ url }, z, number) => {
  const [x, y] = [number % 2 ** z, Math.floor(number / 2 ** z)];
  return url.replaceAll(/\{(-?[zxy])\}/g, (_, name) => ({ z, x, y, "-y": 2 ** z - 1 - y })[name]);
};

/** The pixels of a picture. */
async function pixelsOf(blob) {
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  if (width > WIDEST || height > WIDEST) throw new RangeError(`a tile of ${width} × ${height} pixels is larger than ${WIDEST} × ${WIDEST}`);
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

/** `onCome()` hears of each tile that came, and of each that did not. */
export function createTiles(basemap, onCome) {
  const kept = new Map(); // "z/number" -> pixels, what was used last at the end
  const coming = new Map(); // "z/number" -> what ends its request
  const failed = new Map(); // "z/number" -> when
  let bytes = 0;

  function keep(name, pixels) {
    kept.set(name, pixels);
    bytes += pixels.data.length;
    for (const [oldest, { data }] of kept) {
      if (kept.size <= MOST_KEPT && bytes <= MOST_BYTES) break;
      kept.delete(oldest);
      bytes -= data.length;
    }
  }

  async function ask(name, url) {
    const controller = new AbortController();
    coming.set(name, controller);
    try {
      // By fetch, as its answer has pixels that may be read, and its end can be asked for.
      const answer = await fetch(url, { credentials: "omit", signal: AbortSignal.any([controller.signal, AbortSignal.timeout(PATIENCE)]) });
      if (!answer.ok) throw new Error(`the host answered ${answer.status}`);
      keep(name, await pixelsOf(await answer.blob()));
    } catch (error) {
      if (controller.signal.aborted) return;
      if (!failed.size) console.warn(`/basemap/url: ${url} could not be read (${error.message}), so the ground stays plain there.`);
      failed.set(name, performance.now());
    } finally {
      if (coming.get(name) === controller) coming.delete(name);
    }
    onCome();
  }

  return {
    /** Asks for the tiles of a picture that are not here, and ends the requests for others. */
    want({ z, numbers }) {
      const names = new Map(numbers.map((number) => [`${z}/${number}`, number]));
      for (const [name, controller] of coming) {
        if (names.has(name)) continue;
        controller.abort();
        coming.delete(name);
      }
      for (const [name, number] of names) {
        if (kept.has(name)) keepLast(name);
        else if (!coming.has(name) && !(performance.now() - failed.get(name) < AGAIN)) ask(name, addressOf(basemap, z, number));
      }
    },
    /** The pixels of a tile, or the part of a coarser one's that are in its place: `{ pixels, left, top, part }`; undefined where there are none. */
    find(z, number) {
      let [x, y] = [number % 2 ** z, Math.floor(number / 2 ** z)];
      let [left, top, part] = [0, 0, 1];
      for (let up = z; up >= basemap.minzoom; up--) {
        const pixels = kept.get(`${up}/${tileAt(up, x, y)}`);
        if (pixels) return { pixels, left, top, part };
        [left, top, part] = [(left + (x & 1)) / 2, (top + (y & 1)) / 2, part / 2];
        [x, y] = [x >> 1, y >> 1];
      }
      return undefined;
    },
    /** How many tiles of a picture are here, on their way, and did not come, and whether there are any, which coarser ones may be. */
    count({ z, numbers }) {
      const isIn = (map) => numbers.filter((number) => map.has(`${z}/${number}`)).length;
      return { here: isIn(kept), coming: isIn(coming), failed: isIn(failed), isAny: kept.size > 0 };
    },
    /** Ends all requests. */
    rest: () => [...coming.keys()].forEach((name) => (coming.get(name).abort(), coming.delete(name))),
  };

  function keepLast(name) {
    const pixels = kept.get(name);
    kept.delete(name);
    kept.set(name, pixels);
  }
}
