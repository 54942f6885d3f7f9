// Keeps account of chunks: which each step touched, which of them were requested, what came of it, and what the package still holds.
import { CACHE_BYTES } from "./catalog.js";

const KEPT_STEPS = 400;

/** How a chunk stands, in words; the style sheet has a colour for each. */
export const STATES = {
  none: "not fetched", ahead: "asked for ahead", reading: "in flight", now: "fetched by this step", part: "partly in cache", held: "in cache",
  missing: "not stored", failed: "failed", many: "many chunks",
};

/** The chunk coordinates a store key ends in ("c/2/0/0", "2.0.0"), as "2/0/0"; undefined for metadata. */
function coordsOfKey(key, rank) {
  if (rank === 0) return /(^|\/)(c|0)$/.test(key) ? "" : undefined;
  const tail = /(?:^|[/.c])((?:\d+[/.])*\d+)$/.exec(key)?.[1].split(/[/.]/);
  return tail && tail.length >= rank ? tail.slice(-rank).join("/") : undefined;
}

const failedStatus = ({ status, bytes }) => bytes === undefined && status !== undefined && status !== 404 && status >= 400;

export class Ledger {
  /**
   * `path` is the array's in its source; keys of other arrays are not booked. `sizeOf(coords)` gives a decoded chunk's
   * bytes: the package's cache is mirrored here, least recently used out first. `shardOf(coords)`, where there are
   * shards, gives that of a chunk: what is stored under a key then is a shard, and its chunks come with the step.
   */
  constructor({ rank, path, sizeOf, shardOf, budget = CACHE_BYTES }) {
    Object.assign(this, { rank, sizeOf, shardOf, budget, prefix: path && `${path}/` });
    this.steps = [];
    this.held = new Map(); // "2/0/0" -> decoded bytes, oldest first
    this.heldBytes = 0;
    this.missing = new Set();
    this.failed = new Set();
    this.total = { requests: 0, bytes: 0 };
  }

  /** The requests made while opening, before any step: metadata and coordinates. */
  open(requests) {
    const step = this.begin("Opening", []);
    for (const info of requests) {
      step.requests.push(info);
      this.count(info);
    }
    this.finish(step, "done");
    step.ms = Math.max(0, ...requests.map(({ ms }) => ms ?? 0));
    return step;
  }

  /** A step begins: `touched` are the chunks it needs, and of them `wanted` those that are not held; one `ahead` of the user fetches them for later. */
  begin(label, touched, ahead = false) {
    const keys = new Set(touched.map((coords) => coords.join("/")));
    const wanted = new Set([...keys].filter((coords) => !this.held.has(coords)));
    const stored = Map.groupBy(touched, (coords) => (this.shardOf?.(coords) ?? coords).join("/")); // what is under each key
    const step = { label, ahead, touched: keys, wanted, stored, requests: [], ms: 0, started: performance.now(), state: "reading" };
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
    const stored = info.key.startsWith(this.prefix) ? coordsOfKey(info.key.slice(this.prefix.length), this.rank) : undefined;
    if (stored === undefined) return false;
    this.count(info);
    const step = this.steps.findLast((one) => one.stored.has(stored));
    step?.requests.push(info);
    for (const coords of step?.stored.get(stored).map((each) => each.join("/")) ?? []) this.book(coords, info);
    return true;
  }

  /** What a request tells of one chunk. */
  book(coords, info) {
    if (failedStatus(info)) {
      this.failed.add(coords);
      return;
    }
    this.failed.delete(coords);
    const isMissing = info.bytes === undefined && info.method !== "HEAD";
    if (isMissing) this.missing.add(coords);
    if (isMissing || !this.shardOf) this.hold(coords);
  }

  /** A step has ended; the `error` that ended it may name the chunk at fault. */
  finish(step, state, error) {
    step.state = state;
    step.ms = performance.now() - step.started;
    if (state === "done") for (const coords of step.touched) this.hold(coords);
    const at = error?.coords?.slice(0, this.rank).join("/") ?? (error?.key === undefined ? undefined : coordsOfKey(error.key, this.rank));
    for (const coords of step.stored.get(at)?.map((each) => each.join("/")) ?? []) {
      this.failed.add(coords);
      this.drop(coords);
    }
  }

  drop(coords) {
    this.heldBytes -= this.held.get(coords) ?? 0;
    this.held.delete(coords);
  }

  hold(coords) {
    const size = this.held.get(coords) ?? (this.missing.has(coords) ? 0 : this.sizeOf(coords === "" ? [] : coords.split("/").map(Number)));
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
}
