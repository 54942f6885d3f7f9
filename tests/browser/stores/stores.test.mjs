/** A picked folder and a zip as stores, in Chromium: every array reads, and of a zip only what is needed is asked for. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { FaultyHost, cut, endless, exposes, forMethod, gate, hidesLength, ignoresRange, refusesPreflights, stall, status } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { FIXTURES, ROOT, oracle } from "../support/paths.mjs";
import { installed } from "../support/project.mjs";

const run = promisify(execFile);
const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const NAMES = ["rectilinear-mixed", "in-a-group", "sharded-rectilinear", "sharded-zstd", "v2-little-f4"];
const WRITERS = ["stored", "deflated", "zip64", "piped", "zarr-python", "twice"];

const entries = [...(await oracle("index.json")), ...(await oracle("index-v2.json"))].filter(({ name }) => NAMES.includes(name));
const group = (await oracle("groups.json")).find(({ name }) => name === "v3-consolidated");

/** Runs in the page: what differs from the oracle's index, by the entry's name, of the arrays in a store. */
async function compareAll({ RectilinearArray, support }, store, entries) {
  const found = {};
  for (const entry of entries) {
    const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
    const path = [entry.path, entry.arrayPath].filter(Boolean).join("/");
    const failures = await support.compareEntry(RectilinearArray, store, { ...entry, arrayPath: path }, bytes);
    if (failures.length > 0) found[entry.name] = failures;
  }
  return found;
}

/** Runs in the page: the private folder with these files of the fixtures in it. */
async function fill(files, name) {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  for (const [path, bytes] of files) {
    const segments = path.split("/");
    let folder = root;
    for (const segment of segments.slice(0, -1)) folder = await folder.getDirectoryHandle(segment, { create: true });
    const writer = await (await folder.getFileHandle(segments.at(-1), { create: true })).createWritable();
    await writer.write(bytes);
    await writer.close();
  }
  return root;
}

describe("stores of folders and zips", () => {
  let directory;
  let network;
  let zips;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-zips-"));
    const names = entries.map(({ path }) => path);
    await run(python, ["-W", "ignore", join(ROOT, "tests/oracle/zips.py"), FIXTURES, directory, ...names]);
    const written = (await readdir(directory)).map(async (name) => [`/${name}`, await readFile(join(directory, name))]);
    zips = new Map(await Promise.all(written));
    network = await startNetwork(zips);
  });
  afterEach(async () => {
    await network.settle();
    network.near.files = network.far.files = zips;
  });
  after(async () => {
    await network?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Calls `body` in the page with the package, the stores and the functions above. */
  const inPage = (body, args = {}) =>
    network.run(`async (zarr, args) => {
      const stores = await import("rectilinear-zarr/stores");
      const compareAll = ${compareAll};
      const fill = ${fill};
      return (${body})({ ...zarr, ...stores, fill, compareAll: (store, entries) => compareAll(zarr, store, entries) }, args);
    }`, args);

  /** The requests to a host, as [method or range, path]. */
  const asked = (host) => host.log.map(({ method, range, path }) => [method === "GET" ? (range ?? "all") : method, path]);

  /** Errors of opening a zip, and of reading an array in it. */
  const refused = (url, options = {}, path = "rectilinear-mixed.zarr") =>
    inPage(async ({ zipStore, RectilinearArray, support }, { url, options, path }) => {
      return support.rejection(async () => (await RectilinearArray.open(await zipStore(url, options), { path })).get());
    }, { url, options, path });

  describe("a folder", () => {
    test("every array reads", async () => {
      const paths = entries.map(async ({ path }) => {
        const found = await readdir(join(FIXTURES, path), { recursive: true, withFileTypes: true });
        return found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name).slice(FIXTURES.length + 1));
      });
      const found = await inPage(async ({ directoryStore, fill, compareAll, support }, { paths, entries }) => {
        const files = await support.fetchFiles("/data", paths);
        const folder = await fill([...files].map(([key, bytes]) => [key.slice(1), bytes]), "arrays");
        return compareAll(directoryStore(folder), entries);
      }, { paths: (await Promise.all(paths)).flat(), entries });
      assert.deepEqual(found, {});
    });

    test("a group reads, and what was written since is found", async () => {
      const found = await inPage(async ({ directoryStore, fill, Group, support }, entry) => {
        const text = (value) => new TextEncoder().encode(value);
        const files = Object.entries(entry.documents).map(([path, value]) => [path, text(value)]);
        const chunks = Object.entries(entry.chunks).map(([path, value]) => [path, Uint8Array.from(atob(value), (c) => c.charCodeAt(0))]);
        const folder = await fill([...files, ...chunks], "group");
        const store = directoryStore(folder);
        const failures = await support.compareHierarchy(await Group.open(store), entry);
        const before = (await store.get("/new/folder/file")) === undefined;
        await fill([["new/folder/file", text("there")]], "group");
        return { failures, before, after: new TextDecoder().decode(await store.get("/new/folder/file")) };
      }, group);
      assert.deepEqual(found, { failures: [], before: true, after: "there" });
    });

    test("parts, what is not there, keys that lead elsewhere, and aborts", async () => {
      const found = await inPage(async ({ directoryStore, fill, support }) => {
        const store = directoryStore(await fill([["a/b", Uint8Array.of(1, 2, 3, 4, 5)]], "parts"));
        const part = async (range) => [...(await store.getRange("/a/b", range))];
        const refused = async (key) => (await support.rejection(() => store.get(key)))?.name;
        return {
          parts: [await part({ offset: 1, length: 2 }), await part({ offset: 3, length: 9 }), await part({ suffixLength: 2 }),
            await part({ suffixLength: 0 }), await part({ suffixLength: 9 })],
          missing: await Promise.all(["/a", "/a/c", "/a/b/c", "/x/y/z"].map(async (key) => (await store.get(key)) === undefined)),
          refused: await Promise.all(["a", "/", "/a/../a/b", "/a//b", "/./a"].map(refused)),
          aborted: (await support.rejection(() => store.get("/a/b", { signal: AbortSignal.abort(new Error("enough")) }))).message,
          misfit: (await support.rejection(async () => directoryStore({}))).name,
        };
      });
      assert.deepEqual(found, {
        parts: [[2, 3], [4, 5], [4, 5], [], [1, 2, 3, 4, 5]],
        missing: [true, true, true, true],
        refused: new Array(5).fill("TypeError"),
        aborted: "enough",
        misfit: "TypeError",
      });
    });
  });

  describe("a zip", () => {
    for (const writer of WRITERS) {
      test(`${writer}: every array reads, over HTTP and from a File`, async () => {
        const found = await inPage(async ({ zipStore, compareAll }, { url, entries }) => {
          const file = new File([await (await fetch(url)).blob()], "data.zip");
          return [await compareAll(await zipStore(url), entries), await compareAll(await zipStore(file), entries)];
        }, { url: `/near/${writer}.zip`, entries });
        assert.deepEqual(found, [{}, {}]);
      });
    }

    for (const origin of ["near", "far"]) {
      test(`${origin}: HEAD and one range open it, a file takes one, parts of a stored shard one each and one for its header`, async () => {
        network.far.rules = [refusesPreflights];
        const host = network[origin];
        const size = zips.get("/zarr-python.zip").length;
        const chunk = await inPage(async ({ zipStore, RectilinearArray }, url) => {
          const zip = await zipStore(url);
          const array = await RectilinearArray.open(zip, { path: "sharded-rectilinear.zarr" });
          const { innerChunkGrid } = array;
          const { start } = innerChunkGrid.bounds([0, 0]);
          await array.get(start);
          return [...zip.keys()].length;
        }, `${host.url}/zarr-python.zip`);
        assert.ok(chunk > 10);
        const log = asked(host);
        assert.deepEqual(log.slice(0, 2).map(([what]) => what), ["HEAD", `bytes=0-${size}`], "one byte more shows whether the zip ends there");
        assert.deepEqual(host.log.filter(({ method }) => method === "OPTIONS"), []);
        // The metadata, a local header, the shard's index, the inner chunk.
        const ranges = log.slice(2).map(([what]) => what.match(/\d+/g).map(Number)).map(([first, last]) => last - first + 1);
        assert.equal(ranges.length, 4);
        assert.equal(ranges[1], 30);
        assert.ok(ranges[2] + ranges[3] <= 256, `${ranges}`);
      });
    }

    test("a deflated shard is fetched once, however many parts of it are wanted", async () => {
      await inPage(async ({ zipStore, RectilinearArray }, url) => {
        const array = await RectilinearArray.open(await zipStore(url), { path: "sharded-rectilinear.zarr", cacheBytes: 0 });
        const { stop } = array.chunkGrid.bounds([0, 0]);
        for (let nth = 0; nth < stop[0]; nth++) await array.get([nth, 0]);
      }, "/near/deflated.zip");
      assert.equal(network.near.log.length, 2 + 1 + 1);
    });

    test("a directory of 66,000 files is read in two ranges", async () => {
      const found = await inPage(async ({ zipStore }, url) => {
        const zip = await zipStore(url);
        const value = async (key) => new TextDecoder().decode(await zip.get(key));
        return [[...zip.keys()].length, await value("/many/0"), await value("/many/65999"), (await zip.get("/many/66000")) === undefined];
      }, "/near/large.zip");
      assert.deepEqual(found, [66_000, "0", "65999", true]);
      assert.equal(network.near.log.length, 3 + 2);
    });

    test("a host that refuses HEAD, or hides the length there, is asked with GET", async () => {
      // A host may hide the length, and tell it beside a range.
      for (const [rule, what] of [[status(403), ["HEAD", "bytes", "bytes", "bytes"]], [hidesLength, ["HEAD", "bytes", "bytes"]]]) {
        await network.settle();
        network.near.rules = [forMethod("HEAD", rule)];
        const found = await inPage(async ({ zipStore }, url) => (await (await zipStore(url)).get("/v2-little-f4.zarr/.zarray")).length > 9, "/near/stored.zip");
        assert.equal(found, true);
        assert.deepEqual(asked(network.near).map(([what]) => what.slice(0, 5)), what);
      }
    });

    test("a host that ignores ranges gives the whole zip once, or an error where that is too much", async () => {
      network.near.rules = [ignoresRange];
      const found = await inPage(async ({ zipStore, compareAll }, { url, entries }) => compareAll(await zipStore(url), entries), {
        url: "/near/stored.zip",
        entries,
      });
      assert.deepEqual(found, {});
      assert.deepEqual(network.near.log.map(({ method }) => method), ["HEAD", "GET"]);
      const error = await refused("/near/stored.zip", { maxWholeBytes: 1000 });
      assert.equal(error.name, "StoreError");
      assert.match(error.message, /does not support ranges.*maxWholeBytes/);
    });

    test("a zip that was changed since is an error that says so", async () => {
      for (const origin of ["near", "far"]) {
        network.far.rules = [exposes("ETag")];
        const host = network[origin];
        const error = inPage(async ({ zipStore, support }, { url, change }) => {
          const zip = await zipStore(url);
          await fetch(change);
          return support.rejection(() => zip.get("/v2-little-f4.zarr/.zarray"));
        }, { url: `${host.url}/stored.zip`, change: `${host.url}/change` });
        host.rules.push((exchange) => {
          if (exchange.path === "/change") host.files = new Map([...zips, ["/stored.zip", zips.get("/piped.zip")]]);
        });
        assert.match((await error).message, /stored\.zip: the zip changed while it was read/);
        host.files = zips;
      }
    });

    test("headers, credentials and a fetch of the caller's go along; an abort ends it", async () => {
      const found = await inPage(async ({ zipStore, support }, url) => {
        const asked = [];
        const fetching = (request) => {
          asked.push([request.headers.get("authorization"), request.credentials, request.cache]);
          return fetch(request);
        };
        const options = { headers: { authorization: "Bearer x" }, credentials: "omit", fetch: fetching };
        const zip = await zipStore(new URL(url, location.href), options);
        const signal = AbortSignal.abort(new Error("enough"));
        const aborted = [() => zipStore(url, { signal }), () => zip.get("/x", { signal }), () => zip.getRange("/x", { suffixLength: 1 }, { signal })];
        return [asked, await Promise.all(aborted.map(async (work) => (await support.rejection(work)).message))];
      }, "/near/stored.zip");
      assert.deepEqual(found, [new Array(2).fill(["Bearer x", "omit", "no-store"]), new Array(3).fill("enough")]);
    });

    test("what is no zip, is cut short or is not there is a StoreError that says so", async () => {
      const stored = zips.get("/stored.zip");
      network.near.files = new Map([["/text.zip", Buffer.from("no zip at all".repeat(99))], ["/cut.zip", stored.subarray(0, -100)], ["/short.zip", Buffer.from("PK")],
        ["/start.zip", stored.subarray(2000)]]);
      for (const name of ["text", "cut", "short", "start"]) {
        const error = await refused(`/near/${name}.zip`);
        assert.deepEqual([error.isError, error.name], [true, "StoreError"], `${name}: ${error.message}`);
        assert.match(error.message, new RegExp(`near/${name}.zip: .*(cut short|damaged)`));
      }
      const error = await refused("/near/nowhere.zip?secret=1");
      assert.deepEqual([error.name, error.status], ["StoreError", 404]);
      assert.ok(!error.message.includes("secret"));
    });

    /** A zip with bytes changed; `at` finds where. */
    const changed = (name, at, bytes) => {
      const copy = Buffer.from(zips.get(name));
      copy.set(bytes, at(copy));
      network.near.files = new Map([["/broken.zip", copy]]);
    };
    const key = "rectilinear-mixed.zarr/c/0/0/0";
    const local = (zip) => zip.indexOf(key) - 30;
    const central = (zip) => zip.lastIndexOf(key) - 46;

    test("a part or a whole zip that never ends is read no further than may be, and let go", async () => {
      const { near } = network;
      for (const rule of [endless(), (exchange) => (ignoresRange(exchange), endless()(exchange))]) {
        await network.settle();
        near.rules = [forMethod("GET", rule)];
        const error = await refused("/near/stored.zip", { maxWholeBytes: 2 ** 21 });
        // Where its end is not found, the whole zip is asked for.
        assert.deepEqual([error.name, error.status], ["StoreError", 200], error.message);
        assert.match(error.message, /more than 2097152 bytes/);
        const gets = near.log.filter(({ method }) => method === "GET");
        await until(() => gets.every(({ end }) => end));
        for (const { aborted, went } of gets) assert.ok(aborted && went < 48 * 2 ** 20, `${went} bytes went`);
      }
    });

    test("a part that breaks off is a StoreError that says so; a host that gives another part is asked for the whole", async () => {
      network.near.rules = [forMethod("GET", cut(7))];
      const error = await refused("/near/stored.zip");
      assert.equal(error.name, "StoreError");
      assert.match(error.message, /stored\.zip: the response broke off/);
      await network.settle();
      network.near.rules = [forMethod("GET", (exchange) => (exchange.range &&= "bytes=0-99"))];
      const found = await inPage(async ({ zipStore, compareAll }, { url, entries }) => compareAll(await zipStore(url), entries), { url: "/near/stored.zip", entries });
      assert.deepEqual(found, {});
    });

    test("a part of an open zip that never ends, breaks off or is another one is a StoreError that says so", async () => {
      const { near } = network;
      for (const [rule, message] of [[endless(), /more than \d+ bytes came/], [cut(7), /broke off/], [(exchange) => (exchange.range &&= "bytes=0-99"), /bytes 0 to 99 came instead of/]]) {
        await network.settle();
        near.rules = [];
        await inPage(async ({ zipStore }, url) => void (globalThis.opened = await zipStore(url)), "/near/stored.zip");
        near.rules = [forMethod("GET", rule)];
        const error = await inPage(({ support }) => support.rejection(() => globalThis.opened.get("/v2-little-f4.zarr/.zarray")));
        assert.deepEqual([error.name, error.status], ["StoreError", 206], error.message);
        assert.match(error.message, message);
      }
    });

    test("timeout gives up a request for which no byte comes", async () => {
      for (const fault of [gate(), stall(7)]) {
        await network.settle();
        network.near.rules = [forMethod("GET", fault)];
        const error = await refused("/near/stored.zip", { timeout: 3000 });
        assert.equal(error.name, "StoreError");
        assert.match(error.message, /no byte came for 3000 ms \(option timeout\)/);
        await until(() => network.near.log[1].end);
        assert.ok(network.near.log[1].aborted);
      }
    });

    test('redirect: "error" sends nothing to another address; options that are none are TypeErrors', async () => {
      const { near, far } = network;
      near.rules = [status(307, { Location: `${far.url}/stored.zip` })];
      const error = await refused("/near/stored.zip", { redirect: "error" });
      assert.equal(error.name, "StoreError");
      assert.match(error.message, /redirect: "error" forbids/);
      assert.deepEqual(far.log, []);
      for (const options of [{ redirect: "manual" }, { timeout: -1 }, { timeout: "5" }]) {
        assert.equal((await refused("/near/stored.zip", options)).name, "TypeError");
      }
    });

    test("damaged files are StoreErrors", async () => {
      for (const [name, at, bytes, words] of [
        ["/stored.zip", (zip) => local(zip) + 30 + key.length, [1, 2, 3, 4], /checksum/],
        ["/deflated.zip", (zip) => local(zip) + 30 + key.length, [0xff, 0xff], /is damaged/],
        ["/deflated.zip", (zip) => central(zip) + 24, [3, 0, 0, 0], /inflates to more than the 3 bytes in the directory/],
        ["/deflated.zip", (zip) => central(zip) + 24, [0, 1, 0, 0], /inflates to \d+ bytes, expected \d+ from the directory/],
        ["/deflated.zip", (zip) => central(zip) + 24, [0, 0, 0, 0x10], /cannot inflate to its size/],
        ["/stored.zip", local, [0], /local header is missing/],
        ["/stored.zip", (zip) => central(zip) + 24, [3, 0, 0, 0], /two sizes differ/],
      ]) {
        changed(name, at, bytes);
        const error = await refused("/near/broken.zip");
        assert.equal(error.name, "StoreError", error.message);
        assert.match(error.message, words);
        assert.match(error.message, /broken\.zip: rectilinear-mixed/);
      }
    });

    test("a directory that is too large is refused before it is read, and of a long one the page gets turns", async () => {
      const found = await inPage(async ({ zipStore, support }) => {
        // The end of a zip: signature, one file, the length of the directory and its offset.
        const end = (size, files) => {
          const view = new DataView(new ArrayBuffer(22));
          view.setUint32(0, 0x06054b50, true);
          [8, 10].forEach((at) => view.setUint16(at, files, true));
          view.setUint32(12, size, true);
          return view.buffer;
        };
        const longest = 300 * 2 ** 20;
        const asked = [];
        const slice = (start, stop) => {
          asked.push(stop - start);
          const bytes = new Uint8Array(stop - start);
          if (stop === longest + 22 && bytes.length >= 22) bytes.set(new Uint8Array(end(longest, 1)), bytes.length - 22);
          return new Blob([bytes]);
        };
        const large = { [Symbol.toStringTag]: "Blob", size: longest + 22, name: "large.zip", slice };
        const { name, message } = await support.rejection(() => zipStore(large));
        // Sixty thousand empty files, all with one local header, which no read asks for.
        const entry = (nth) => {
          const view = new DataView(new ArrayBuffer(54));
          view.setUint32(0, 0x02014b50, true);
          view.setUint16(28, 8, true);
          new Uint8Array(view.buffer).set(new TextEncoder().encode(String(nth).padStart(8, "f")), 46);
          return view.buffer;
        };
        const entries = Array.from({ length: 60_000 }, (_, nth) => entry(nth));
        let turns = 0;
        const timer = setInterval(() => turns++, 0);
        const store = await zipStore(new Blob([...entries, end(54 * entries.length, entries.length)]));
        clearInterval(timer);
        return { name, message, most: Math.max(...asked), files: [...store.keys()].length, turns };
      });
      assert.deepEqual([found.name, found.files], ["UnsupportedError", 60_000]);
      assert.match(found.message, /large\.zip: its directory has 314572800 bytes; at most 268435456 are read/);
      assert.ok(found.most < 2 ** 20 && found.turns >= 2, JSON.stringify(found));
    });

    test("what is encrypted, compressed otherwise or too large is said to be", async () => {
      changed("/stored.zip", (zip) => central(zip) + 8, [1]);
      assert.match((await refused("/near/broken.zip")).message, /c\/0\/0\/0 needs encryption/);
      network.near.files = zips;
      assert.match((await refused("/near/bzip2.zip")).message, /zarr\.json needs bzip2/);
      assert.match((await refused("/near/deflated.zip", { maxEntryBytes: 100 })).message, /more than maxEntryBytes/);
      const document = "rectilinear-mixed.zarr/zarr.json";
      changed("/deflated.zip", (zip) => zip.lastIndexOf(document) - 46 + 24, [1, 0, 0, 4]);
      assert.match((await refused("/near/broken.zip")).message, /zarr\.json has 67108865 bytes; of metadata, at most 67108864 are read/);
    });
  });

  test("a folder or a zip itself is no source, and the error names the store that makes it one", async () => {
    const found = await inPage(async ({ RectilinearArray, support }) => {
      const folder = await navigator.storage.getDirectory();
      return Promise.all([folder, new Blob(["x"])].map((source) => support.rejection(() => RectilinearArray.open(source))));
    });
    assert.deepEqual(found.map(({ name }) => name), ["TypeError", "TypeError"]);
    assert.match(found[0].message, /directoryStore\(folder\), from rectilinear-zarr\/stores/);
    assert.match(found[1].message, /pass \{ format \} with one of .*"zip" for a zip of Zarr, or a folder by directoryStore/);
  });

  test("in Node, a zip at a URL: no header follows a redirect to another origin, and the range does", async () => {
    const script = `import { zipStore } from "rectilinear-zarr/stores";
      const [url, options] = process.argv.slice(2);
      const found = await zipStore(url, JSON.parse(options)).then((zip) => [...zip.keys()].length, (error) => error.message);
      console.log(JSON.stringify(found));`;
    const [first, second] = [new FaultyHost(zips), new FaultyHost(zips)];
    const [from, to, project] = await Promise.all([first.listen(), second.listen(), installed({ "user.mjs": script })]);
    const open = async (options) => {
      const { stdout } = await run(process.execPath, ["--no-warnings", "user.mjs", `${from.url}/stored.zip`, JSON.stringify(options)], { cwd: project.directory });
      return JSON.parse(stdout);
    };
    const keys = ({ requests }) => requests.map(({ headers }) => headers["x-api-key"]);
    const headers = { "x-api-key": "k" };
    try {
      first.rules = [(exchange) => status(302, { Location: `${to.url}${exchange.path}` })(exchange)];
      assert.ok((await open({ headers })) > 9);
      assert.deepEqual([keys(from), keys(to)], [["k", "k"], [undefined, undefined]]);
      assert.match(to.requests[1].headers.range, /^bytes=\d+-\d+$/);
      first.rules = [(exchange) => status(302, { Location: `${from.url}${exchange.path}` })(exchange)];
      assert.match(await open({ headers }), /redirects more than 20 times/);
      first.rules = [status(302, { Location: "file:///etc/hosts" })];
      assert.match(await open({ headers }), /not http: or https:/);
      to.requests.length = 0;
      first.rules = [status(302, { Location: `${to.url}/stored.zip` })];
      assert.match(await open({ redirect: "error" }), /redirect: "error" forbids/);
      assert.deepEqual(to.requests, []);
    } finally {
      await Promise.all([from.close(), to.close(), project.remove()]);
    }
  });

  test("in Node, a zip on the disk", async () => {
    const script = `import { openAsBlob } from "node:fs";
      import { RectilinearArray } from "rectilinear-zarr";
      import { directoryStore, zipStore } from "rectilinear-zarr/stores";
      const zip = await zipStore(await openAsBlob(process.argv[2]));
      const array = await RectilinearArray.open(zip, { path: "sharded-zstd.zarr" });
      console.log(JSON.stringify({ shape: (await array.get()).shape, type: typeof directoryStore }));`;
    const project = await installed({ "user.mjs": script });
    try {
      const { stdout } = await run(process.execPath, ["--no-warnings", "user.mjs", join(directory, "deflated.zip")], { cwd: project.directory });
      assert.deepEqual(JSON.parse(stdout), { shape: entries.find(({ name }) => name === "sharded-zstd").shape, type: "function" });
    } finally {
      await project.remove();
    }
  });
});
