/** Vitessce's loaders of AnnData, as npm has them, read cells by genes through `asRegularStore`. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { VIEWED } from "../support/viewed.mjs";
import { openViewers } from "../support/viewers.mjs";

const [CELLS, GENES] = [50, 12];

const names = (letter, length) => Array.from({ length }, (_, nth) => `${letter}${nth}`);
const column = (gene) => Array.from({ length: CELLS }, (_, cell) => cell * 100 + gene);

describe("Vitessce's AnnData loaders", () => {
  let page;
  before(async () => (page = await openViewers(["vitessce", "zarrita"], { "/viewed": VIEWED })));
  after(() => page?.close());

  /** Calls `read` with a source of data over the store that is shown, or over the files. */
  const load = (isRegular, read) =>
    page.run(
      `async ({ Group, support }) => {
        const [{ asRegularStore }, { FetchStore }, vitessce] = await Promise.all([
          import("rectilinear-zarr/adapters"), import("/viewers/zarrita.js"), import("/viewers/vitessce.js"),
        ]);
        const url = location.origin + "/viewed/cells.zarr";
        const store = ${isRegular} ? asRegularStore(await Group.open(url), { as: { "layers/counts": "int32" } }) : new FetchStore(url);
        const source = new vitessce.AnnDataSource({ store, url, fileType: "anndata.zarr" });
        let found;
        const error = await support.rejection(async () => void (found = await (${read})(source, vitessce)));
        return found ?? error;
      }`,
    );

  const matrix = async (source) => {
    const { data, shape } = await source.loadNumeric("X");
    return { data: Array.from(data), shape };
  };

  test("without it an uneven matrix is not read", async () => {
    assert.equal((await load(false, matrix)).name, "TypeError");
  });

  test("an uneven matrix", async () => {
    const data = Array.from({ length: CELLS * GENES }, (_, at) => Math.floor(at / GENES) * 100 + (at % GENES));
    assert.deepEqual(await load(true, matrix), { data, shape: [CELLS, GENES] });
  });

  test("genes of an uneven matrix by name", async () => {
    const found = await load(true, async (source, { ObsFeatureMatrixAnndataLoader }) => {
      const loader = new ObsFeatureMatrixAnndataLoader(source, { options: { path: "X" } });
      const { data } = await loader.loadGeneSelection({ selection: ["g3", "g11"] });
      return data.map((gene) => Array.from(gene));
    });
    assert.deepEqual(found, [column(3), column(11)]);
  });

  test("names of cells and genes", async () => {
    const found = await load(true, async (source) => [await source.loadObsIndex(), await source.loadVarIndex()]);
    assert.deepEqual(found, [names("c", CELLS), names("g", GENES)]);
  });

  test("an uneven int64 matrix as int32, and a sharded embedding", async () => {
    const found = await load(true, async (source) => {
      const { data } = await source.loadNumeric("layers/counts");
      const { data: columns, shape } = await source.loadNumericForDims("obsm/X_pca", [0, 1]);
      return { type: data.constructor.name, counts: Array.from(data), columns: columns.map((one) => Array.from(one)), shape };
    });
    const counts = Array.from({ length: CELLS * GENES }, (_, at) => Math.floor(at / GENES) * 100 + (at % GENES));
    assert.deepEqual(found, { type: "Int32Array", counts, columns: [column(0), column(1)], shape: [2, CELLS] });
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
