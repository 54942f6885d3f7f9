// Attributes of an image's array in Zarr v2: a document of each level's own, which the picture does not wait for. Loaded after it.

/**
 * Asks for the attributes of an array that was opened without, and puts them where they are shown. True where they say
 * more than the image's own do, so that the array may have to be read in another way: by a factor, or as flags.
 */
export async function complete(catalog, dataset, signal) {
  const array = await catalog.open(dataset.path, signal);
  const { attrs, dimensionNames } = array;
  array.free();
  dataset.attrs = attrs;
  const entry = catalog.entries.find(({ path }) => path === dataset.path);
  if (entry) Object.assign(entry, { attrs, dimensionNames });
  const isOther = dimensionNames && String(dimensionNames) !== String(dataset.names);
  return isOther || Object.keys(attrs).some((name) => name !== "_ARRAY_DIMENSIONS");
}
