/** Options of what adapters show: types and chunks by path, orders of axes, times as text, and what is refused. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { NEIGHBOURS } from "../support/paths.mjs";
import { openViews } from "../support/views.mjs";

const times = JSON.parse(await readFile(join(NEIGHBOURS, "cf/times.json"), "utf8"));

describe("views by options", () => {
  let page;
  before(async () => (page = await openViews()));
  after(() => page?.close());

  test("types by path, by a function and for all; what is no number stays, or is refused where it is named", async () => {
    const found = await page.run(async ({ Group, support }) => {
      const { arrayFiles, asRegularStore, documentOf, groupFiles, zarr } = globalThis;
      const text = { data_type: "string", codecs: [{ name: "vlen-utf8" }], fill_value: "" };
      const arrays = [arrayFiles("/a", BigInt64Array.of(1n, 2n, 3n)), arrayFiles("/in/b", Float64Array.of(1.5, 2.5)), arrayFiles("/t", Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 65), { ...text, shape: [1] })];
      const group = await Group.open(groupFiles({}, ...arrays, arrayFiles("/flag", Uint8Array.of(1, 0), { data_type: "bool", fill_value: false })));
      const shown = async (options) => {
        const store = asRegularStore(group, options);
        const of = async (path) => {
          const array = await zarr.open(zarr.root(store).resolve(path), { kind: "array" });
          return [array.dtype, ...(await zarr.get(array)).data].map(String).join(" ");
        };
        return Promise.all(["a", "in/b", "t", "flag"].map((path) => of(path).catch((error) => `${error.name} ${error.feature}`)));
      };
      const refusals = [{ as: "int64" }, { as: 5 }, { as: { a: "int64" } }, { decode: "yes" }, { chunkShape: 5 }, { dimensions: "yx" }, { dimensions: ["y", "y"] }, { times: true }, { zarrFormat: 4 }, { attributes: {} }, { geozarr: "yes" }, { chunkShape: [1, "a"] }, { chunkShape: { a: [null] } }, { cacheBytes: "a" }, { cacheBytes: -1 }, { cacheBytes: NaN }];
      const refused = [];
      for (const options of refusals) refused.push((await support.rejection(async () => asRegularStore(group, options)))?.message ?? null);
      const lengths = [[0], [0, 1, 2, 3], [1.5, 2], { nowhere: [-1] }, Int32Array.of(0)];
      const beyondAxes = [];
      for (const chunkShape of lengths) beyondAxes.push((await support.rejection(async () => asRegularStore(group, { chunkShape })))?.name ?? null);
      const late = await support.rejection(() => documentOf(asRegularStore(group, { as: () => "int64" }), "/a/zarr.json"));
      const beyond = await support.rejection(async () => {
        const store = asRegularStore(await Group.open(groupFiles({}, arrayFiles("/a", BigInt64Array.of(-1n, 2n)))), { as: "uint8" });
        await documentOf(store, "/a/zarr.json");
        await store.get("/a/c/0");
      });
      return {
        none: await shown({}),
        all: await shown({ as: "float32" }),
        byPath: await shown({ as: { "/a/": "uint32", "in/b": "float32" } }),
        byType: await shown({ as: ({ dtype }, path) => ({ int64: "int16", bool: "uint8" })[dtype] ?? (path === "in/b" ? "float16" : undefined) }),
        named: await shown({ as: { t: "float32" } }),
        refused,
        beyondAxes,
        late: late.name,
        beyond: [beyond.name, beyond.message],
      };
    });
    assert.deepEqual(found.none, ["int64 1 2 3", "float64 1.5 2.5", "string A", "bool true false"]);
    assert.deepEqual(found.all, ["float32 1 2 3", "float32 1.5 2.5", "string A", "float32 1 0"]);
    assert.deepEqual(found.byPath, ["uint32 1 2 3", "float32 1.5 2.5", "string A", "bool true false"]);
    assert.deepEqual(found.byType, ["int16 1 2 3", "float16 1.5 2.5", "string A", "uint8 1 0"]);
    assert.equal(found.named[2], "UnsupportedError string");
    found.refused.forEach((message) => assert.match(message, /^the option \w+ takes /));
    assert.deepEqual(found.beyondAxes, new Array(5).fill("RangeError"));
    assert.equal(found.late, "TypeError");
    assert.equal(found.beyond[0], "RangeError");
    assert.match(found.beyond[1], /-1, which uint8 cannot hold/);
  });

  test("attributes by a function, which may change what it is given, and has to return an object", async () => {
    const { found, refused } = await page.run(async ({ Group, support }) => {
      const { arrayFiles, asRegularStore, documentOf, groupFiles, toZarrita, zarr } = globalThis;
      const group = await Group.open(groupFiles({ n: 1 }, arrayFiles("/a", Int16Array.of(1), { attributes: { scale_factor: 2, list: [1] } })));
      const array = await group.array("a");
      const attributes = (_, attrs) => {
        delete attrs.scale_factor;
        attrs.list?.push(2);
        attrs.n = (attrs.n ?? 0) + 1;
        return attrs;
      };
      const store = asRegularStore(array, { attributes });
      const shown = async (store) => (await documentOf(store, "/zarr.json")).attributes;
      const found = [await shown(store), await shown(store), await shown(asRegularStore(group, { attributes })), await shown(asRegularStore(group, { attributes }))];
      for (let times = 0; times < 2; times++) found.push((await toZarrita(zarr, array, { attributes })).attrs);
      // What zarrita's caller changes is not the array's either.
      (await toZarrita(zarr, array)).attrs.list.push(3);
      found.push(array.attrs, group.attrs);
      const refused = [];
      for (const result of [undefined, "x", [], Promise.resolve({ x: 1 })]) {
        const wrong = { attributes: () => result };
        for (const opened of [array, group]) refused.push(await support.rejection(() => asRegularStore(opened, wrong).get("/zarr.json")));
        refused.push(await support.rejection(() => toZarrita(zarr, array, wrong)));
      }
      return { found, refused: refused.map((error) => error && `${error.name}: ${error.message}`) };
    });
    const [changed, ofGroup] = [{ list: [1, 2], n: 1 }, { n: 2 }];
    assert.deepEqual(found, [changed, changed, ofGroup, ofGroup, changed, changed, { scale_factor: 2, list: [1] }, { n: 1 }]);
    assert.equal(refused.length, 12);
    refused.forEach((message) => assert.match(message, /^TypeError: the option attributes /));
  });

  test("large integers among attributes are shown with all their digits, and named in messages", async () => {
    const { texts, refused, kept, unpacked } = await page.run(async ({ Group, support }) => {
      const { arrayFiles, asRegularStore, groupFiles, zarr } = globalThis;
      const group = await Group.open(groupFiles({}, arrayFiles("/a", Float64Array.of(1))));
      const attributes = () => ({ id: 2n ** 60n + 1n, deep: { ids: [-(2n ** 63n), 2n ** 64n - 1n, 10n ** 30n] }, _FillValue: 2n ** 53n });
      const texts = [];
      for (const [zarrFormat, keys] of [[2, ["/.zattrs", "/a/.zattrs", "/a/.zarray"]], [3, ["/zarr.json", "/a/zarr.json"]]]) {
        const store = asRegularStore(group, { attributes, zarrFormat });
        for (const key of keys) texts.push(new TextDecoder().decode(await store.get(key)));
      }
      // The same among attributes that are stored, whose digits JSON.stringify cannot write.
      const utf8 = [new TextEncoder(), new TextDecoder()];
      const given = groupFiles({ id: "#" }, arrayFiles("/a", Int16Array.of(1, 2), { attributes: { id: "#", scale_factor: "#", valid_min: "#" } }));
      const stored = new Map([...given].map(([key, bytes]) => [key, key.endsWith(".json") ? utf8[0].encode(utf8[1].decode(bytes).replaceAll('"#"', "1152921504606846977")) : bytes]));
      const keys = { 2: ["/.zattrs", "/a/.zattrs"], 3: ["/zarr.json", "/a/zarr.json"] };
      const kept = [];
      for (const options of [{}, { as: "int32" }, { decode: "cf" }, { geozarr: true }]) {
        for (const zarrFormat of [2, 3]) {
          const store = asRegularStore(await Group.open(stored), { ...options, zarrFormat });
          for (const key of keys[zarrFormat]) kept.push(utf8[1].decode(await store.get(key)));
        }
      }
      const lone = await zarr.open(asRegularStore(await (await Group.open(stored)).array("a"), { decode: "cf" }), { kind: "array" });
      const unpacked = [...(await zarr.get(lone)).data].map(String);
      const wrong = [{ attributes: () => 5n }, { chunkShape: [1n] }, { dimensions: 7n }];
      const refused = [];
      for (const options of wrong) refused.push((await support.rejection(async () => asRegularStore(group, options).get("/zarr.json")))?.message);
      return { texts, refused, kept, unpacked };
    });
    assert.equal(kept.length, 16);
    for (const text of kept) assert.match(text, /"id":1152921504606846977[,}]/);
    // The factor counts as the nearest number.
    assert.deepEqual(unpacked, [String(2n ** 60n), String(2n ** 61n)]);
    const [ofGroup, ofArray, array, ...newer] = texts;
    const digits = '"id":1152921504606846977,"deep":{"ids":[-9223372036854775808,18446744073709551615,1000000000000000000000000000000]}';
    for (const text of [ofGroup, ofArray, ...newer]) assert.ok(text.includes(digits), text);
    assert.match(array, /"fill_value":9007199254740992/);
    for (const [at, words] of [/returned 5 /, /got \[1\]/, /got 7$/].entries()) assert.match(refused[at], words);
  });

  test("null counts as absent, for all arrays and for one", async () => {
    const found = await page.run(async ({ Group }) => {
      const { arrayFiles, asRegularStore, documentOf, groupFiles, zarr } = globalThis;
      const { fetchHandler, toZarrita } = await import("rectilinear-zarr/adapters");
      const array = arrayFiles("/a", Int16Array.of(1, 2), { dimension_names: ["x"], attributes: { n: 5 } });
      const group = await Group.open(groupFiles({}, array));
      const ofArray = { chunkShape: null, as: null, decode: null, attributes: null, dimensions: null, times: null };
      const nothing = { ...ofArray, geozarr: null, zarrFormat: null, cacheBytes: null };
      const byPath = { chunkShape: { a: null }, as: { a: null }, decode: () => null };
      const texts = [];
      for (const options of [undefined, null, {}, nothing, byPath]) texts.push(JSON.stringify(await documentOf(asRegularStore(group, options), "/a/zarr.json")));
      const lone = [];
      for (const options of [undefined, null, ofArray, { ...byPath, chunkShape: () => null }]) {
        const opened = await toZarrita(zarr, await group.array("a"), options);
        lone.push([opened.dtype, opened.chunks, opened.attrs, [...(await zarr.get(opened)).data]]);
      }
      const answers = [];
      for (const options of [undefined, null, { ...nothing, base: null, path: null }]) {
        const response = await fetchHandler(group, options)(new Request("https://host/a/zarr.json"));
        answers.push(JSON.stringify(await response.json()));
      }
      return { texts, lone, answers };
    });
    const [first] = found.texts;
    assert.match(first, /"data_type":"int16".*"attributes":\{"n":5\}/);
    for (const text of [...found.texts, ...found.answers]) assert.equal(text, first);
    for (const one of found.lone) assert.deepEqual(one, ["int16", [2], { n: 5 }, [1, 2]]);
  });

  test("chunk shapes by path, of views in another order, and coordinates in one chunk", async () => {
    const found = await page.run(async ({ Group }) => {
      const { arrayFiles, asRegularStore, documentOf, groupFiles } = globalThis;
      const uneven = (lists) => ({ name: "rectilinear", configuration: { kind: "inline", chunk_shapes: lists } });
      const data = arrayFiles("/v", Int32Array.of(0), { shape: [9, 600, 700], chunk_grid: uneven([[4, 5], [300, 300], [100, 600]]), dimension_names: ["t", "x", "y"] });
      const time = arrayFiles("/t", Int32Array.of(0), { shape: [366], chunk_grid: uneven([[31, 29, 306]]) });
      const group = await Group.open(groupFiles({}, data, time));
      const shapes = async (options) => {
        const store = asRegularStore(group, options);
        const [v, t] = await Promise.all(["/v", "/t"].map((path) => documentOf(store, `${path}/zarr.json`)));
        return [v.shape, v.dimension_names, v.chunk_grid.configuration.chunk_shape, t.chunk_grid.configuration.chunk_shape];
      };
      return [await shapes({}), await shapes({ chunkShape: { v: [1, 600, 700] } }), await shapes({ dimensions: ["y", "x", "..."] }), await shapes({ dimensions: ["y", "x", "t"], chunkShape: [7, 6, 9] })];
    });
    assert.deepEqual(found, [
      [[9, 600, 700], ["t", "x", "y"], [5, 300, 512], [366]],
      [[9, 600, 700], ["t", "x", "y"], [1, 600, 700], [366]],
      [[700, 600, 9], ["y", "x", "t"], [300, 300, 9], [366]],
      [[700, 600, 9], ["y", "x", "t"], [7, 6, 9], [366]],
    ]);
  });

  test("axes in another order: every item in its place, of numbers, complex numbers and text", async () => {
    const failures = await page.run(async ({ RectilinearArray }) => {
      const { arrayFiles, asRegularStore, toZarrita, zarr } = globalThis;
      const failures = [];
      const [a, b, c] = [3, 4, 5];
      const numbers = new Map(arrayFiles("", Int16Array.from({ length: a * b * c }, (_, nth) => nth), { shape: [a, b, c], dimension_names: ["a", "b", "c"] }));
      const complex = new Map(arrayFiles("", Float32Array.from({ length: 2 * a * b * c }, (_, nth) => nth), { shape: [a, b, c], data_type: "complex64", fill_value: [0, 0], dimension_names: ["a", "b", "c"] }));
      for (const [files, each] of [[numbers, 1], [complex, 2]]) {
        const array = await RectilinearArray.open(files);
        const { data: direct } = await array.get();
        for (const dimensions of [["c", "b", "a"], ["b", "…"], ["…", "a"], ["nowhere", "…", "c", "a"], ["a", "c"]]) {
          const listed = dimensions.filter((name) => "abc".includes(name));
          const rest = [..."abc"].filter((name) => !listed.includes(name));
          const names = dimensions.includes("…") ? dimensions.flatMap((name) => (name === "…" ? rest : listed.includes(name) ? [name] : [])) : [...rest, ...listed];
          const sizes = { a, b, c };
          const steps = { a: b * c, b: c, c: 1 };
          const expected = [];
          for (let i = 0; i < sizes[names[0]]; i++) for (let j = 0; j < sizes[names[1]]; j++) for (let k = 0; k < sizes[names[2]]; k++) {
            const at = i * steps[names[0]] + j * steps[names[1]] + k * steps[names[2]];
            for (let element = 0; element < each; element++) expected.push(direct[at * each + element]);
          }
          for (const chunkShape of [undefined, [2, 2, 2], [1, 3, 4]]) {
            const store = asRegularStore(array, { dimensions, chunkShape });
            const shown = each === 1 ? await zarr.get(await zarr.open(store, { kind: "array" })) : await (await RectilinearArray.open(store)).get();
            const found = await toZarrita(zarr, array, { dimensions, chunkShape });
            const [one, other] = [shown.data, (await zarr.get(found)).data].map((data) => [...(data.elements ?? data)].join());
            if (one !== expected.join() || other !== one) failures.push(`${dimensions} ${chunkShape}: ${one}`);
            if (found.dimensionNames.join("") !== names.join("")) failures.push(`${found.dimensionNames} instead of ${names}`);
          }
        }
      }
      return failures;
    });
    assert.deepEqual(failures, []);
  });

  test("times as the labels of cftime and numpy, without what described the numbers", async () => {
    const cases = times.filter(({ attributes, labels, data_type }) => labels && /since/.test(attributes?.units ?? "") && !data_type).slice(0, 40);
    assert.ok(cases.length > 10);
    const failures = await page.run(async ({ Group }, cases) => {
      const { arrayFiles, asRegularStore, groupFiles, toZarrita, zarr } = globalThis;
      const failures = [];
      for (const { attributes, values, labels } of cases) {
        const items = Float64Array.from(values);
        const named = (name) => ({ attributes: { long_name: name, ...attributes }, dimension_names: ["time"] });
        const group = await Group.open(groupFiles({}, arrayFiles("/time", items, named("time")), arrayFiles("/lag", items, named("lag"))));
        const store = asRegularStore(group, { times: "labels", chunkShape: [2], as: "float32" });
        const [time, lag] = await Promise.all(["time", "lag"].map((name) => zarr.open(zarr.root(store).resolve(name), { kind: "array" })));
        const { data } = await zarr.get(time);
        if (data.join() !== labels.map((label) => label ?? "").join()) failures.push(`${JSON.stringify(attributes)}: ${data} instead of ${labels}`);
        if (JSON.stringify(time.attrs) !== '{"long_name":"time"}') failures.push(JSON.stringify(time.attrs));
        // An array that is shown alone has no name, so that its dimension may have any.
        const alone = await group.array("time");
        const [stored, held] = [await zarr.open(asRegularStore(alone, { times: "labels" }), { kind: "array" }), await toZarrita(zarr, alone, { times: "labels" })];
        for (const one of [stored, held]) if ((await zarr.get(one)).data.join() !== data.join()) failures.push(`alone: ${one.dtype}`);
        if (lag.dtype !== "float32" || lag.attrs.units !== attributes.units) failures.push("what is no coordinate stays a number");
      }
      return failures;
    }, cases);
    assert.deepEqual(failures, []);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
