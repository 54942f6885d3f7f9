/** Bodies longer than may be, and bodies that never end: what is read of them, and that their connections are let go. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

import { endless, first, gzipped, ignoresRange, longer, on, wrongLength } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { indexSize, written } from "../support/written.mjs";

const MiB = 2 ** 20;

/** More than sockets and the browser hold on the way. */
const UNDERWAY = 48 * MiB;

/** The bytes that belong there are fewer. */
const SHORT = 4096;

const REFERENCES = { version: 1, refs: { ".zgroup": '{"zarr_format":2}' } };

/** A list that has a chunk of `plain` at the end of a file of 3 MiB. */
const LISTED = {
  version: 1,
  refs: {
    ".zgroup": '{"zarr_format":2}',
    "plain/.zarray": JSON.stringify({ zarr_format: 2, shape: [16, 16], chunks: [4, 4], dtype: "<i4", compressor: null, filters: null, fill_value: 0, order: "C" }),
    "plain/1.1": ["long", 3 * MiB, 64],
  },
};

const node = await import(pathToFileURL(join(PACKAGE, "node.js")));

describe("bounds of bodies", () => {
  let network;
  let near;
  let far;
  before(async () => {
    const sharded = { shape: [16, 16], chunks: [8, 8], inner: [4, 4] };
    const [[, chunk]] = [...written("plain", { shape: [16, 16], chunks: [4, 4] })].filter(([path]) => path === "/plain/c/1/1");
    const long = Buffer.concat([Buffer.alloc(3 * MiB), chunk]);
    // As a shard is whose inner chunks were written again and again.
    const gaps = written("gaps", sharded);
    gaps.set("/gaps/c/0/0", Buffer.concat([gaps.get("/gaps/c/0/0").subarray(0, 256), Buffer.alloc(MiB), gaps.get("/gaps/c/0/0").subarray(256)]));
    network = await startNetwork(new Map([
      ...written("plain", { shape: [16, 16], chunks: [4, 4] }),
      ...written("wide", { shape: [240, 256], chunks: [240, 256] }),
      ...written("sharded", sharded),
      ...gaps,
      ["/listed", Buffer.from(JSON.stringify(LISTED))],
      ["/long", long],
      ["/references.json", Buffer.from(JSON.stringify(REFERENCES))],
    ]));
    ({ near, far } = network);
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  const read = (url, options = {}) =>
    network.run(
      async ({ RectilinearArray, Group, support }, { url, options }) => {
        let items;
        const error = await support.rejection(async () => {
          if (url.endsWith(".json")) return Group.open(url, options);
          items = [...(await (await RectilinearArray.open(url, options)).get([5, 5])).data];
        });
        return error ?? items;
      },
      { url, options },
    );

  /** That a read fails for the length of what one request to `pattern` brings, and lets go of it soon after `most` bytes. */
  async function isCut(host, error, pattern, most) {
    assert.equal(error.name, "StoreError", JSON.stringify(error));
    assert.match(error.message, /more than \d+ bytes came/);
    assert.match(error.key, pattern);
    const [entry, ...others] = host.log.filter(({ method, path, went }) => method === "GET" && pattern.test(path) && went > SHORT);
    assert.deepEqual(others, [], "it was asked for again");
    await until(() => entry.end);
    assert.ok(entry.aborted, "the connection was let go");
    assert.ok(entry.went <= most + UNDERWAY, `${entry.went} bytes went`);
  }

  const hosts = () => [[near, "/near"], [far, far.url]];

  test("100 MiB in place of a chunk of 64 bytes are refused before they are read", async () => {
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, longer(100 * MiB))];
      await isCut(host, await read(`${url}/plain`), /plain\/c\/1\/1$/, 0);
    }
  });

  test("a chunk that never ends is cut at twice its size and a mebibyte", async () => {
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, endless())];
      const error = await read(`${url}/plain`);
      await isCut(host, error, /plain\/c\/1\/1$/, MiB + 128);
      assert.match(error.message, new RegExp(`more than ${MiB + 128} bytes`));
    }
  });

  test("a document and references that never end are cut", async () => {
    near.rules = [on(/zarr\.json$/, endless())];
    const error = await read("/near/plain");
    await isCut(near, error, /zarr\.json$/, 64 * MiB);
    assert.match(error.message, new RegExp(`more than ${64 * MiB} bytes`));
    await network.settle();
    near.rules = [on(/references/, endless())];
    await isCut(near, await read("/near/references.json", { format: "kerchunk" }), /references\.json$/, 256 * MiB);
  });

  test("the index of a shard and an inner chunk that never end are cut at the range", async () => {
    near.rules = [on(/\/c\//, endless())];
    await isCut(near, await read("/near/sharded"), /sharded\/c\/0\/0$/, indexSize(4));
    await network.settle();
    near.rules = [on(/\/c\//, (exchange) => exchange.range?.startsWith("bytes=-") || endless()(exchange))];
    const error = await read("/near/sharded");
    await isCut(near, error, /sharded\/c\/0\/0$/, 64);
    assert.match(error.message, /more than 64 bytes/);
  });

  test("a part that is announced longer than the range, and cut off, is one that broke off: it is asked for again", async () => {
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, (exchange) => exchange.method === "GET" && exchange.range?.startsWith("bytes=") && faulty(exchange))];
      const faulty = first(2, wrongLength(5));
      assert.deepEqual(await read(`${url}/sharded`), [85]);
      const parts = host.log.filter(({ method, path, range }) => method === "GET" && path.includes("/c/") && range);
      assert.equal(parts.filter(({ isCut }) => isCut).length, 2);
    }
  });

  test("on another origin too", async () => {
    far.rules = [on(/\/c\//, endless())];
    await isCut(far, await read(`${far.url}/sharded`), /sharded\/c\/0\/0$/, indexSize(4));
  });

  test("a whole value of 2 GiB in place of a range is refused before it is read", async () => {
    near.rules = [on(/\/c\//, (exchange) => ((exchange.range = undefined), endless(2 ** 31)(exchange)))];
    await isCut(near, await read("/near/sharded"), /sharded\/c\/0\/0$/, 0);
  });

  test("a shard from a host that ignores ranges is cut at twice what its inner chunks and index may have, and a mebibyte", async () => {
    const most = MiB + 2 * (4 * (2 * 64 + MiB) + indexSize(4));
    near.rules = [on(/\/c\//, (exchange) => (ignoresRange(exchange), endless()(exchange)))];
    const error = await read("/near/sharded");
    await isCut(near, error, /sharded\/c\/0\/0$/, most);
    assert.match(error.message, new RegExp(`more than ${most} bytes`));
  });

  test("a shard with gaps is read from a host that ignores ranges", async () => {
    near.rules = [on(/\/c\//, ignoresRange)];
    assert.deepEqual(await read("/near/gaps"), [85]);
  });

  test("a chunk that lies in a long file is read from a host that ignores ranges", async () => {
    near.rules = [on(/\/long$/, ignoresRange)];
    assert.deepEqual(await read("/near/listed", { format: "kerchunk", path: "plain" }), [85]);
  });

  test("of a chunk beyond maxChunkBytes no body is read: that it is stored is known", async () => {
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, (exchange) => (ignoresRange(exchange), endless(2 ** 31)(exchange)))];
      const error = await read(`${url}/plain`, { maxChunkBytes: 10 });
      assert.equal(error.name, "UnsupportedError", error.message);
      assert.match(error.message, /maxChunkBytes/);
      const [entry, ...others] = host.log.filter(({ method, path }) => method === "GET" && path.includes("/c/"));
      assert.equal(others.length, 0);
      await until(() => entry.end);
      assert.ok(entry.aborted && entry.went <= UNDERWAY, `${entry.went} bytes went`);
    }
  });

  test("so is what grows as it is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MiB));
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, gzipped(bomb))];
      const error = await read(`${url}/plain`);
      assert.match(error.message, new RegExp(`more than ${MiB + 128} bytes`));
    }
  });

  test("a chunk that is packed by its host is read", async () => {
    const chunk = near.files.get("/plain/c/1/1");
    for (const [host, url] of hosts()) {
      host.rules = [on(/\/c\//, gzipped(gzipSync(chunk)))];
      assert.deepEqual(await read(`${url}/plain`), [5 * 16 + 5]);
    }
  });

  test("a fetch of the caller's: a stream is read no further than may be, nor than was announced", async () => {
    const found = await network.run(async ({ RectilinearArray, support }) => {
      const results = [];
      for (const headers of [{}, { "content-length": "64" }]) {
        let pulled = 0;
        let isCancelled = false;
        const pull = (controller) => (pulled += 4096, controller.enqueue(new Uint8Array(4096)));
        const stream = () => new ReadableStream({ pull, cancel: () => (isCancelled = true) });
        const answer = (request) => (/\/c\//.test(request.url) ? new Response(stream(), { headers }) : fetch(request));
        const array = await RectilinearArray.open("/near/plain", { fetch: answer });
        const error = await support.rejection(() => array.get([5, 5]));
        results.push({ name: error.name, message: error.message, pulled, isCancelled });
      }
      return results;
    });
    for (const [nth, most] of [MiB + 128, 64].entries()) {
      const { name, pulled, isCancelled } = found[nth];
      assert.deepEqual([name, isCancelled], ["StoreError", true], found[nth].message);
      assert.ok(pulled <= most + 4 * 4096, `${pulled} bytes were pulled`);
    }
    assert.match(found[1].message, /more than 64 bytes came, as many as Content-Length says/);
  });

  test("a body longer than its own Content-Length is said to be so, not longer than what may be read", async () => {
    const message = await network.run(async ({ RectilinearArray, support }) => {
      const answer = async (request) => new Response((await fetch(request)).body, { headers: { "content-length": "7" } });
      return (await support.rejection(() => RectilinearArray.open("/near/plain", { fetch: answer }))).message;
    });
    assert.match(message, /more than 7 bytes came, as many as Content-Length says/);
  });

  test("a stream of anything but Uint8Arrays is a TypeError, and not asked for again", async () => {
    const found = await network.run(async ({ RectilinearArray, support }) => {
      const results = [];
      for (const part of [new ArrayBuffer(64), "0123456789abcdef".repeat(4), new Uint16Array(32), null, 5]) {
        let asked = 0;
        const stream = () => new ReadableStream({ start: (controller) => (controller.enqueue(part), controller.close()) });
        const body = () => ({ status: 200, ok: true, headers: new Headers(), body: stream(), arrayBuffer() {} });
        const answer = (request) => (/\/c\//.test(request.url) ? (asked++, body()) : fetch(request));
        const array = await RectilinearArray.open("/near/plain", { fetch: answer });
        const { name, message } = await support.rejection(() => array.get([5, 5]));
        results.push([name, /Uint8Arrays/.test(message), asked]);
      }
      return results;
    });
    assert.deepEqual(found, new Array(5).fill(["TypeError", true, 1]));
  });

  test("each kind of stream is read: of bytes, which fills the reader's memory, of arrays, and of another library", async () => {
    const found = await network.run(async ({ RectilinearArray }) => {
      const kinds = {
        // A part at a time, which ends within the room or at its end.
        filled: (bytes) => {
          const most = bytes.length > 64 ? 5003 : 7;
          let at = 0;
          return new ReadableStream({
            type: "bytes",
            autoAllocateChunkSize: 64,
            pull(controller) {
              const { byobRequest } = controller;
              const part = bytes.subarray(at, at + Math.min(most, byobRequest.view.byteLength));
              new Uint8Array(byobRequest.view.buffer, byobRequest.view.byteOffset).set(part);
              at += part.length;
              if (part.length === 0) controller.close();
              byobRequest.respond(part.length);
            },
          });
        },
        queued: (bytes) => new ReadableStream({ type: "bytes", start: (controller) => (controller.enqueue(bytes.slice()), controller.close()) }),
        arrays: (bytes) => new ReadableStream({ start: (controller) => (bytes.forEach((_, at) => controller.enqueue(bytes.subarray(at, at + 1))), controller.close()) }),
        custom: (bytes) => {
          let isDone = false;
          return { getReader: () => ({ read: async () => (isDone ? { done: true } : ((isDone = true), { done: false, value: bytes })), cancel: async () => {} }) };
        },
        copying: (bytes) => {
          let at = 0;
          const read = async (room) => {
            const part = bytes.subarray(at, at + room.length);
            room.set(part);
            at += part.length;
            return { done: part.length === 0, value: room.subarray(0, part.length) };
          };
          return { getReader: () => ({ read, cancel: async () => {} }) };
        },
      };
      // Responses that look like the platform's, and the platform's own responses with a stream of the caller's.
      const shapes = {
        like: ({ status, ok }, headers, body) => ({ status, ok, type: "basic", headers, body, arrayBuffer() {} }),
        own: ({ status }, headers, body) => new Response(body, { status, headers }),
      };
      const results = [];
      for (const [name, body] of Object.entries(kinds)) {
        for (const [shape, shaped] of Object.entries(shapes)) {
          if (shape === "own" && !(body(new Uint8Array(1)) instanceof ReadableStream)) continue;
          // A stream that closes with bytes asked for, as this one does, may never end a read into the reader's memory.
          if (shape === "like" && name === "queued") continue;
          for (const isAnnounced of [true, false]) {
            const answer = async (request) => {
              const response = await fetch(request);
              const bytes = new Uint8Array(await response.arrayBuffer());
              return shaped(response, new Headers(isAnnounced ? { "content-length": String(bytes.length) } : {}), body(bytes));
            };
            const read = async (array, part) => (await (await RectilinearArray.open(array, { fetch: answer })).get(part)).data;
            const wide = name === "arrays" ? [] : [...(await read("/near/wide", [200, { start: 4, stop: 7 }]))];
            results.push([`${name} ${shape}`, ...(await read("/near/plain", [5, { start: 4, stop: 7 }])), ...wide]);
          }
        }
      }
      return results;
    });
    const [plain, wide] = [[84, 85, 86], [4, 5, 6].map((column) => 200 * 256 + column)];
    const names = ["filled like", "filled own", "queued own", "arrays like", "arrays own", "custom like", "copying like"];
    assert.deepEqual(found, names.flatMap((name) => [0, 1].map(() => [name, ...plain, ...(name.startsWith("arrays") ? [] : wide)])));
  });

  test("a stream of bytes that closes without an answer to the read is read, or given up after the timeout", async () => {
    const found = await network.run(async ({ RectilinearArray, support }) => {
      // Closes when the read of what follows the bytes is waiting.
      const closing = (bytes) => {
        let isGiven = false;
        return new ReadableStream({ type: "bytes", pull: (controller) => (isGiven ? controller.close() : ((isGiven = true), controller.enqueue(bytes))) });
      };
      const read = async (shaped, options) => {
        const answer = async (request) => (/\/c\//.test(request.url) ? shaped(closing(new Uint8Array(await (await fetch(request)).arrayBuffer()))) : fetch(request));
        const array = await RectilinearArray.open("/near/plain", { ...options, fetch: answer });
        return (await array.get([5, 5])).data[0];
      };
      const own = await read((body) => new Response(body));
      const like = (body) => ({ status: 200, ok: true, type: "basic", headers: new Headers(), body, arrayBuffer() {} });
      const { name, message } = await support.rejection(() => read(like, { timeout: 300, retries: 0 }));
      return [own, name, message];
    });
    assert.deepEqual(found.slice(0, 2), [85, "StoreError"], found[2]);
    assert.match(found[2], /no byte came for 300 ms/);
  });

  test("in Node: a chunk that never ends, and one that is announced too long", async () => {
    const url = far.url;
    for (const rule of [endless(), longer(100 * MiB)]) {
      await network.settle();
      far.rules = [on(/\/c\//, rule)];
      const array = await node.RectilinearArray.open(`${url}/plain`);
      const error = await array.get([5, 5]).then(() => ({}), (error) => error);
      await isCut(far, error, /plain\/c\/1\/1$/, MiB + 128);
    }
  });
});
