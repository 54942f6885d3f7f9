// Keeps the view in the address: `#url=…&at=60&colours=magma`, so that a link restores it.

/** `{ url, index, colourMap, range, chunks, coast }`, each undefined where the address doesn't say. */
export function readHash() {
  const query = new URLSearchParams(location.hash.slice(1));
  const numbers = (name) => (query.get(name) ? query.get(name).split(",").map(Number) : undefined);
  const flag = (name) => (query.has(name) ? query.get(name) !== "0" : undefined);
  return { url: query.get("url") || undefined, index: numbers("at"), colourMap: query.get("colours") ?? undefined, range: numbers("range"), chunks: flag("chunks"), coast: flag("coast") };
}

/** Writes the same; `fresh` makes an entry of its own in the history. Defaults are left out. */
export function writeHash({ url, index, colourMap, range, chunks, coast }, fresh = false) {
  const parts = [
    url && `url=${encodeURIComponent(url).replaceAll("%2F", "/").replaceAll("%3A", ":")}`,
    index?.length && `at=${index.join(",")}`,
    colourMap && `colours=${colourMap}`,
    range && `range=${range.join(",")}`,
    chunks === false && "chunks=0",
    coast === false && "coast=0",
  ].filter(Boolean);
  const next = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
  history[fresh ? "pushState" : "replaceState"](null, "", next);
}
