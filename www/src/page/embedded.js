// The array that the page shows unasked, from data that stands beside it, and better words for it than its attributes have.

/** Its address. */
export const EMBEDDED = new URL("data/clear-sky-2024.zarr/ghi", document.baseURI).href;

/** Place that the page opens where its address names none: an array, and the hash of a view of it or "". A catalog may say another one, or its list: `list(isShown)` shows that or takes it away, and tells which; then there is no array. */
export const home = { url: EMBEDDED, hash: "", list: () => false };

/** Where it opens: 20 June 2024. */
export const SOLSTICE = [171];

export const HEADING = {
  title: "Cloudless sunlight, every day of 2024",
  dek: "A year of daily maps stored in twelve chunks, one for each month, so they are of unequal length. Only the months you visit are fetched.",
};

/** Paths that the first picture takes of it: metadata and coordinates, and chunks. */
const SMALL = ["../zarr.json", "../lat/c/0", "../lon/c/0", "../time/c/0", "c/5/0/0"];
const CHUNKS = [1, 2, 3, 4].map((zone) => `c/5/${zone}/0`);

/** Asks for a path; resolves when it is there. */
const ask = (path) => new Promise((resolve) => {
  const href = new URL(path, `${EMBEDDED}/`).href;
  document.head.append(Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href, onload: resolve, onerror: resolve }));
});

/**
 * Has the browser fetch this while the WebAssembly is still on its way: the package's own requests then find it there. One
 * chunk at a time, as all of them would hold up the code, until the package asks for the others: `isOpen()`.
 */
export async function hasten(isOpen) {
  for (const path of SMALL) ask(path);
  for (const path of CHUNKS) if (!isOpen()) await ask(path);
}
