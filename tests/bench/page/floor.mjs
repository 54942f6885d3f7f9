/** Plain `fetch` of the parts of files that a read asks for: the floor under any reader's time by URL. Runs inside the page. */

/** Requests in flight: the default of the option `concurrency`. Browsers send fewer at a time over HTTP/1.1. */
const IN_FLIGHT = 24;

/** The `Range` header for the range that `onRequest` tells. */
const header = ([start, stop]) => (start < 0 ? `bytes=${start}` : `bytes=${start}-${stop === undefined ? "" : stop - 1}`);

/** The requests of a read of this selection, as URLs, methods and ranges, with the bytes that came. */
export async function requestsOf({ RectilinearArray }, url, selection) {
  const asked = [];
  const array = await RectilinearArray.open(url, { workers: 0, cacheBytes: 0, onRequest: (info) => asked.push(info) });
  // The metadata are no part of the read.
  asked.length = 0;
  await array.get(selection);
  array.free();
  return asked.map(({ key, method, range, bytes = 0 }) => ({ url: `${url}/${key}`, method, range, bytes }));
}

/** Fetches these requests, `IN_FLIGHT` at a time. */
export async function fetchAll(requests) {
  const left = requests.values();
  let sum = 0;
  const fetchSome = async () => {
    for (const { url, method, range } of left) {
      // Browsers ask for the ranges of one URL one after the other where they may keep them.
      const init = range ? { method, headers: { Range: header(range) }, cache: "no-store" } : { method };
      const { byteLength } = await (await fetch(url, init)).arrayBuffer();
      sum += byteLength;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, fetchSome));
  const expected = requests.reduce((sum, { bytes }) => sum + bytes, 0);
  if (sum !== expected) throw new Error(`${sum} bytes were fetched, and ${expected} by the read`);
}
