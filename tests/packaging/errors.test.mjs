/**
 * The page on errors shows real messages: each of them is provoked, and compared with the page. `ERRORS=write` writes
 * them to the page.
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { PACKAGE, ROOT } from "../browser/support/paths.mjs";
import { listen } from "../browser/support/server.mjs";

const { RectilinearArray } = await import(join(PACKAGE, "node.js"));
const PAGE = join(ROOT, "www/docs/errors.md");

/** Letters of a line of the page's messages. */
const WIDTH = 116;

const bytes = (text) => new TextEncoder().encode(text);

/** The metadata of an array of a day's hours. */
const metadata = (changes = {}) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [24],
  data_type: "int16",
  chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[10, 14]] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 300,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
  dimension_names: ["time"],
  attributes: {},
  ...changes,
});

/** A store with an array at `t2m`, and with other values. */
const storeOf = (changes, values = {}) =>
  new Map([["/t2m/zarr.json", bytes(JSON.stringify(metadata(changes)))], ...Object.entries(values)]);

const open = (changes, values, options) => RectilinearArray.open(storeOf(changes, values), { path: "t2m", ...options });
const group = { "/zarr.json": bytes('{ "zarr_format": 3, "node_type": "group" }') };

/** Calls by the name of the error that they fail with. `host` is a server whose URLs name the status of the answer. */
const FAILURES = {
  NotFoundError: [() => open({}, {}, { path: "t2" })],
  StoreError: [
    (host) => RectilinearArray.open(`${host}/status/403/t2m`),
    async () => (await RectilinearArray.open({ get: () => Promise.reject(new Error("the disk is gone")) })).get(),
  ],
  InvalidMetadataError: [
    () => RectilinearArray.open(storeOf({}, group)),
    () => open({ chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: [[10, 10]] } } }),
    async () => (await open()).decodeTime(),
  ],
  UnsupportedError: [
    async () => (await open({ codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "numcodecs.pickle" }] })).get(),
    async () => (await open({}, { "/t2m/c/0": new Uint8Array(24) }, { maxChunkBytes: 16 })).get(),
  ],
  CodecError: [async () => (await open({}, { "/t2m/c/1": new Uint8Array(32) })).get()],
  SelectionError: [
    async () => (await open()).get([24]),
  ],
  FreedError: [
    async () => {
      const array = await open();
      array.free();
      await array.get();
    },
  ],
  RangeError: [async () => (await open()).get(null, { as: "uint8" })],
  TypeError: [async () => (await open()).get(null, { signal: 5 })],
};

/** The error of a call that has to fail. */
async function failureOf(call, host) {
  try {
    await call(host);
  } catch (error) {
    return error;
  }
  return assert.fail(`this call succeeded: ${call}`);
}

/** A message in lines of the page. */
function wrapped(message) {
  const lines = [""];
  for (const word of message.split(" ")) {
    if (lines.at(-1).length + 1 + word.length > WIDTH && lines.at(-1) !== "") lines.push("");
    lines[lines.length - 1] += `${lines.at(-1) && " "}${word}`;
  }
  return lines.join("\n");
}

describe("the page on errors", () => {
  let site;
  before(async () => {
    site = await listen((request, response) => response.writeHead(Number(request.url.split("/")[2])).end());
  });
  after(() => site?.close());

  test("shows the messages that errors have", async () => {
    let page = await readFile(PAGE, "utf8");
    for (const [name, calls] of Object.entries(FAILURES)) {
      const messages = [];
      for (const call of calls) {
        const error = await failureOf(call, site.url);
        assert.equal(error.name, name, error.message);
        messages.push(error.message.replaceAll(site.url, "https://host"));
      }
      const wanted = messages.map(wrapped).join("\n\n");
      const section = new RegExp(`(^## ${name}\n[^]*?^\`\`\`text\n)([^]*?)(\n\`\`\`$)`, "m");
      const found = section.exec(page) ?? assert.fail(`the page has no section ${name} with messages`);
      if (process.env.ERRORS === "write") page = page.replace(section, (_, start, __, end) => start + wanted + end);
      else assert.equal(found[2], wanted, "ERRORS=write node --test tests/packaging/errors.test.mjs writes the messages");
    }
    if (process.env.ERRORS === "write") await writeFile(PAGE, page);
  });
});
