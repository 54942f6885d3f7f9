/** A page with zarrita, the adapters, and stores of arrays in memory to show. */

import { openZarrita } from "./viewers.mjs";

/**
 * Opens a page as `openZarrita` does, with more globals: `arrayFiles(path, items, document)`, the files of an array of
 * one chunk; `groupFiles(attributes, ...arrays)`, a Map of a group and arrays; `documentOf(store, key)`.
 */
export async function openViews() {
  const page = await openZarrita();
  await page.run(() => {
    const utf8 = new TextEncoder();
    /** Files of an array of one chunk: `items` as a typed array, or bytes. */
    globalThis.arrayFiles = (path, items, document = {}) => {
      const shape = document.shape ?? [items.length];
      const whole = {
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: items.constructor.name.replace(/^Big|Array$/g, "").toLowerCase(),
        chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
        chunk_key_encoding: { name: "default" },
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
        fill_value: 0,
        ...document,
      };
      return [[`${path}/zarr.json`, utf8.encode(JSON.stringify(whole))], [[path, "c", ...shape.map(() => 0)].join("/"), new Uint8Array(items.buffer)]];
    };
    globalThis.groupFiles = (attributes, ...arrays) => new Map([["/zarr.json", utf8.encode(JSON.stringify({ zarr_format: 3, node_type: "group", attributes }))], ...arrays.flat()]);
    globalThis.documentOf = async (store, key = "/zarr.json") => JSON.parse(new TextDecoder().decode(await store.get(key)));
  });
  return page;
}
