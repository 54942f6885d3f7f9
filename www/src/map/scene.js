// Keeps the pieces of a plane that were read: which are drawn, which are under way, and the value at a place.
import { bytesOf } from "../reading/layers.js";
import { nextTask } from "./next-task.js";
import { readPiece } from "./piece.js";

const MOST_LOST = 4; // pieces of which no chunk can be read, of as many chunks, before any good one, for the others to be tried
const AT_ONCE = 4; // tiles
const MOST_BYTES = 96 * 2 ** 20; // of values of pieces that are out of view or of other steps

/** 64-bit integers as a typed array, signed as those of the array are. */
const exactArray = (list, { dtype }) => (dtype === "uint64" ? BigUint64Array : BigInt64Array).from(list, (v) => (typeof v === "bigint" ? v : 0n));

/** The chunk that a failure is of, which several pieces may share. */
const chunkOf = ({ coords, key, message }) => String(coords ?? key ?? message);

/** Whether a host failed at a piece and may not at the next request. */
const isPassing = ({ faults }) => Boolean(faults?.some(({ status }) => status >= 500));

/** The values of a picture, those of a map put together from its pieces. */
export const valuesOf = ({ plane, scene, values }) => (plane.isMap ? scene.valuesOf(plane) : values);

/** What a plan reads, and the tiles that are laid over it. */
const wantedOf = ({ pieces, tiles = [] }) => [...pieces, ...tiles];
const cellsIn = ({ pitch }) => pitch[0] * pitch[1];

const within = ({ box }, cell) => cell.every((at, i) => at >= box[i][0] && at < box[i][1]);
/** The range that two ranges span; either may be undefined. */
export const merged = (a, b) => (a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : (a ?? b));

/**
 * `onPiece(piece)` hears of each piece that is drawn as it comes, `prepare(piece, range)` makes one ready to be drawn, with
 * the range of its step where that is known, and `onDrop(piece)` hears of each that went.
 */
export function createScene({ onPiece, onDrop, prepare }) {
  let preparing = Promise.resolve();
  const ready = new Map(); // by key, least recently wanted first
  const pending = new Map(); // key -> { controller, reading }
  let held = 0;
  let plan;
  let front; // position of the step that is drawn

  function drop(key) {
    const piece = ready.get(key);
    ready.delete(key);
    held -= bytesOf(piece);
    onDrop(piece);
  }

  const isWanted = (key) => wantedOf(plan).some((one) => one.key === key);

  function keep(piece) {
    if (ready.has(piece.key)) drop(piece.key);
    ready.set(piece.key, piece);
    held += bytesOf(piece);
    for (const [key, { at }] of ready) {
      if (held <= MOST_BYTES) break;
      if (at !== front && !isWanted(key)) drop(key);
    }
    for (const key of ready.keys()) {
      if (held <= MOST_BYTES) break;
      if (!isWanted(key)) drop(key);
    }
  }

  function begin(piece) {
    const controller = new AbortController();
    const reading = readPiece(piece, controller.signal).then(async (read) => {
      if (piece.at === front) await inTurn();
      controller.signal.throwIfAborted();
      const here = { ...piece, ...read };
      keep(here);
      if (piece.at !== front || read.isLost) return here; // of nothing there is nothing to draw
      prepare(here);
      onPiece(here);
      return here;
    }).finally(() => pending.get(piece.key)?.controller === controller && pending.delete(piece.key));
    pending.set(piece.key, { controller, reading });
    return reading;
  }

  function stop(wanted = new Set()) {
    for (const [key, { controller }] of pending) {
      if (wanted.has(key)) continue;
      pending.delete(key);
      controller.abort();
    }
  }

  /** Waits for a task of one's own: one piece is made ready in each. */
  const inTurn = () => (preparing = preparing.then(nextTask));

  return {
    stop,
    /** Whether the step of a plan is drawn, or its pieces are as they come. */
    isShowing: ({ at }) => front === undefined || front === at,
    /**
     * Reads the pieces of a plan that are not here, and lets go of those under way that it has not. A step is drawn once
     * it is whole, unless nothing else is. Resolves with the range of the plan's values, and the `faults` of chunks that
     * cannot be read, one of each; rejects where none can be. What a host failed at is asked for again.
     */
    async load(next) {
      const isOther = plan && plan.at !== next.at;
      for (const [key, { at, faults }] of ready) if (isOther && faults && at === next.at) drop(key); // it is tried again
      plan = next;
      if (front === undefined || ![...ready.values()].some(({ at }) => at === front)) front = next.at;
      stop(new Set(next.pieces.map(({ key }) => key)));
      const isHere = ({ key }) => ready.has(key) && !isPassing(ready.get(key));
      const missing = next.pieces.filter((piece) => !isHere(piece));
      for (const { key } of next.pieces) {
        const piece = ready.get(key);
        if (piece && ready.delete(key)) ready.set(key, piece);
      }
      let good = next.pieces.filter((piece) => isHere(piece) && !ready.get(piece.key).isLost).length;
      let lost = 0;
      const bad = new Set(); // chunks
      try {
        await Promise.all(missing.map(async (piece) => {
          const { isLost, faults } = await (pending.get(piece.key)?.reading ?? begin(piece));
          if (!isLost) return void good++;
          bad.add(chunkOf(faults[0]));
          if (!good && (++lost === missing.length || bad.size >= MOST_LOST)) throw faults[0];
        }));
      } catch (error) {
        if (plan === next) stop();
        throw error;
      }
      const faults = [...new Map(next.pieces.flatMap(({ key }) => ready.get(key)?.faults ?? []).map((fault) => [chunkOf(fault), fault])).values()];
      const range = next.pieces.reduce((all, { key }) => merged(all, ready.get(key)?.range), undefined);
      for (const { key } of front === next.at ? [] : next.pieces) {
        await inTurn();
        if (plan !== next) break;
        prepare(ready.get(key), range);
      }
      await inTurn();
      if (plan === next) front = next.at;
      return { range, faults };
    },
    /** Reads tiles that lie over the pieces of a plan, some at a time and as long as it is the last one; what cannot be read of them is left out. */
    async lay(next, tiles) {
      if (plan !== next || front !== next.at) return;
      next.tiles = tiles;
      const left = tiles.filter(({ key }) => !ready.has(key));
      const readOn = async () => {
        for (let tile = left.shift(); tile && plan === next; tile = left.shift()) {
          await (pending.get(tile.key)?.reading ?? begin(tile)).catch(() => undefined);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, readOn));
    },
    /** All values that a plan asks for, by rows; NaN where they are not read. */
    valuesOf({ pieces, source, taken: [rows, columns], starts, steps }) {
      const values = new Float64Array(rows.count * columns.count).fill(NaN);
      const has = (what) => pieces.some(({ key }) => ready.get(key)?.values[what]);
      const exact = has("exact") ? Array.from(values) : undefined;
      const labels = has("labels") ? Array(values.length) : undefined; // of dates, some of which no number of milliseconds says
      for (const { key, start, counts } of pieces) {
        const piece = ready.get(key)?.values;
        const [top, left] = start.map((from, i) => (from - starts[i]) / steps[i]);
        for (let n = 0; piece && n < piece.length; n++) {
          const to = (top + Math.floor(n / counts[1])) * columns.count + left + (n % counts[1]);
          values[to] = piece[n];
          if (labels) labels[to] = piece.labels?.[n];
          if (exact) exact[to] = piece.exact?.[n] ?? (Number.isNaN(piece[n]) ? 0n : BigInt(piece[n]));
        }
      }
      return Object.assign(values, exact && { exact: exactArray(exact, source) }, labels && { labels });
    },
    /** The values of a plan's pieces, each in a list. */
    listsOf: ({ pieces }) => pieces.filter(({ key }) => ready.has(key)).map(({ key }) => ready.get(key).values),
    /** The range of a channel in the pieces that are drawn, or undefined. */
    rangeOf: (channel) => [...ready.values()].flatMap(({ at, layers = [] }) => (at === front ? layers : [])).reduce((all, layer) => (layer.channel === channel ? merged(all, layer.range) : all), undefined),
    /** The pieces to draw, the last ones on top. */
    drawn() {
      const current = [...ready.values()].filter(({ at }) => at === front);
      const wanted = new Set(plan?.pieces.map(({ key }) => key));
      const chosen = current.filter(({ key }) => wanted.has(key));
      const byPitch = (list) => list.sort((a, b) => cellsIn(b) - cellsIn(a));
      if (plan?.fits === false) return byPitch(current); // what is finer says more than samples that lie apart
      if (plan?.at === front && chosen.length === wanted.size) return chosen;
      return [...byPitch(current.filter(({ key }) => !wanted.has(key))), ...chosen];
    },
    /** The sample drawn at `[row, column]` of the array: its value, its place along every axis, and the cells it stands for. */
    sampleAt(cell) {
      const piece = this.drawn().findLast((one) => within(one, cell));
      if (!piece) return undefined;
      const { source, start, steps, counts, box, pitch, axes, origin, lost } = piece;
      const nth = cell.map((at, i) => Math.min(counts[i] - 1, Math.floor((at - box[i][0]) / pitch[i])));
      const cells = nth.map((n, i) => [box[i][0] + n * pitch[i], box[i][0] + (n + 1) * pitch[i]]);
      const own = origin.slice();
      axes.forEach((d, i) => (own[d] = start[i] + nth[i] * steps[i]));
      // Of a level, the array's cell in the middle of the level's; of the array itself, the very cell that was read.
      const at = cells.map(([from, to]) => (source.level ? Math.floor((from + to) / 2) : from));
      const n = nth[0] * counts[1] + nth[1];
      const valueIn = ({ values }) => (Number.isNaN(values[n]) ? NaN : (values.exact?.[n] ?? values[n]));
      const channels = piece.layers?.map((layer) => ({ channel: layer.channel, value: valueIn(layer) }));
      const isLost = lost?.some((part) => part.every(([from, to], i) => nth[i] >= from && nth[i] < to));
      return { isLost, label: piece.values.labels?.[n], value: valueIn(piece), channels, at, cells, chunk: source.grid.chunkAt(own).coords, level: source.level };
    },
    clear() {
      stop();
      for (const key of [...ready.keys()]) drop(key);
      front = undefined;
    },
  };
}
