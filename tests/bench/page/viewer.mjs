/**
 * A viewer of an array in tiles of one chunk that moves tile by tile, as pages have it that keep no tiles themselves: each
 * view asks for all of its tiles, and the reader's cache knows most of them. Runs inside the page.
 */

import { READERS, tile } from "./readers.mjs";

/** Tiles along each side of the view. */
const SIDE = 3;

/** How long a walk may take whose views wait for all of their tiles, in milliseconds: no view begins after that. */
const LONGEST = 20_000;

/** Top left tiles of the views: a walk around a field, which comes back to where it has been. */
const WALK = [[5, 4], [5, 5], [5, 6], [5, 7], [6, 7], [7, 7], [8, 7], [8, 6], [8, 5], [8, 4], [7, 4], [6, 4], [5, 4], [5, 5], [5, 6]];

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** The names of the tiles of a view. */
const tilesOf = ([row, column]) => Array.from({ length: SIDE * SIDE }, (_, nth) => `${row + Math.floor(nth / SIDE)} ${column + (nth % SIDE)}`);

class Viewer {
  #reader;
  #array;
  /** The tiles of the view that came, in it or in the last one, and what is asked for. */
  #there = new Set();
  #pending = new Map();
  /** Tiles that came while they were in the view, counted once for each stay. */
  shown = 0;
  /** The sum of some values of these, which is the same for every reader that shows the same tiles. */
  sum = 0;

  constructor(reader, array) {
    this.#reader = reader;
    this.#array = array;
  }

  /** Moves the view: aborts what left it, and asks for all that is in it and not on its way. Resolves once all tiles came. */
  async show(view) {
    const names = tilesOf(view);
    for (const [name, { controller }] of this.#pending) {
      if (names.includes(name)) continue;
      controller.abort();
      this.#pending.delete(name);
    }
    for (const name of this.#there) if (!names.includes(name)) this.#there.delete(name);
    for (const name of names) {
      if (this.#pending.has(name)) continue;
      const controller = new AbortController();
      this.#pending.set(name, { controller, coming: this.#ask(name, controller.signal) });
    }
    await Promise.all([...this.#pending.values()].map(({ coming }) => coming));
  }

  async #ask(name, signal) {
    try {
      const { data } = await this.#reader.get(this.#array, tile(256, name.split(" ").map(Number)), signal);
      if (signal.aborted) return;
      this.#pending.delete(name);
      if (this.#there.has(name)) return;
      this.#there.add(name);
      this.shown += 1;
      this.sum += data[0] + data.at(-1) + data.length;
    } catch (error) {
      if (signal.aborted) return;
      this.#pending.delete(name);
      // zarrita's joined ranges end all together once one of them is aborted: this tile is missing until the view moves.
      if (error.name !== "AbortError") throw error;
    }
  }
}

/** Opens the array by one of the readers, for the walk. */
export async function openOne(name, url) {
  const reader = READERS[name]();
  globalThis.opened = new Viewer(reader, await reader.open(url));
}

/**
 * Walks with the reader that was opened: each view once the one before is done, or every so many milliseconds. Tells the milliseconds of each
 * move whose tiles all came before the next one, when each view began, the tiles that were shown, the sum of their values,
 * and whether the walk came to its end.
 */
export async function walk(every) {
  const viewer = globalThis.opened;
  const [took, moves] = [[], []];
  const started = performance.now();
  let views = 0;
  for (const view of WALK) {
    if (!every && performance.now() - started > LONGEST) break;
    views += 1;
    const begun = performance.now();
    const done = viewer.show(view).then(() => performance.now() - begun);
    const ms = await (every ? Promise.race([done, wait(every)]) : done);
    moves.push({ view: view.join(" "), begun: performance.timeOrigin + begun, took: ms });
    // The first view has nine tiles to come, and no index.
    if (views > 1 && ms !== undefined) took.push(ms);
    if (every) await wait(Math.max(0, started + views * every - performance.now()));
  }
  return { took, moves, shown: viewer.shown, sum: viewer.sum, views, isWhole: views === WALK.length };
}
