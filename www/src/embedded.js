// The array that the page shows unasked, from data that stands beside it, and better words for it than its attributes have.

/** Its address. */
export const EMBEDDED = new URL("data/clear-sky-2024.zarr/ghi", document.baseURI).href;

/** Where it opens: 20 June 2024. */
export const SOLSTICE = [171];

export const HEADING = {
  title: "Cloudless sunlight, every day of 2024",
  dek: "A year of daily maps stored in twelve chunks, one for each month, so they are of unequal length. Only the months you visit are fetched.",
};
