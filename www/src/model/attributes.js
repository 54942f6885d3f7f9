// Attributes of an image's array in Zarr v2: a document of each level's own, which the picture does not wait for. Loaded after it.

/**
 * Asks for the attributes of the array that is open, which was opened without, and puts them where they are shown. Where
 * they say more than the image's own do, the array may have to be read in another way: by a factor, or as flags.
 */
export async function complete(page, held, signal) {
  const { state } = held;
  const { dataset, catalog } = state;
  try {
    const array = await catalog.open(dataset.path, signal);
    const { attrs, dimensionNames } = array;
    array.free();
    const entry = catalog.entries.find(({ path }) => path === dataset.path);
    if (entry) Object.assign(entry, { attrs, dimensionNames });
    const isOther = dimensionNames && String(dimensionNames) !== String(dataset.names);
    const isMore = isOther || Object.keys(attrs).some((name) => name !== "_ARRAY_DIMENSIONS");
    if (!isMore) dataset.attrs = attrs; // others are said with what they scale
    if (held.state === state) await page.completed(state, isMore);
  } catch (error) {
    if (!signal.aborted) page.failed(error, true);
  }
}
