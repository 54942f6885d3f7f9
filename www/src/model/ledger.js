// Keeps account of chunks: which each step touched, which of them were requested, and which the package still holds.
import { CACHE_BYTES } from "./dataset.js";

const KEPT_STEPS = 400;

/** The chunk coordinates a store key ends in ("c/2/0/0", "2.0.0"), as "2/0/0"; undefined for metadata. */
export function coordsOfKey(key, rank) {
  if (rank === 0) return /(^|\/)(c|0)$/.test(key) ? "" : undefined;
  const tail = /(?:^|[/.c])((?:\d+[/.])*\d+)$/.exec(key)?.[1].split(/[/.]/);
  return tail && tail.length >= rank ? tail.slice(-rank).join("/") : undefined;
}

export class Ledger {
  /** `sizeOf(coords)` gives a decoded chunk's bytes: the package's cache is mirrored here, least recently used out first. */
  constructor(rank, sizeOf, budget = CACHE_BYTES) {
    Object.assign(this, { rank, sizeOf, budget });
    this.steps = [];
    this.held = new Map(); // "2/0/0" -> decoded bytes, oldest first
    this.heldBytes = 0;
    this.total = { requests: 0, bytes: 0 };
  }

  /** The requests made while opening, before any step: metadata and coordinates. */
  open(requests) {
    const step = this.begin("Opening", []);
    for (const info of requests) this.note({ ...info, opening: true });
    this.finish(step, "done");
    step.ms = Math.max(0, ...requests.map(({ ms }) => ms ?? 0));
    return step;
  }

  /** A step begins: `touched` are the chunks it needs. */
  begin(label, touched) {
    const step = { label, touched: new Set(touched.map((coords) => coords.join("/"))), requests: [], ms: 0, started: performance.now(), state: "reading" };
    this.steps.push(step);
    if (this.steps.length > KEPT_STEPS) this.steps.shift();
    return step;
  }

  /** A request of the package's, booked to the latest step that needs its chunk. */
  note(info) {
    const coords = info.opening ? undefined : coordsOfKey(info.key, this.rank);
    this.total.requests++;
    this.total.bytes += info.bytes ?? 0;
    const step = coords === undefined ? this.steps[0] : this.steps.findLast((one) => one.touched.has(coords));
    step?.requests.push({ ...info, coords });
    if (coords !== undefined && info.status !== undefined && (info.status < 300 || info.status === 404)) this.hold(coords);
  }

  finish(step, state) {
    step.state = state;
    step.ms = performance.now() - step.started;
    if (state === "done") for (const coords of step.touched) this.hold(coords);
  }

  hold(coords) {
    const known = this.held.get(coords);
    const size = known ?? this.sizeOf(coords === "" ? [] : coords.split("/").map(Number));
    this.held.delete(coords);
    this.held.set(coords, size);
    this.heldBytes += known === undefined ? size : 0;
    for (const [oldest, oldSize] of this.held) {
      if (this.heldBytes <= this.budget) break;
      this.held.delete(oldest);
      this.heldBytes -= oldSize;
    }
  }

  /** How many of these chunks ("2/0/0") are held. */
  heldOf(list) {
    let n = 0;
    for (const coords of list) n += this.held.has(coords) ? 1 : 0;
    return n;
  }

  /** Chunks that `step` itself fetched. */
  fetched(step) {
    return new Set(step.requests.map(({ coords }) => coords).filter((coords) => coords !== undefined));
  }
}
