/** Small servers of local folders, as they answer ranges: http-server 14.1.1 (npm) and RangeHTTPServer 1.4.0 (PyPI). */

/** Rule for a FaultyHost: http-server takes `bytes=-n` for a range without a start, and answers 416. */
export function httpServer(exchange) {
  const [first, last] = (exchange.range ?? "").trim().replace(/bytes=/, "").split("-").map((text) => parseInt(text, 10));
  if (!exchange.range || !exchange.bytes) return;
  const end = Math.min(exchange.bytes.length - 1, Number.isNaN(last) || last === undefined ? exchange.bytes.length - 1 : last);
  if (Number.isNaN(first) || first > end) Object.assign(exchange, { status: 416 });
}

/** Rule for a FaultyHost: RangeHTTPServer answers 400 for what is not `bytes=a-` or `bytes=a-b`, and knows no ETags. */
export function rangeHttpServer(exchange) {
  exchange.etag = undefined;
  if (exchange.range && !/^bytes=\d+-(\d+)?$/.test(exchange.range)) Object.assign(exchange, { status: 400 });
}
