/** Parts of the main module: which calls ask for which, what a call says that lacks one, and that no call blocks its page. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";

import { launchAlone, openPage } from "../support/chromium.mjs";
import { until } from "../support/network.mjs";
import { FIXTURES, oracle } from "../support/paths.mjs";
import { PAGE, listen } from "../support/server.mjs";
import { FAULTS, LATER, PARTS, PartHost, fileOf, hangs, late, ofOtherBuild, stalls, untyped, waits, wasm, withoutCors } from "./part-host.mjs";

/** Checksums of the oracle's arrays. */
const CHECKSUMS = Object.fromEntries([...(await oracle("index.json")), ...(await oracle("index-tensorstore.json"))].map(({ name, crc32 }) => [name, crc32]));
const plain = await readFile(join(FIXTURES, "int16-regular.bin"));
/** Values of int16-regular, of 7 x 5 items, at two of its points. */
const POINTS = [0, 6 * 5 + 4].map((nth) => plain.readInt16LE(nth * 2));

/** A call that needs a part, and its value. The options are those of `open`. */
const CALLS = {
  first: {
    name: "the first open",
    value: [6, 8],
    call: async ({ RectilinearArray }, options) => (await RectilinearArray.open("/data/regular-exact.zarr", options)).shape,
  },
  opening: {
    name: "the open of a group",
    value: "a group",
    call: async ({ Group }, options) => (await Group.open("/data/in-a-group.zarr", options)).attrs.title,
  },
  virtual: {
    name: "a read by references",
    value: [3, 5],
    call: async ({ Group }, options) => {
      const array = { zarr_format: 2, shape: [2], chunks: [2], dtype: "|u1", compressor: null, filters: null, fill_value: 0, order: "C" };
      const refs = { ".zgroup": JSON.stringify({ zarr_format: 2 }), "n/.zarray": JSON.stringify(array), "n/0": `base64:${btoa("\x03\x05")}` };
      const fetch = async () => new Response(JSON.stringify({ version: 1, refs }));
      const group = await Group.open("/data/references.json", { ...options, format: "kerchunk", fetch });
      return [...(await (await group.array("n")).get()).data];
    },
  },
  codecs: {
    name: "a read of gzip",
    value: CHECKSUMS["int64-regular"],
    call: async ({ RectilinearArray, support }, options) => {
      const { data } = await (await RectilinearArray.open("/data/int64-regular.zarr", options)).get();
      return support.crc32(support.bytesOf(data, "int64"));
    },
  },
  grids: {
    name: "a read of a rectilinear grid",
    value: CHECKSUMS["codec-zstd"],
    call: async ({ RectilinearArray, support }, options) => {
      const { data } = await (await RectilinearArray.open("/data/codec-zstd.zarr", options)).get();
      return support.crc32(support.bytesOf(data, "float64"));
    },
  },
  calls: {
    name: "a read of points",
    value: POINTS,
    call: async ({ RectilinearArray }, options) => {
      const array = await RectilinearArray.open("/data/int16-regular.zarr", options);
      return [...(await array.getPoints([[0, 0], [6, 4]], { signal: options?.signal })).data];
    },
  },
  answers: {
    name: "a count of items",
    value: [35],
    call: async ({ RectilinearArray }, options) => {
      const { reduce } = await import("rectilinear-zarr/answers");
      const array = await RectilinearArray.open("/data/int16-regular.zarr", options);
      return [...(await reduce(array, "count", { decode: false, signal: options?.signal })).data];
    },
  },
  zones: {
    name: "a mean of a polygon",
    value: [1.5],
    call: async ({ Group }, options) => {
      const { zonal } = await import("rectilinear-zarr/answers");
      const text = (value) => new TextEncoder().encode(JSON.stringify(value));
      const axis = (shape, dimension_names, units) => text({
        zarr_format: 3, node_type: "array", shape, data_type: "uint8", fill_value: 0, dimension_names, attributes: { units },
        chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }],
      });
      const store = new Map([
        ["/zarr.json", text({ zarr_format: 3, node_type: "group" })],
        ["/x/zarr.json", axis([2, 2], ["lat", "lon"])], ["/x/c/0/0", Uint8Array.of(0, 1, 2, 3)],
        ["/lat/zarr.json", axis([2], ["lat"], "degrees_north")], ["/lat/c/0", Uint8Array.of(1, 2)],
        ["/lon/zarr.json", axis([2], ["lon"], "degrees_east")], ["/lon/c/0", Uint8Array.of(1, 2)],
      ]);
      const array = await (await Group.open(store, options)).array("x");
      const box = { type: "Polygon", coordinates: [[[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5], [0.5, 0.5]]] };
      return [...(await zonal(array, box, { signal: options?.signal })).mean.data];
    },
  },
};

/** Milliseconds until a call gives up by default. */
const BY_DEFAULT = 30_000;

/** A function for a page: the value of a part's call, or its error, and how long that took. */
const outcomeOf = (part) => `async (zarr, options) => {
  const start = performance.now();
  try {
    return { value: await (${CALLS[part].call})(zarr, options) };
  } catch (error) {
    const { name, message, cause } = error;
    return { name, message, cause: cause?.name, isError: error instanceof Error, ms: performance.now() - start };
  }
}`;

/** Checks an error that says which file cannot be had. */
function refuses(part, { name, message, isError, value }) {
  assert.equal(value, undefined, "the call gave a value");
  assert.equal(name, "UnsupportedError", message);
  assert.ok(isError);
  assert.ok(message.includes(` ${fileOf(part)} `), message);
  assert.match(message, /deploy all files of the package together/);
}

describe("parts of the module", () => {
  const host = new PartHost();
  const copy = new PartHost({ isOtherBuild: true });
  const far = new PartHost();
  let page;
  let origin;

  /** An empty page that forbids blocking requests. */
  const policy = (_, response) => response.writeHead(200, { "Content-Type": "text/html", "Permissions-Policy": "sync-xhr=()" }).end(PAGE);

  before(async () => {
    [page, origin] = await Promise.all([openPage({ "/pkg": host.handle, "/pkg2": copy.handle, "/policy": policy }, { browse: launchAlone }), listen(far.far)]);
  });
  afterEach(async () => {
    const hosts = [host, copy, far];
    for (const each of hosts) each.reset();
    await page.renew();
    // Some answers stay in the browser's cache.
    const [tab] = await page.browser.pages();
    const session = await tab.createCDPSession();
    await session.send("Network.clearBrowserCache");
    await session.detach();
    for (const each of hosts) each.reset();
    assert.deepEqual(page.errors.splice(0), [], "uncaught errors");
  });
  after(() => Promise.all([page?.close(), origin?.close()]));

  const attempt = (part, options = {}) => page.run(outcomeOf(part), options);
  /** That with the package of another address. */
  const attemptBy = (part, address) => page.run(`async (zarr, address) => (${outcomeOf(part)})({ ...zarr, ...(await import(address)) })`, address);
  const gives = async (part, options) => assert.deepEqual(await attempt(part, options), { value: CALLS[part].value });
  /** The later parts that were asked for, in the order of their names. */
  const later = () => host.asked.filter((part) => part !== "first").sort();

  /** Begins a call whose outcome `ended` gives later. */
  const begin = (part, options = {}, name = "begun") => page.run(`(zarr, options) => void (globalThis[${JSON.stringify(name)}] = (${outcomeOf(part)})(zarr, options))`, options);
  const ended = (name = "begun") => page.run(({ support: _ }, name) => globalThis[name], name);

  describe("are asked for by calls that need them", () => {
    const OPENED = {
      "int16-regular": [],
      "regular-exact": [],
      "bool-regular": [],
      "codec-zstd": ["grids"],
      "int64-regular": ["codecs"],
      "blosc-blocks": ["codecs"],
      "numcodecs-lz4": ["codecs", "grids"],
      "numcodecs-zlib": ["codecs", "grids"],
      "numcodecs-shuffle": ["codecs", "grids"],
      "sharded-zstd": ["grids"],
      "sharded-deduplicated-plain": ["grids"],
      "sharded-gzip": ["codecs", "grids"],
      "codec-transpose-120": ["codecs", "grids"],
      "fill-nan-hex-16": ["grids"],
      "dtype-complex64": ["opening"],
      "dtype-int2": ["calls", "opening"],
      "dtype-bfloat16-hex": ["calls", "grids", "opening"],
      "tensorstore-v2-raw": ["opening"],
      "tensorstore-v2-blosc": ["codecs", "opening"],
    };
    for (const [name, parts] of Object.entries(OPENED)) {
      test(`the open of ${name} and its plan: ${parts.join(" and ") || "none"}`, async () => {
        await page.run(async ({ RectilinearArray }, name) => (await RectilinearArray.open(`/data/${name}.zarr`)).plan(), name);
        assert.deepEqual(later(), parts);
      });
    }

    test("the open of a group, before the first part is there: opening", async () => {
      host.set("first", waits);
      await begin("opening");
      await until(() => host.asked.length === 2);
      assert.deepEqual(host.asked, ["first", "opening"]);
      host.release();
      assert.deepEqual(await ended(), { value: CALLS.opening.value });
    });

    test("the open of a group with consolidated metadata, whose list of members shows grids: grids and opening", async () => {
      const found = await page.run(async ({ Group }) => (await Group.open("/data/map.zarr")).tree().length > 0);
      assert.equal(found, true);
      assert.deepEqual(later(), ["grids", "opening"]);
    });

    test("the open of a Map, before the first part is there: calls", async () => {
      host.set("first", waits);
      await page.run(async ({ RectilinearArray }) => {
        const names = ["zarr.json", "c/0/0", "c/0/1", "c/1/0", "c/1/1"];
        const files = names.map(async (name) => [`/${name}`, new Uint8Array(await (await fetch(`/data/regular-exact.zarr/${name}`)).arrayBuffer())]);
        const store = new Map(await Promise.all(files));
        globalThis.begun = RectilinearArray.open(store).then(async (array) => (await array.get()).shape.join(), String);
      });
      await until(() => host.asked.length === 2);
      assert.deepEqual(host.asked, ["first", "calls"]);
      host.release();
      assert.equal(await ended(), "6,8");
      assert.deepEqual(later(), ["calls"]);
    });

    test("ordinary reads of an array in zstd: none, neither before them nor after", async () => {
      const found = await page.run(async ({ RectilinearArray, support }) => {
        const array = await RectilinearArray.open("/data/int16-regular.zarr");
        const { data } = await array.get();
        const rest = [await array.get([0]), await array.getChunk([0, 0]), await array.get([[0, 6]]), await array.get([{ start: 1, stop: 6, step: 2 }, null]), await array.prefetch()];
        await new Promise((done) => requestIdleCallback(done));
        return [support.crc32(support.bytesOf(data, "int16")), rest.length];
      });
      assert.deepEqual(found, [CHECKSUMS["int16-regular"], 5]);
      assert.deepEqual(later(), []);
    });

    test("a host that refuses the array: none", async () => {
      const error = await page.run(async ({ RectilinearArray, support }) =>
        support.rejection(() => RectilinearArray.open("/data/int16-regular.zarr", { fetch: async () => new Response("no", { status: 401 }) })),
      );
      assert.equal(error.name, "StoreError");
      assert.match(error.message, /401/);
      assert.deepEqual(later(), []);
    });

    /** Calls of an array in zstd that need the part "calls", as the first call of a page. */
    const FIRST_CALLS = {
      "points": async (array) => (await array.getPoints([array.shape.map(() => 0)])).data.length,
      "a stream": async (array) => {
        let parts = 0;
        for await (const part of array.stream()) parts += part.data.length > 0;
        return parts;
      },
      "a cast": async (array) => (await array.get(null, { as: "float32" })).data.length,
      "a minimum and maximum": async (array) => (await array.get(null, { as: "float32", minmax: true })).data.length,
      "a refresh": async (array) => Number((await array.refresh()) === false),
      "a chunk as it is stored": async (array) => (await array.getEncoded([0, 0])).length,
      "a joined array": async (array, { RectilinearArray }) => (await RectilinearArray.concat([array, array], 0)).shape[0],
    };
    for (const [name, call] of Object.entries(FIRST_CALLS)) {
      const first = `async (zarr) => (${call})(await zarr.RectilinearArray.open("/data/int16-regular.zarr"), zarr)`;
      test(`${name} as the first call: calls`, async () => {
        assert.ok((await page.run(first)) > 0);
        assert.deepEqual(later(), ["calls"]);
      });

      test(`${name} as the first call fails by name where ${fileOf("calls")} cannot be had, and works when called again`, async () => {
        host.set("calls", FAULTS["status 500"]);
        refuses("calls", await page.run(`(zarr) => zarr.support.rejection(() => (${first})(zarr))`));
        host.mend();
        assert.ok((await page.run(first)) > 0);
      });
    }

    test("a point out of range: none, as it is refused at once", async () => {
      const error = await page.run(async ({ RectilinearArray, support }) => {
        const array = await RectilinearArray.open("/data/int16-regular.zarr");
        return support.rejection(() => array.getPoints([[7, 0]]));
      });
      assert.match(error.message, /7/);
      assert.doesNotMatch(error.message, /_bg\.wasm/);
      assert.deepEqual(later(), []);
    });

    test("the open of a group with consolidated metadata of regular grids alone: opening", async () => {
      const found = await page.run(async ({ Group }) => {
        const shape = [4];
        const array = { zarr_format: 3, node_type: "array", shape, data_type: "int8", chunk_grid: { name: "regular", configuration: { chunk_shape: shape } }, chunk_key_encoding: { name: "default" }, fill_value: 0, codecs: [{ name: "bytes" }] };
        const document = { zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "inline", must_understand: false, metadata: { a: array } } };
        const fetching = globalThis.fetch;
        globalThis.fetch = async (url, options) => (/regular-group/.test(url.url ?? url) ? (/zarr\.json$/.test(url.url ?? url) ? new Response(JSON.stringify(document)) : new Response("", { status: 404 })) : fetching(url, options));
        try {
          return (await Group.open("/data/regular-group")).tree();
        } finally {
          globalThis.fetch = fetching;
        }
      });
      assert.deepEqual(found.map(({ path, chunkRuns }) => [path, chunkRuns]), [["a", [[{ edge: 4, count: 1 }]]]]);
      assert.deepEqual(later(), ["opening"]);
    });
  });

  for (const codec of ["constructor", "toString", "__proto__"]) {
    test(`a codec with the name ${codec} is refused like others that no one knows`, async () => {
      const told = await page.run(
        async ({ RectilinearArray }, { codec }) => {
          const document = await (await fetch("/data/int16-regular.zarr/zarr.json")).json();
          document.codecs.push({ name: codec });
          const text = new TextEncoder().encode(JSON.stringify(document));
          const read = async () => (await RectilinearArray.open(new Map([["/zarr.json", text]]))).get();
          return read().then(String, ({ name, message }) => `${name}: ${message}`);
        },
        { codec },
      );
      assert.match(told, new RegExp(`^UnsupportedError: .*${codec}`));
    });
  }

  for (const part of PARTS) {
    const { name } = CALLS[part];
    describe(`${name}, without ${fileOf(part)}`, () => {
      for (const [fault, answer] of Object.entries(FAULTS)) {
        test(`fails by name where the host answers ${fault}, and works when called again`, async () => {
          host.set(part, answer);
          refuses(part, await attempt(part));
          host.mend();
          await gives(part);
        });
      }

      test("works where the host answers with another type", async () => {
        host.set(part, untyped);
        await gives(part);
        assert.equal(host.asked.filter((asked) => asked === part).length, 1);
      });

      test("works where a stale copy comes first, without an error", async () => {
        let answers = 0;
        host.set(part, ({ response, serve }) => (answers++ === 0 ? wasm(response, ofOtherBuild(part), { "Cache-Control": "max-age=600" }) : serve()));
        await gives(part);
        assert.equal(answers, 2);
      });

      test("fails after the option timeout where no answer comes, and works while the first request still hangs", async () => {
        host.set(part, hangs);
        const error = await attempt(part, { timeout: 300 });
        refuses(part, error);
        assert.equal(error.cause, "TimeoutError");
        assert.ok(error.ms < BY_DEFAULT, `after ${error.ms} ms`);
        host.mend();
        await gives(part);
      });

      test("fails after ten timeouts where an answer stalls, and works when called again", async () => {
        host.set(part, stalls);
        const error = await attempt(part, { timeout: 300 });
        refuses(part, error);
        assert.equal(error.cause, "TimeoutError");
        assert.ok(error.ms < BY_DEFAULT, `after ${error.ms} ms`);
        host.mend();
        await gives(part);
      });

      for (const order of ["later", "earlier"]) {
        test(`waits on where another call, begun ${order}, has run out of time`, async () => {
          host.set(part, waits);
          const calls = [["patient", {}], ["hasty", { timeout: 1000 }]];
          for (const [name, options] of order === "later" ? calls : calls.reverse()) {
            await begin(part, options, name);
            await until(() => host.asked.includes(part));
          }
          const error = await ended("hasty");
          refuses(part, error);
          host.release();
          assert.deepEqual(await ended("patient"), { value: CALLS[part].value });
        });
      }

      test("rejects with the caller's reason at once where that aborts it, and harms no other call", async () => {
        host.set(part, waits);
        const call = `async (zarr) => {
          const controller = new AbortController();
          const reason = { is: "the caller's" };
          globalThis.stop = () => controller.abort(reason);
          globalThis.aborted = (${CALLS[part].call})(zarr, { signal: controller.signal }).then(() => "a value", (error) => error === reason);
        }`;
        await page.run(`(zarr) => void (${call})(zarr)`);
        await begin(part);
        await until(() => host.asked.includes(part));
        const isReason = await page.run(() => {
          globalThis.stop();
          return Promise.race([globalThis.aborted, new Promise((done) => setTimeout(done, 2000, "nothing for two seconds"))]);
        });
        assert.equal(isReason, true);
        host.release();
        assert.deepEqual(await ended(), { value: CALLS[part].value });
        assert.equal(host.asked.filter((asked) => asked === part).length, 1);
      });

      test("fails by name where fetch throws, and works when called again", async () => {
        const outcome = await page.run(
          `async (zarr, file) => {
            const { fetch } = globalThis;
            globalThis.fetch = (asked, ...more) => {
              if (String(asked?.url ?? asked).endsWith(file)) throw new RangeError("no fetch today");
              return fetch(asked, ...more);
            };
            const outcome = await (${outcomeOf(part)})(zarr);
            globalThis.fetch = fetch;
            return outcome;
          }`,
          `/${fileOf(part)}`,
        );
        refuses(part, outcome);
        assert.equal(outcome.cause, "RangeError");
        await gives(part);
      });

      test("fails by name on another origin that does not allow it, and works once that does", async () => {
        far.set(part, withoutCors);
        refuses(part, await attemptBy(part, `${origin.url}/pkg/index.js`));
        far.mend();
        assert.deepEqual(await attemptBy(part, `${origin.url}/pkg/index.js`), { value: CALLS[part].value });
        assert.deepEqual(host.asked, []);
      });
    });
  }

  /** A function for a page: the values of all parts' calls. */
  const ALL = `async (zarr) => [${PARTS.map((part) => `await (${CALLS[part].call})(zarr)`)}]`;
  const VALUES = PARTS.map((part) => CALLS[part].value);
  const allAt = (address) => `(async () => (${ALL})({ ...(await import(${JSON.stringify(address)})), support: await import("/support/index.mjs") }))()`;

  /** Runs code in another tab, at a path of the site, once `before` ran in it. */
  async function inTab(path, code, before = () => {}) {
    const tab = await page.browser.newPage();
    try {
      await tab.evaluateOnNewDocument(before);
      await tab.goto(`${page.site.url}${path}`);
      return await tab.evaluate(code);
    } finally {
      await tab.close();
    }
  }

  test("a page that forbids blocking requests by its policy has all parts", async () => {
    assert.deepEqual(await inTab("/policy/", allAt("rectilinear-zarr")), VALUES);
    assert.deepEqual(host.asked.sort(), [...PARTS].sort());
  });

  test("each part is there where large modules cannot be compiled or started at once, as in Chromium before 115", async () => {
    const before = () => {
      for (const name of ["Module", "Instance"]) {
        WebAssembly[name] = new Proxy(WebAssembly[name], {
          construct() {
            throw new RangeError(`WebAssembly.${name} is disallowed on the main thread, if the buffer size is larger than 4KB`);
          },
        });
      }
    };
    assert.deepEqual(await inTab("/", allAt("rectilinear-zarr"), before), VALUES);
  });

  test("a page without XMLHttpRequest has all parts", async () => {
    const before = () => {
      delete globalThis.XMLHttpRequest;
    };
    assert.deepEqual(await inTab("/", `(async () => [typeof XMLHttpRequest, await ${allAt("rectilinear-zarr")}])()`, before), ["undefined", VALUES]);
  });

  test("a page whose fetch cannot be replaced has all parts", async () => {
    const before = () => {
      Object.defineProperty(globalThis, "fetch", { value: Object.freeze(globalThis.fetch), writable: false, configurable: false });
    };
    assert.deepEqual(await inTab("/", allAt("rectilinear-zarr"), before), VALUES);
  });

  test("a page has all parts from another origin", async () => {
    assert.deepEqual(await inTab("/", allAt(`${origin.url}/pkg/index.js`)), VALUES);
    assert.deepEqual(far.asked.sort(), [...PARTS].sort());
    assert.deepEqual(host.asked, []);
  });

  test("two builds of the package in one page: each has its own parts", async () => {
    const found = await inTab("/", `Promise.all(${JSON.stringify(["/pkg/index.js", "/pkg2/index.js"])}.map(async (address) => (${ALL})({ ...(await import(address)), support: await import("/support/index.mjs") })))`);
    assert.deepEqual(found, [VALUES, VALUES]);
    for (const { asked } of [host, copy]) assert.deepEqual(asked.sort(), [...PARTS].sort());
  });

  for (const part of LATER) {
    test(`a deployment that has replaced ${fileOf(part)} alone: the call fails by name, and what needs it not goes on`, async () => {
      copy.set(part, (exchange) => host.handle(exchange.request, exchange.response));
      refuses(part, await attemptBy(part, "/pkg2/index.js"));
      // References are read as a group. Polygons need a group, a store that is no URL, and what all answers need.
      const needed = { virtual: ["opening"], zones: ["opening", "calls", "answers"] };
      const isApart = (other) => other !== part && !needed[other]?.includes(part);
      for (const other of PARTS.filter(isApart)) assert.deepEqual(await attemptBy(other, "/pkg2/index.js"), { value: CALLS[other].value });
    });
  }

  test("fifty opens at once, while the parts come late: each reads its values, and each part is asked for once", async () => {
    host.set(PARTS, late(300));
    const names = ["int16-regular", "int64-regular", "tensorstore-v2-raw", "codec-zstd"];
    const found = await page.run(
      async ({ Group, RectilinearArray, support }, names) => {
        const read = async (nth) => {
          if (nth % 5 === 4) return (await Group.open("/data/in-a-group.zarr")).attrs.title;
          const array = await RectilinearArray.open(`/data/${names[nth % 5]}.zarr`);
          return support.crc32(support.bytesOf((await array.get()).data, array.dtype));
        };
        return Promise.all(Array.from({ length: 50 }, (_, nth) => read(nth)));
      },
      names,
    );
    const expected = [...names.map((name) => CHECKSUMS[name]), CALLS.opening.value];
    assert.deepEqual(found, Array.from({ length: 50 }, (_, nth) => expected[nth % 5]));
    assert.deepEqual(host.asked.sort(), ["codecs", "first", "grids", "opening"]);
  });

  test("an array that is freed while its read waits for a part gives its values", async () => {
    host.set("calls", waits);
    await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/data/int16-regular.zarr");
      globalThis.begun = array.getPoints([[0, 0], [6, 4]]).then(({ data }) => [...data], String);
      array.free();
    });
    await until(() => host.asked.includes("calls"));
    host.release();
    assert.deepEqual(await ended(), POINTS);
  });

  test("many kinds of calls, while the parts come late, send no request that blocks the page", async () => {
    host.set(LATER, late(300));
    const { results, opened } = await page.run(async ({ Group, RectilinearArray }) => {
      let opened = 0;
      const { open } = XMLHttpRequest.prototype;
      XMLHttpRequest.prototype.open = function (...given) {
        opened += 1;
        return open.apply(this, given);
      };
      const at = (name, options) => RectilinearArray.open(`/data/${name}.zarr`, options);
      /** An array of the items 0 and 1. */
      const small = (data_type, TypedArray, attributes) => {
        const chunk_grid = { name: "regular", configuration: { chunk_shape: [2] } };
        const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
        const document = { zarr_format: 3, node_type: "array", shape: [2], data_type, chunk_grid, chunk_key_encoding: { name: "default" }, codecs, fill_value: 0, attributes };
        const items = TypedArray === BigInt64Array ? [0n, 1n] : [0, 1];
        return RectilinearArray.open(new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))], ["/c/0", new Uint8Array(TypedArray.from(items).buffer)]]));
      };
      const calls = {
        plain: async () => (await (await at("int16-regular")).get()).shape.join(),
        points: async () => (await (await at("int16-regular")).getPoints([[0, 0]])).data.length,
        list: async () => (await (await at("int16-regular")).get([[0, 3], 1])).data.length,
        chunk: async () => (await (await at("int16-regular")).getChunk([0, 0])).shape.join(),
        encoded: async () => (await (await at("int16-regular")).getEncoded([0, 0])).length > 0,
        stream: async () => {
          let parts = 0;
          for await (const part of (await at("int16-regular")).stream()) parts += Number(part.data.length > 0);
          return parts;
        },
        prefetch: async () => (await (await at("int16-regular")).prefetch()) === undefined,
        refresh: async () => (await at("int16-regular")).refresh(),
        cast: async () => (await (await at("int16-regular")).get(null, { as: "float32", minmax: true })).data.constructor.name,
        numbers: async () => (await (await small("int64", BigInt64Array)).get(null, { int64: "number" })).data.constructor.name,
        workers: async () => (await (await at("gzip-level-1", { workers: 1 })).get()).shape.join(),
        joined: async () => {
          const array = await at("int16-regular");
          return (await (await RectilinearArray.concat([array, array], 0)).get()).shape.join();
        },
        times: async () => (await (await small("int32", Int32Array, { units: "days since 2000-01-01" })).decodeTime()).data[1],
        shards: async () => (await (await at("sharded-gzip")).get()).shape.join(),
        blosc: async () => (await (await at("blosc-blocks")).get()).shape.join(),
        grid: async () => (await (await at("codec-zstd")).get()).shape.join(),
        bits: async () => (await (await at("dtype-int2")).get()).data.length > 0,
        complex: async () => (await (await at("dtype-complex64")).get()).data.length > 0,
        strings: async () => (await (await at("dtype-string")).get()).data.length > 0,
        version2: async () => (await (await at("tensorstore-v2-blosc")).get()).data.length > 0,
        group: async () => (await (await Group.open("/data/in-a-group.zarr")).array("models/t 2m")).shape.join(),
        count: async () => (await (await import("rectilinear-zarr/answers")).reduce(await at("int16-regular"), "count", { decode: false })).data[0],
        nothing: () => at("nothing-there").catch(({ name }) => name),
      };
      const results = Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await call().catch(String)])));
      return { results, opened };
    });
    assert.deepEqual(results, {
      plain: "7,5", points: 1, list: 2, chunk: "3,2", encoded: true, stream: 9, prefetch: true, refresh: false, cast: "Float32Array", numbers: "Float64Array",
      workers: "48,64", joined: "14,5", times: Date.UTC(2000, 0, 2), shards: "10,12", blosc: "90,60", grid: "6,5,7", bits: true, complex: true, strings: true,
      version2: true, group: "6,5", count: 35, nothing: "NotFoundError",
    });
    assert.equal(opened, 0);
    // Polygons, which need a grid with coordinates, have their own tests above.
    assert.deepEqual(host.asked.sort(), PARTS.filter((part) => part !== "zones").sort());
  });

  describe("are not asked for by", () => {
    const opened = (body) => `async (zarr) => (${body})(await zarr.RectilinearArray.open("/data/int16-regular.zarr"), zarr)`;

    test("properties and plans, which answer at once", async () => {
      host.set(LATER, FAULTS["status 500"]);
      const found = await page.run(opened((array) => {
        const { chunkGrid: grid } = array;
        const names = ["shape", "dtype", "fillValue", "dimensionNames", "attrs", "codecs", "metadata", "path", "zarrFormat", "innerChunkGrid", "timeUnit", "fields", "itemShape", "writeChunkSizes", "readChunkSizes", "place"];
        return {
          kinds: names.filter((name) => array[name] instanceof Promise),
          values: [array.shape, array.dtype, array.fillValue, array.zarrFormat, array.metadata.node_type, array.codecs.length > 0],
          grid: [grid.shape, grid.isRegular, grid.runs(0).length, grid.bounds([1, 1]), grid.chunkAt([6, 4]).coords],
          plans: [undefined, null, [], [0], [[0, 6]], [[0, 6], [1]], [{ start: 1, stop: 6, step: 2 }, -1]].map((selection) => array.plan(selection).chunks.length ?? array.plan(selection).chunks),
        };
      }));
      assert.deepEqual(found.kinds, []);
      assert.deepEqual(found.values, [[7, 5], "int16", 0, 3, "array", true]);
      assert.deepEqual(found.grid, [[3, 3], true, 1, { start: [3, 2], stop: [6, 4] }, [2, 2]]);
      assert.deepEqual(found.plans, [9, 9, 9, 3, 6, 2, 2]);
      assert.deepEqual(later(), []);
    });

    const WRONG = {
      "an index out of range": (array) => array.get([7]),
      "an index out of range in a list": (array) => array.get([[0, 7]]),
      "too many indices": (array) => array.get([0, 0, 0]),
      "a selection that is none": (array) => array.get("all"),
      "a chunk out of range": (array) => array.getChunk([3, 0]),
      "a chunk of another rank": (array) => array.getChunk([0]),
      "an option that is wrong": (array) => array.get(null, { order: 5 }),
      "an unknown type": (array) => array.get(null, { as: "nothing" }),
      "points of another rank": (array) => array.getPoints([[0]]),
      "concat of nothing": (_, { RectilinearArray }) => RectilinearArray.concat([], 0),
      "concat of what is no array": (array, { RectilinearArray }) => RectilinearArray.concat([array, {}], 0),
      "a plan out of range": async (array) => array.plan([7]),
      "a chunk of the grid out of range": async (array) => array.chunkGrid.bounds([3, 0]),
    };
    for (const [name, call] of Object.entries(WRONG)) {
      test(`${name}, which is refused`, async () => {
        host.set(LATER, FAULTS["status 500"]);
        const error = await page.run(opened(`(array, zarr) => zarr.support.rejection(() => (${call})(array, zarr))`));
        assert.ok(error?.isError, "nothing was refused");
        assert.doesNotMatch(error.message, /_bg\.wasm/);
        assert.deepEqual(later(), []);
      });
    }
  });
});
