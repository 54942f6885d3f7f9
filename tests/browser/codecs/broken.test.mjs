/** Malformed arrays reject with the named error and a message that says where, and harm nothing else. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { inBatches } from "../support/in-batches.mjs";
import { oracle } from "../support/paths.mjs";

const lists = [
  "broken.json",
  "broken-dtypes.json",
  "broken-filters.json",
  "broken-v2.json",
  "broken-grids.json",
  "broken-objects.json",
  "broken-lzma.json",
  "broken-pcodec.json",
  "broken-zfp.json",
];
const entries = (await Promise.all(lists.map((name) => oracle(name)))).flat();
const good = (await oracle("index.json")).find(({ name }) => name === "rectilinear-single");

/** Check the fields of api.md that the oracle knows; `...Prefix` and `...Suffix` say how one begins or ends. */
function checkFields(error, fields) {
  for (const [field, expected] of Object.entries(fields)) {
    if (field === "pathPrefix") assert.ok(error.path?.startsWith(expected), `path ${error.path}, not under ${expected}`);
    else if (field === "keySuffix") assert.ok(error.key?.endsWith(expected), `key ${error.key} does not end in ${expected}`);
    else assert.deepEqual(error[field], expected, field);
  }
}

/**
 * In a page: how each array is refused, and what an array that says where it is damaged still answers. At the end, it
 * reads an array that is good; `afterwards` is that one's checksum.
 */
async function refusals({ RectilinearArray, support }, { entries, good }) {
  const answers = [];
  for (const { path, proposals, when } of entries) {
    const url = new URL(`/data/${path}`, location.href).href;
    const answer = { error: undefined, after: null };
    answers.push(answer);
    if (when === "open") {
      answer.error = await support.rejection(() => RectilinearArray.open(url, { proposals }));
      continue;
    }
    const array = await RectilinearArray.open(url, { proposals });
    if (when === "read") {
      if (!(array.shape.length && array.dtype && array.metadata && Array.isArray(array.codecs))) throw new Error(`the header of ${path} lacks something`);
      answer.error = await support.rejection(() => array.get());
    } else {
      answer.error = await support.rejection(() => array.get());
      const part = await array.get([null, { start: 3, stop: null, step: null }]);
      answer.after = support.crc32(support.bytesOf(part.data, array.dtype));
    }
  }
  const whole = await (await RectilinearArray.open(new URL(`/data/${good.path}`, location.href))).get();
  return { answers, afterwards: support.crc32(support.bytesOf(whole.data, good.dtype)) };
}

describe("malformed arrays", () => {
  let page;
  const refusal = inBatches(entries, async (batch) => {
    const { answers, afterwards } = await page.run(refusals, { entries: batch, good });
    assert.equal(afterwards, good.crc32, "other arrays no longer answer");
    return answers;
  });
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of entries) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const { error, after } = await refusal(entry);
      assert.ok(error, "it was accepted");
      assert.equal(error.name, entry.overHttp ?? entry.error, `${error.name}: ${error.message}`);
      assert.ok(error.isError, "not an Error");
      if (entry.overHttp) {
        assert.ok(error.key?.endsWith(entry.fields.keySuffix), `key ${error.key}`);
        assert.match(error.message, /shorter than its index/);
      } else {
        checkFields(error, entry.fields);
      }
      for (const word of entry.overHttp ? [] : entry.mentions) assert.ok(error.message.includes(word), `no ${word} in: ${error.message}`);
      if (error.name === "UnsupportedError") assert.equal(typeof error.feature, "string");
      if (error.name === "InvalidMetadataError") assert.equal(typeof error.path, "string");
      if (entry.good) assert.equal(after, entry.good.crc32, "the array no longer answers");
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
