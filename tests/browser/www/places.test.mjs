/** What the explorer makes of an address, in Node: where its store ends, and that of its catalog. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { siteModule } from "../support/site-modules.mjs";

globalThis.document = { baseURI: "https://page.example/explorer/" };
const { catalogAddress, namesStore, placesOf } = await siteModule("model/source.js");

const likeliest = async (address) => {
  const [{ base, path }] = await placesOf(address);
  return [base, path];
};

test("a store, or an original file, ends where its name does", async () => {
  for (const name of ["a.zarr", "a.json", "a.nc", "a.nc3", "a.nc4", "a.cdf", "a.h5", "a.hdf5", "a.HE5", "a.tif", "a.tiff"]) {
    const base = `https://data.example/in/${name}`;
    assert.deepEqual(await likeliest(`${base}/group/t2m`), [base, "group/t2m"]);
    assert.deepEqual(await likeliest(base), [base, ""]);
    assert.equal(namesStore(`${base}/t2m`), true);
  }
  assert.deepEqual(await likeliest("https://data.example/in.nc.d/t2m"), ["https://data.example/in.nc.d/t2m", ""]);
  assert.equal(namesStore("https://data.example/ncs/t2m"), false);
});

test("a catalog's address is relative to the page, and what is none is passed over", () => {
  assert.equal(catalogAddress("catalog.json"), "https://page.example/explorer/catalog.json");
  assert.equal(catalogAddress("s3://bucket/catalog.json"), "https://bucket.s3.amazonaws.com/catalog.json");
  for (const none of [undefined, "file:///catalog.json", "https://", "http://a b/"]) assert.equal(catalogAddress(none), undefined);
});
