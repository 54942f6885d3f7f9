// Keeps the view in the address: `#url=…&at=60&colours=magma`, so that a link restores it.

/** `{ url, index, axes, point, series, colourMap, range, chunks, coast }`, each undefined where the address doesn't say. */
export function readHash() {
  const query = new URLSearchParams(location.hash.slice(1));
  const numbers = (name) => (query.get(name) ? query.get(name).split(",").map(Number) : undefined);
  const flag = (name) => (query.has(name) ? query.get(name) !== "0" : undefined);
  return {
    url: query.get("url") || undefined, index: numbers("at"), axes: numbers("axes"), point: numbers("point"), along: numbers("along")?.[0],
    colourMap: query.get("colours") ?? undefined, range: numbers("range"), chunks: flag("chunks"), coast: flag("coast"),
  };
}

/** Writes the same over the entry of the history. Defaults are left out. */
export function writeHash({ url, index, axes, point, along, colourMap, range, chunks, coast }) {
  const parts = [
    url && `url=${encodeURIComponent(url).replaceAll("%2F", "/").replaceAll("%3A", ":")}`,
    index?.length && `at=${index.join(",")}`,
    axes && `axes=${axes.join(",")}`,
    point && `point=${point.join(",")}`,
    along !== undefined && `along=${along}`,
    colourMap && `colours=${colourMap}`,
    range && `range=${range.join(",")}`,
    chunks === false && "chunks=0",
    coast === false && "coast=0",
  ].filter(Boolean);
  history.replaceState(null, "", parts.length ? `#${parts.join("&")}` : location.pathname + location.search);
}
