// Keeps account of chunks: which each step touched, which of them were requested, what came of it, and what the package still holds.
import { CACHE_BYTES } from "./catalog.js";
import { chunkBytes } from "./plane.js";

const KEPT_STEPS = 400;

/** How a chunk stands, in words; the style sheet has a colour for each. */
export const STATES = {
  none: "not fetched", ahead: "asked for ahead", reading: "in flight", now: "fetched by this step", part: "partly in cache", held: "in cache",
  missing: "not stored", failed: "failed", many: "many chunks",
};

/** What a ledger has to know of an array at a path: of it, and of the coarser levels of its pyramid. */
export const bookedOf = (sources, path) => sources.map((source) => {
  const { grid, shards, level } = source;
  return { path: level ? source.path : path, sizeOf: (coords) => chunkBytes(source, coords), shardOf: shards && ((coords) => shards.chunkAt(grid.bounds(coords).start).coords) };
});

/** A chunk by its coordinates, and by the level of a pyramid that it is of. */
export const keyOf = (coords, level = 0) => (level ? `${level}:${coords.join("/")}` : coords.join("/"));

const levelOf = (key) => (key.includes(":") ? Number(key.split(":")[0]) : 0);
const placeOf = (key) => (key === "" ? [] : key.split(":").at(-1).split("/").map(Number));

/** The chunk coordinates a store key ends in ("c/2/0/0", "2.0.0"), as "2/0/0"; undefined for metadata. */
function coordsOfKey(key, rank) {
  if (rank === 0) return /(^|\/)(c|0)$/.test(key) ? "" : undefined;
  const tail = /(?:^|[/.c])((?:\d+[/.])*\d+)$/.exec(key)?.[1].split(/[/.]/);
  return tail && tail.length >= rank ? tail.slice(-rank).join("/") : undefined;
}

const failedStatus = ({ status, bytes }) => bytes === undefined && status !== undefined && status !== 404 && status >= 400;

export class Ledger {
  /**
   * `arrays` has the array that is open, and after it, by their numbers, the coarser levels of its pyramid; keys of others
   * are not booked. One that is taken off the open array comes after them, with its levels, as if they were more. `path`
   * is an array's in its source, and begins with “//” and the host where this is another store. `sizeOf(coords)` gives a decoded chunk's bytes: the package's cache is mirrored here, least recently used out first. `shardOf(coords)`, where there are shards, gives that of a
   * chunk: what is stored under a key then is a shard, and its chunks come with the step.
   */
  constructor({ rank, arrays, budget = CACHE_BYTES }) {
    Object.assign(this, { rank, arrays, budget });
    this.steps = [];
    this.held = new Map(); // "2/0/0" -> decoded bytes, oldest first
    this.heldBytes = 0;
    this.missing = new Set();
    this.failed = new Set();
    this.total = { requests: 0, bytes: 0 };
  }

  /** Requests beside the steps, for metadata and coordinates. */
  open(requests, label = "Opening") {
    const step = this.begin(label, []);
    for (const info of requests) {
      step.requests.push(info);
      this.count(info);
    }
    this.finish(step, "done");
    step.ms = Math.max(0, ...requests.map(({ ms }) => ms ?? 0));
    return step;
  }

  /** A step begins: `touched` are the chunks it needs, and of them `wanted` those that are not held; one `ahead` of the user fetches them for later. They are of a `level`; those of another array are in `less`, with its number. */
  begin(label, touched, { ahead = false, level = 0, less } = {}) {
    const all = [{ touched, level }, ...(less ? [less] : [])].flatMap((one) => one.touched.map((coords) => [keyOf(coords, one.level), keyOf(this.arrays[one.level].shardOf?.(coords) ?? coords, one.level)]));
    const keys = new Set(all.map(([key]) => key));
    const wanted = new Set([...keys].filter((coords) => !this.held.has(coords)));
    const stored = Map.groupBy(all, ([, under]) => under); // what is under each key
    const step = { label, ahead, level, touched: keys, wanted, stored, requests: [], ms: 0, started: performance.now(), state: "reading" };
    this.steps.push(step);
    if (this.steps.length > KEPT_STEPS) this.steps.shift();
    return step;
  }

  count({ bytes = 0 }) {
    this.total.requests++;
    this.total.bytes += bytes;
  }

  /**
   * A request of the package's, booked to the latest step that needs its chunk, or of a file that references lead to, to
   * the latest that reads. False where it is none of this array's.
   */
  note(info) {
    const reading = /^\w+:\/\//.test(info.key) && this.steps.findLast((one) => one.state === "reading");
    if (reading) {
      this.count(info);
      reading.requests.push(info);
      return true;
    }
    const stored = this.storedAt(info.key);
    if (stored === undefined) return false;
    this.count(info);
    const step = this.steps.findLast((one) => one.stored.has(stored));
    step?.requests.push(info);
    for (const [coords] of step?.stored.get(stored) ?? []) this.book(coords, info);
    return true;
  }

  /** Chunk or shard, with its level, that a store's key holds; undefined where it is none of these. */
  storedAt(key) {
    for (const [level, { path }] of this.arrays.entries()) {
      if (path.startsWith("//") !== key.startsWith("//")) continue; // of another store
      const coords = key.startsWith(path && `${path}/`) ? coordsOfKey(key.slice(path && path.length + 1), this.rank) : undefined;
      if (coords !== undefined) return level ? `${level}:${coords}` : coords;
    }
    return undefined;
  }

  /** Notes a request for one chunk. */
  book(coords, info) {
    if (failedStatus(info)) {
      this.failed.add(coords);
      return;
    }
    this.failed.delete(coords);
    // An answer of other bytes than were asked for, after which the request is made again, tells nothing.
    const isMissing = info.bytes === undefined && info.method !== "HEAD" && !(info.status >= 200 && info.status < 300);
    if (isMissing) this.missing.add(coords);
    if (isMissing || !this.arrays[levelOf(coords)].shardOf) this.hold(coords);
  }

  /** A step has ended; the `error` that ended it may name the chunk at fault. */
  finish(step, state, error) {
    step.state = state;
    step.ms = performance.now() - step.started;
    if (state === "done") for (const coords of step.touched) this.hold(coords);
    if (error) this.blame(step, error);
  }

  /** Notes the chunk of a step that an error is of. */
  blame(step, error) {
    const under = error.key === undefined ? undefined : this.storedAt(error.key);
    const coordsAt = error.coords && keyOf(error.coords.slice(0, this.rank), step.level);
    const at = under ?? coordsAt ?? (error.key === undefined ? undefined : coordsOfKey(error.key, this.rank));
    for (const [coords] of step.stored.get(at) ?? []) {
      this.failed.add(coords);
      this.drop(coords);
    }
  }

  drop(coords) {
    this.heldBytes -= this.held.get(coords) ?? 0;
    this.held.delete(coords);
  }

  hold(coords) {
    const size = this.held.get(coords) ?? (this.missing.has(coords) ? 0 : this.arrays[levelOf(coords)].sizeOf(placeOf(coords)));
    this.drop(coords);
    this.held.set(coords, size);
    this.heldBytes += size;
    this.failed.delete(coords);
    for (const oldest of this.held.keys()) {
      if (this.heldBytes <= this.budget) break;
      this.drop(oldest);
    }
  }

  /** How a chunk ("2/0/0") stands, seen from the step that is drawn. */
  stateOf(coords, current) {
    if (this.failed.has(coords)) return "failed";
    if (this.held.has(coords)) {
      if (this.missing.has(coords)) return "missing";
      return current?.wanted.has(coords) ? "now" : "held";
    }
    const wanting = this.steps.findLast((step) => step.state === "reading" && step.touched.has(coords));
    return wanting ? (wanting.ahead ? "ahead" : "reading") : "none";
  }

  /** How several chunks stand together. */
  stateOfAll(list, current) {
    const states = new Set(list.map((coords) => this.stateOf(coords, current)));
    const known = ["failed", "reading", "ahead", "now"].find((state) => states.has(state));
    if (known) return known;
    if (states.size === 1) return states.values().next().value;
    return states.has("none") ? "part" : "held";
  }

  /** Whether nothing is stored of a map's picture, whose cells are fill values then. */
  isNowhere({ isMap, source, touched, needed = touched }, current) {
    return isMap && needed.length > 0 && needed.every((coords) => this.stateOf(keyOf(coords, source.level), current) === "missing");
  }
}
