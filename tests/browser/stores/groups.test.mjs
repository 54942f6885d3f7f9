/** Groups: what is in them, what is asked for to know it, and what is said where something is not there. */

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { filesOf } from "../support/hierarchies.mjs";
import { pageAndOrigin } from "../support/opened.mjs";
import { pathOf } from "../support/origin.mjs";
import { oracle } from "../support/paths.mjs";

const entries = await oracle("groups.json");
const named = (name) => entries.find((entry) => entry.name === name);
const served = new Map(entries.map((entry) => [entry.name, filesOf(entry)]));

const PAGE = "<!doctype html>\n<html><body>Not what you are looking for.</body></html>";

describe("groups", () => {
  let page;
  let origin;
  /** Answer where nothing is: a status, and a body. */
  let absent = [404, ""];
  /** Documents that a test put in the place of what is stored, by the request's path. */
  const changed = new Map();
  pageAndOrigin((opened) => {
    ({ page, origin } = opened);
    origin.intercept = (request, response) => {
      const path = pathOf(request);
      const [, name, ...key] = path.split("/");
      const found = changed.get(path) ?? served.get(name)?.get(key.join("/"));
      if (found) response.writeHead(200).end(found);
      else response.writeHead(absent[0]).end(absent[1]);
      return true;
    };
  });
  afterEach(() => {
    absent = [404, ""];
    changed.clear();
  });

  const address = (name) => `${origin.url}/${name}`;

  /** The keys that were asked for below a hierarchy's root, in order; those asked for at once, by name. */
  const asked = (name) => origin.requests.map((request) => pathOf(request).slice(name.length + 2));

  for (const entry of entries) {
    test(`${entry.name} over HTTP: ${entry.about}`, async () => {
      const failures = await page.run(async ({ Group, support }, { url, entry }) => {
        const root = await Group.open(url);
        return support.compareHierarchy(root, entry);
      }, { url: address(entry.name), entry });
      assert.deepEqual(failures, []);
    });

    test(`${entry.name} in a store, its format given, at a path`, async () => {
      const failures = await page.run(async ({ Group, support }, entry) => {
        const store = support.storeOf(entry);
        const moved = { get: (key) => (key.startsWith("/some/where/") ? store.get(key.slice("/some/where".length)) : undefined) };
        const root = await Group.open(moved, { path: "some/where", zarrFormat: entry.zarrFormat });
        return support.compareHierarchy(root, entry, "some/where");
      }, entry);
      assert.deepEqual(failures, []);
    });

    test(`${entry.name}: every array opens by its own address`, async () => {
      const arrays = entry.nodes.filter(({ kind }) => kind === "array").slice(0, 30);
      const found = await page.run(async ({ RectilinearArray }, { url, arrays }) => {
        const opened = arrays.map(async ({ path }) => {
          const array = await RectilinearArray.open(`${url}/${path.split("/").map(encodeURIComponent).join("/")}`);
          return { attrs: array.attrs, format: array.zarrFormat, values: [...(await array.get()).data] };
        });
        return Promise.all(opened);
      }, { url: address(entry.name), arrays });
      const expected = arrays.map(({ attributes, values }) => ({ attrs: attributes, format: entry.zarrFormat, values }));
      assert.deepEqual(found, expected);
    });
  }

  test("an opened group below a consolidated one uses what that one has", async () => {
    for (const name of ["v3-inner", "v2-inner"]) {
      const paths = await page.run(async ({ Group }, url) => {
        const root = await Group.open(url);
        const surface = await root.group("surface");
        await surface.array("t2m");
        return [root.tree() === undefined, surface.tree().map(({ path }) => path)];
      }, address(name));
      assert.deepEqual(paths, [true, ["sub", "sub/deep", "sub/deep/er", "t2m"]]);
      assert.equal(asked(name).filter((key) => key.startsWith("surface/t2m")).length, 0);
      origin.requests.length = 0;
    }
  });

  /** Opens a group and every array of its hierarchy, each twice, and its groups; what was asked for. */
  async function opensAll(name, options = {}) {
    await page.run(async ({ Group }, { url, nodes, options }) => {
      const root = await Group.open(url, options);
      for (const path of [...nodes, ...nodes]) await root.array(path);
      root.tree();
    }, { url: address(name), nodes: named(name).nodes.filter(({ kind }) => kind === "array").map(({ path }) => path), options });
    return asked(name);
  }

  test("fifty consolidated arrays of v3 open with one request", async () => {
    assert.deepEqual(await opensAll("v3-fifty"), ["zarr.json"]);
  });
  test("fifty consolidated arrays of v2 open with two requests", async () => {
    assert.deepEqual(await opensAll("v2-fifty"), ["zarr.json", ".zmetadata"]);
  });
  test("fifty consolidated arrays of v2 open with one request where the format is given", async () => {
    assert.deepEqual(await opensAll("v2-fifty", { zarrFormat: 2 }), [".zmetadata"]);
  });

  /** Requests of opening `path` as an array, or the root as a group and `path` in it. */
  async function asksFor(name, path, { options = {}, byGroup = false } = {}) {
    await page.run(async ({ Group, RectilinearArray }, { url, path, options, byGroup }) => {
      if (!byGroup) return void (await RectilinearArray.open(url, { path, ...options }));
      await (await Group.open(url, options)).array(path);
    }, { url: address(name), path, options, byGroup });
    return asked(name);
  }

  test("an array of v3 takes one request", async () => {
    assert.deepEqual(await asksFor("v3-plain", "latitude"), ["latitude/zarr.json"]);
  });
  test("an array of v2 takes three, two at once", async () => {
    const keys = await asksFor("v2-plain", "latitude");
    assert.deepEqual([keys[0], ...keys.slice(1).sort()], ["zarr.json", ".zarray", ".zattrs"].map((name) => `latitude/${name}`));
  });
  test("an array of v2 takes two where the format is given", async () => {
    const keys = await asksFor("v2-plain", "latitude", { options: { zarrFormat: 2 } });
    assert.deepEqual(keys.sort(), ["latitude/.zarray", "latitude/.zattrs"]);
  });
  test("attributes of v2 that are not wanted are not asked for, and those of what lies beside it are", async () => {
    const found = await page.run(async ({ Group, RectilinearArray }, url) => {
      const array = await RectilinearArray.open(`${url}/surface/t2m`, { attrs: false });
      const { data } = await array.get([0, 0]);
      const isChanged = await array.refresh();
      const root = await Group.open(url, { attrs: false, zarrFormat: 2 });
      const [own, other] = [await root.array("latitude", { attrs: false }), await root.array("latitude")];
      const surface = await root.group("surface", { attrs: false });
      return [array.attrs, array.dimensionNames ?? null, data.length > 0, isChanged, root.attrs, own.attrs, Object.keys(other.attrs).length > 0, surface.attrs];
    }, address("v2-plain"));
    assert.deepEqual(found, [{}, null, true, false, {}, {}, true, {}]);
    const keys = asked("v2-plain").filter((key) => !/\/\d/.test(key));
    assert.deepEqual(keys.filter((key) => key.endsWith(".zattrs")), ["latitude/.zattrs"]);
    assert.deepEqual(keys.filter((key) => key === "surface/t2m/.zarray").length, 2); // opened, and refreshed
    const consolidated = await page.run(async ({ Group }, url) => (await (await Group.open(url)).array("latitude", { attrs: false })).attrs, address("v2-fifty").replace("v2-fifty", "v2-consolidated"));
    assert.ok(Object.keys(consolidated).length > 0, "which comes without a request");
  });
  test("a group that is not consolidated asks for its members one by one, in its own format", async () => {
    assert.deepEqual(await asksFor("v3-plain", "surface/t2m", { byGroup: true }), ["zarr.json", "surface/t2m/zarr.json"]);
    origin.requests.length = 0;
    const keys = await asksFor("v2-plain", "surface/t2m", { byGroup: true });
    assert.deepEqual(keys.slice(0, 2), ["zarr.json", ".zmetadata"]);
    assert.deepEqual(keys.slice(2, 4).sort(), [".zattrs", ".zgroup"]);
    assert.deepEqual(keys.slice(4).sort(), ["surface/t2m/.zarray", "surface/t2m/.zattrs"]);
  });
  test("what was added after consolidating is asked for, and nothing else is", async () => {
    assert.deepEqual(await asksFor("v3-stale", "surface/late", { byGroup: true }), ["zarr.json", "surface/late/zarr.json"]);
    origin.requests.length = 0;
    const keys = await asksFor("v2-stale", "late", { byGroup: true, options: { zarrFormat: 2 } });
    assert.deepEqual(keys.sort(), [".zmetadata", "late/.zarray", "late/.zattrs"]);
  });
  test("a Map is asked for the same keys", async () => {
    const keys = await page.run(async ({ Group, support }, entry) => {
      const store = support.storeOf(entry);
      const root = await Group.open(store);
      for (const { path, kind } of root.tree()) await root[kind](path);
      return store.keys;
    }, named("v2-odd-names"));
    assert.deepEqual(keys, ["zarr.json", ".zmetadata"]);
  });

  test("groups that only the paths below them tell of open, and are listed", async () => {
    const { documents } = named("v2-consolidated");
    const zmetadata = JSON.parse(documents[".zmetadata"].replaceAll("NaN", "null"));
    for (const key of ["surface/.zgroup", "surface/.zattrs"]) delete zmetadata.metadata[key];
    changed.set("/v2-consolidated/.zmetadata", JSON.stringify(zmetadata));
    const found = await page.run(async ({ Group }, url) => {
      const root = await Group.open(url, { zarrFormat: 2 });
      const surface = await root.group("surface");
      return [root.tree().map(({ path }) => path), surface.attrs, surface.tree().length, (await surface.array("t2m")).path];
    }, address("v2-consolidated"));
    assert.deepEqual(found, [named("v2-consolidated").consolidated, {}, 4, "surface/t2m"]);
    assert.deepEqual(asked("v2-consolidated"), [".zmetadata"]);
  });

  /** A hierarchy's root document with its consolidated metadata changed. */
  function consolidating(name, change) {
    const document = JSON.parse(named(name).documents["zarr.json"].replaceAll("NaN", "null"));
    change(document);
    changed.set(`/${name}/zarr.json`, JSON.stringify(document));
  }

  const BLOCKS = [null, 5, {}, { kind: "elsewhere", must_understand: false }, { kind: "inline", metadata: [] }];
  for (const block of BLOCKS) {
    test(`a consolidation of ${JSON.stringify(block)} counts as none`, async () => {
      consolidating("v3-consolidated", (document) => (document.consolidated_metadata = block));
      const found = await page.run(async ({ Group }, url) => {
        const root = await Group.open(url);
        return [root.tree() === undefined, root.attrs.title, (await root.array("latitude")).shape];
      }, address("v3-consolidated"));
      assert.deepEqual(found, [true, "a model run", [5]]);
    });
  }
  for (const text of ["", "[]", "not JSON", '{"metadata": {}, "zarr_consolidated_format": 2}', PAGE]) {
    test(`a .zmetadata of ${JSON.stringify(text.slice(0, 20))} counts as none`, async () => {
      changed.set("/v2-consolidated/.zmetadata", Buffer.from(text));
      const found = await page.run(async ({ Group }, url) => {
        const root = await Group.open(url);
        return [root.tree() === undefined, root.attrs.title, (await root.array("latitude")).shape];
      }, address("v2-consolidated"));
      assert.deepEqual(found, [true, "a model run", [5]]);
    });
  }

  test("a consolidated entry that cannot be read is listed, harms no other, and says where it is", async () => {
    consolidating("v3-consolidated", ({ consolidated_metadata: { metadata } }) => {
      metadata["surface/t2m"].shape = [62, -5];
      metadata.latitude.data_type = { name: "quaternion" };
    });
    const { tree, wrong, unknown, known, other } = await page.run(async ({ Group, support }, url) => {
      const root = await Group.open(url);
      const rejection = (path) => support.rejection(() => root.array(path));
      const tree = root.tree().filter(({ kind }) => kind === "array").map(({ path, dtype, shape }) => [path, dtype, shape]);
      const latitude = await root.array("latitude");
      const unknown = await support.rejection(() => latitude.get());
      return { tree, wrong: await rejection("surface/t2m"), unknown, known: [latitude.dtype, latitude.shape], other: (await root.array("surface/sub/deep/er")).shape };
    }, address("v3-consolidated"));
    assert.deepEqual(tree, [["latitude", "quaternion", [5]], ["surface/sub/deep/er", "uint8", [3]], ["surface/t2m", "int16", null]].map(
      ([path, dtype, shape]) => [path, dtype, shape]));
    assert.deepEqual([wrong.name, wrong.key, wrong.path],
      ["InvalidMetadataError", "zarr.json", "/consolidated_metadata/metadata/surface~1t2m/shape/1"]);
    assert.equal(unknown.name, "UnsupportedError");
    assert.match(unknown.feature, /quaternion/);
    assert.deepEqual(known, ["quaternion", [5]]);
    assert.deepEqual(other, [3]);
  });

  /** The error with which `open` of the class rejects. */
  const refused = (className, url, options = {}) =>
    page.run((zarr, { className, url, options }) => zarr.support.rejection(() => zarr[className].open(url, options)), { className, url, options });

  test("where nothing is, the error lists every key that was asked for", async () => {
    const url = `${address("v3-plain")}/nowhere`;
    for (const [className, options, names] of [
      ["RectilinearArray", {}, ["zarr.json", ".zarray", ".zattrs"]],
      ["RectilinearArray", { zarrFormat: 3 }, ["zarr.json"]],
      ["RectilinearArray", { zarrFormat: 2 }, [".zarray", ".zattrs"]],
      ["Group", {}, ["zarr.json", ".zmetadata", ".zgroup", ".zattrs"]],
      ["Group", { zarrFormat: 3 }, ["zarr.json"]],
      ["Group", { zarrFormat: 2 }, [".zmetadata", ".zgroup", ".zattrs"]],
    ]) {
      const error = await refused(className, url, options);
      assert.equal(error.name, "NotFoundError", error.message);
      for (const name of names) assert.ok(error.tried.includes(`${url}/${name}`), `${name} is not in ${error.tried}`);
      // The marks of virtual stores are asked for last.
      const marks = [".zmetadata", "repo", "refs/branch.main/ref.json"].map((name) => `${url}/${name}`);
      if (options.zarrFormat === 3) assert.deepEqual(error.tried, [`${url}/zarr.json`, ...marks]);
      for (const place of [...marks, ...error.tried]) assert.ok(error.tried.includes(place) && error.message.includes(place), place);
      if (options.zarrFormat === 2) assert.ok(!error.tried.includes(`${url}/zarr.json`));
      assert.match(error.message, className === "Group" ? /no Zarr group/ : /no Zarr array/);
    }
  });

  test("a group where an array was wanted: the error says so, and names its members", async () => {
    for (const [name, kind] of [["v3-consolidated", "InvalidMetadataError"], ["v2-consolidated", "NotFoundError"]]) {
      const error = await refused("RectilinearArray", address(name));
      assert.equal(error.name, kind, error.message);
      assert.match(error.message, /group/);
      for (const member of ["empty", "latitude", "surface"]) assert.ok(error.message.includes(`"${member}"`), error.message);
      const inside = await page.run(async ({ Group, support }, url) => {
        const root = await Group.open(url);
        return support.rejection(() => root.array("surface"));
      }, address(name));
      assert.equal(inside.name, "InvalidMetadataError", inside.message);
      assert.match(inside.message, /group, not an array.*"t2m"/);
    }
  });

  test("an array where a group was wanted: the error says so", async () => {
    for (const name of ["v3-plain", "v2-plain", "v3-consolidated", "v2-consolidated"]) {
      const error = await refused("Group", `${address(name)}/latitude`);
      assert.equal(error.name, name.startsWith("v3") ? "InvalidMetadataError" : "NotFoundError", error.message);
      assert.match(error.message, /array/);
      const inside = await page.run(async ({ Group, support }, url) => {
        const root = await Group.open(url);
        return support.rejection(() => root.group("latitude"));
      }, address(name));
      assert.match(inside.message, /open it as an array/);
    }
  });

  test("a member that is nowhere: the error names those that are", async () => {
    const error = await page.run(async ({ Group, support }, url) => {
      const root = await Group.open(url);
      return support.rejection(() => root.array("lattitude"));
    }, address("v3-consolidated"));
    assert.equal(error.name, "NotFoundError");
    assert.match(error.message, /"empty", "latitude", "surface"/);
    assert.deepEqual(error.tried, [`${address("v3-consolidated")}/lattitude/zarr.json`]);
  });

  test("a host that answers with a page for everything hides no v2 store", async () => {
    absent = [200, PAGE];
    const found = await page.run(async ({ Group, RectilinearArray }, { plain, consolidated }) => {
      const array = await RectilinearArray.open(`${plain}/surface/sub/deep/er`);
      const group = await Group.open(plain);
      const root = await Group.open(consolidated);
      return [array.shape, array.zarrFormat, group.attrs.title, group.tree() === undefined, root.tree().length];
    }, { plain: address("v2-plain"), consolidated: address("v2-consolidated") });
    assert.deepEqual(found, [[3], 2, "a model run", true, 7]);
    for (const className of ["RectilinearArray", "Group"]) {
      const error = await refused(className, `${address("v2-plain")}/nowhere`);
      assert.equal(error.name, "InvalidMetadataError", error.message);
      assert.match(error.message, /HTML/);
    }
  });

  test("a bucket that says 403 for what is not there", async () => {
    absent = [403, ""];
    const options = { missingStatuses: [403, 404] };
    const shape = await page.run(async ({ Group }, { url, options }) => (await (await Group.open(url, options)).array("latitude")).shape,
      { url: address("v2-plain"), options });
    assert.deepEqual(shape, [5]);
    // Documents that are found decide what 403 means for the others; where none is, 403 is the error.
    assert.equal(await refused("Group", address("v2-plain")) ?? undefined, undefined);
    const error = await refused("Group", address("nowhere"));
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /missingStatuses/);
    assert.equal((await refused("Group", address("nowhere"), options)).name, "NotFoundError");
  });

  test("attributes have the order in which they are written, whatever document they are in", async () => {
    const attributes = '{"units":"K","long_name":"t","a":{"z":1,"b":2},"A":0}';
    const v3 = '"zarr_format":3,"node_type"';
    const array = `{${v3}:"array","shape":[2],"data_type":"int8","fill_value":0,"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"codecs":["bytes"],"attributes":${attributes}}`;
    const zarray = '{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"|i1","compressor":null,"fill_value":0,"order":"C","filters":null}';
    const kept = { kind: "inline", must_understand: false };
    const stores = {
      plain: { "/zarr.json": `{${v3}:"group","attributes":${attributes}}`, "/t/zarr.json": array },
      consolidated: { "/zarr.json": `{${v3}:"group","attributes":${attributes},"consolidated_metadata":${JSON.stringify(kept).slice(0, -1)},"metadata":{"t":${array}}}}` },
      v2: { "/.zgroup": '{"zarr_format":2}', "/.zattrs": attributes, "/t/.zarray": zarray, "/t/.zattrs": attributes },
      zmetadata: {
        "/.zmetadata": `{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2},".zattrs":${attributes},"t/.zarray":${zarray},"t/.zattrs":${attributes}}}`,
      },
    };
    const found = await page.run(async ({ Group }, stores) => {
      const found = {};
      for (const [name, documents] of Object.entries(stores)) {
        const group = await Group.open(new Map(Object.entries(documents).map(([key, text]) => [key, new TextEncoder().encode(text)])));
        const member = await group.array("t");
        const listed = /consolidated|zmetadata/.test(name) ? group.tree().map(({ attrs }) => JSON.stringify(attrs)) : [];
        found[name] = [...new Set([JSON.stringify(group.attrs), JSON.stringify(member.attrs), ...listed])];
      }
      return found;
    }, stores);
    for (const name of Object.keys(stores)) assert.deepEqual(found[name], [attributes], name);
  });

  test("members share the source and its options, and have their own for memory and abort", async () => {
    const { heard, refused, whole, source, misspelt } = await page.run(async ({ Group, support }, url) => {
      const heard = [];
      const opening = new AbortController();
      const root = await Group.open(url, {
        fetch: (request) => fetch(request),
        // Of chunks that are too large two bytes are asked for.
        onRequest: ({ key, range }) => range?.[1] === 2 || heard.push(key),
        maxChunkBytes: 100,
        signal: opening.signal,
      });
      opening.abort();
      const small = await root.array("surface/t2m");
      const refused = await support.rejection(() => small.get());
      const surface = await root.group("surface", { maxChunkBytes: 1000, cacheBytes: 1 << 20 });
      const large = await surface.array("t2m");
      await large.get();
      const whole = (await large.get()).shape;
      const source = await support.rejection(() => root.array("latitude", { headers: {} }));
      const misspelt = await support.rejection(() => root.group("surface", { cachebytes: 1 }));
      return { heard, refused, whole, source, misspelt };
    }, address("v3-consolidated"));
    assert.equal(refused.name, "UnsupportedError");
    assert.match(refused.message, /maxChunkBytes/);
    assert.deepEqual(whole, [62, 5]);
    assert.deepEqual(heard.sort(), ["surface/t2m/c/0/0", "surface/t2m/c/1/0", "surface/t2m/c/2/0", "zarr.json"]);
    assert.equal(source.name, "TypeError");
    assert.match(source.message, /headers.*option of open/);
    assert.equal(misspelt.name, "TypeError");
  });

  test("an abort rejects with its reason, where nothing has to be asked for too", async () => {
    for (const [name, path] of [["v3-consolidated", "latitude"], ["v3-plain", "latitude"]]) {
      const reasons = await page.run(async ({ Group }, { url, path }) => {
        const signal = AbortSignal.abort(new Error("moved on"));
        const root = await Group.open(url);
        const reason = (work) => work.then(() => null, (error) => error.message);
        return [await reason(Group.open(url, { signal })), await reason(root.array(path, { signal })), await reason(root.group("surface", { signal }))];
      }, { url: address(name), path });
      assert.deepEqual(reasons, ["moved on", "moved on", "moved on"]);
    }
  });

  test("a freed group leaves its members, and openings under way, as they are", async () => {
    const values = await page.run(async ({ Group }, url) => {
      const root = await Group.open(url);
      const [array, opening] = [await root.array("latitude"), root.array("surface/t2m")];
      const surface = await root.group("surface");
      root.free();
      return [(await array.get([0])).data, (await (await opening).get([1, 1])).data, (await (await surface.array("t2m")).get([1, 2])).data].map(([value]) => value);
    }, address("v3-plain"));
    assert.deepEqual(values, [-60, 6, 7]);
  });

  test("paths with .. and paths that are no text are refused", async () => {
    const [up, number, format] = await page.run(async ({ Group, support }, url) => {
      const root = await Group.open(url);
      return [
        await support.rejection(() => root.array("surface/../latitude")),
        await support.rejection(() => root.group(5)),
        await support.rejection(() => Group.open(url, { zarrFormat: 4 })),
      ];
    }, address("v3-consolidated"));
    assert.equal(up.name, "NotFoundError");
    assert.match(up.message, /\.\./);
    assert.equal(number.name, "TypeError");
    assert.equal(format.name, "UnsupportedError");
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
