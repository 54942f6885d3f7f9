/** Waterfalls of a walk's requests: when each began and ended, and which one it waited for. */

import { watch } from "./emulated.mjs";

/** Milliseconds after another request's end, or a view's begin, within which a request is taken to wait for it. */
const SOON = 30;

/** Records the requests of a tab from now on, with times in ms since 1970. */
export async function recordRequests(tab) {
  const session = await watch(tab);
  const requests = new Map();
  session.on("Network.requestWillBeSent", ({ requestId, request: { url, method, headers }, timestamp, wallTime }) => {
    const start = wallTime * 1000;
    requests.set(requestId, { url, method, range: headers.Range ?? headers.range, start, bytes: 0, at: (time) => start + (time - timestamp) * 1000 });
  });
  const note = (requestId, name, timestamp) => {
    const request = requests.get(requestId);
    if (request) request[name] = request.at(timestamp);
  };
  session.on("Network.responseReceived", ({ requestId, timestamp }) => note(requestId, "head", timestamp));
  session.on("Network.dataReceived", ({ requestId, dataLength }) => requests.has(requestId) && (requests.get(requestId).bytes += dataLength));
  for (const end of ["loadingFinished", "loadingFailed"]) session.on(`Network.${end}`, ({ requestId, timestamp }) => note(requestId, "end", timestamp));
  return requests;
}

/** Part that a request asks for: a value, its length, its end (the index of a shard), or a part of it. */
function whatOf({ method, range }) {
  if (method === "HEAD") return "length";
  if (!range) return "value";
  return range.startsWith("bytes=-") ? "index" : "chunks";
}

/**
 * Prints the requests of each view of a walk. `moves` are the views with their begin and their milliseconds; the floor of
 * a view is the time that the network alone takes: a latency for each request that waits for another, and the bytes.
 */
export function printWaterfall(requests, moves, { rate, latency }) {
  const all = [...requests.values()].sort((a, b) => a.start - b.start);
  const ms = (time) => (time === undefined ? "" : time.toFixed(0)).padStart(6);
  for (const [nth, { view, begun, took }] of moves.entries()) {
    const own = all.filter(({ start }) => start >= begun && start < (moves[nth + 1]?.begun ?? Infinity));
    let floor = 0;
    const rounds = [];
    const rows = own.map((request, number) => {
      const { url, range, start, head, end, bytes } = request;
      const before = own.findLastIndex((other) => other.url === url && other.end <= start && start - other.end < SOON);
      rounds[number] = before < 0 ? 1 : rounds[before] + 1;
      floor += (bytes * 8) / (rate * 1000);
      const waits = before < 0 ? (start - begun < SOON ? "" : "waited for the page") : `waited for ${before + 1}`;
      const times = [start, head, end].map((time) => ms(time - begun)).join("");
      return `      ${`${number + 1}`.padStart(2)}${times}${ms(bytes / 1000)} kB  ${whatOf(request).padEnd(7)}${new URL(url).pathname.replace("/store", "").padEnd(10)}${(range ?? "").padEnd(26)}${waits}`.trimEnd();
    });
    floor += Math.max(0, ...rounds) * latency;
    console.log(`    view ${nth + 1} at ${view}: ${took === undefined ? "not done" : `${took.toFixed(0)} ms`}, floor ${floor.toFixed(0)} ms${rows.length ? "; requests: begin, head, end" : ""}`);
    for (const row of rows) console.log(row);
  }
}
