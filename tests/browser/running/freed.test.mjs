/** Objects that were freed say so: every method of every class, a second `free()`, and nothing else that was under way. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = join(NEIGHBOURS, "cf");

describe("what was freed", () => {
  let page;
  before(async () => (page = await openPage({ "/sets": SETS })));
  after(() => page?.close());

  test("says so, whatever is called of it", async () => {
    const found = await page.run(async ({ Group, RectilinearArray }) => {
      const url = new URL("/sets/daily.zarr", location.href).href;
      const group = await Group.open(url);
      const array = await group.array("t2m");
      const other = await group.array("t2m");
      const objects = { Group: group, RectilinearArray: array };
      const classes = { Group, RectilinearArray };
      const said = [];
      for (const [of, object] of Object.entries(objects)) {
        object.free();
        // Texts for people and consoles are never an error.
        const isForPeople = (name) => /^toString$|inspect|toStringTag/.test(String(name));
        const members = [...Reflect.ownKeys(classes[of].prototype)].filter((name) => !/^__|^constructor$/.test(String(name)) && !isForPeople(name));
        for (const name of members) {
          const told = { member: `${of}.${String(name)}` };
          try {
            const given = object[name];
            if (typeof given === "function") {
              const result = given.call(object, ...(name === "coordinates" ? ["t2m"] : ["t2m", 0]));
              told.promised = typeof (result?.then ?? result?.next) === "function";
              await (result?.next ? result.next() : result);
            }
            told.name = "no error";
          } catch (error) {
            Object.assign(told, { name: error.name, message: error.message, isError: error instanceof Error });
          }
          said.push(told);
        }
      }
      // Where a freed array is given to another object.
      for (const [member, call] of Object.entries({
        concat: () => RectilinearArray.concat([other, array], 0),
        "coordinates of": async () => (await Group.open(url)).coordinates(array),
      })) {
        const { name, message } = await call().catch((error) => error);
        said.push({ member, promised: true, name, message, isError: true });
      }
      return said;
    });
    for (const { member, name, message, isError } of found) {
      assert.equal(name, "FreedError", `${member}: ${name}: ${message}`);
      assert.match(message, /was freed/, member);
      assert.ok(isError, member);
    }
    const members = new Set(found.map(({ member }) => member));
    for (const member of [
      ...["get", "getChunk", "getPoints", "prefetch", "plan", "stream", "sel", "decodeTime", "refresh", "shape", "attrs", "chunkGrid"].map((name) => `RectilinearArray.${name}`),
      ...["array", "group", "coordinates", "tree", "snapshots", "refs", "path"].map((name) => `Group.${name}`),
      ...["RectilinearArray", "Group"].flatMap((of) => [`${of}.free`, `${of}.Symbol(Symbol.dispose)`]),
    ]) {
      assert.ok(members.has(member), member);
    }
    // What gives a promise rejects.
    const thrown = found.filter(({ promised }) => promised === undefined).map(({ member }) => member);
    for (const name of ["get", "getChunk", "getPoints", "prefetch", "sel", "decodeTime", "refresh", "stream"]) {
      assert.ok(!thrown.includes(`RectilinearArray.${name}`), name);
    }
    for (const name of ["array", "group", "coordinates", "snapshots", "refs"]) assert.ok(!thrown.includes(`Group.${name}`), name);
  });

  test("is no chunk grid: that is its array's, and lasts", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(new URL("/sets/daily.zarr/t2m", location.href).href);
      const { chunkGrid } = array;
      const { shape } = chunkGrid;
      chunkGrid.free();
      chunkGrid.free();
      new Function("grid", "{ using other = grid; }")(chunkGrid);
      const kept = [array.chunkGrid.shape, array.chunkGrid.runs(0)];
      array.free();
      return { shape, kept, after: [chunkGrid.shape, chunkGrid.runs(0)] };
    });
    assert.deepEqual(found.kept[0], found.shape);
    assert.deepEqual(found.after, found.kept);
  });

  test("is what a using declaration ended, too", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const url = new URL("/sets/daily.zarr/t2m", location.href).href;
      const array = await RectilinearArray.open(url);
      // As text: a formatter or a linter may not know the syntax yet.
      const shape = new Function("opened", "{ using array = opened; return array.shape; }")(array);
      return { shape, late: await support.rejection(() => array.get([0])), again: await support.rejection(async () => array[Symbol.dispose]()) };
    });
    assert.deepEqual([found.shape.length, found.late?.name, found.again?.name], [3, "FreedError", "FreedError"]);
  });

  test("does not fail what is under way: get, sel, coordinates, and the labels that another sel waits for", async () => {
    const found = await page.run(async ({ Group, support }) => {
      const url = new URL("/sets/daily.zarr", location.href).href;
      const opened = async () => (await Group.open(url)).array("t2m");
      const query = { time: "2024-02-03", lat: 30 };
      const whole = await (await opened()).sel(query);
      const results = {};

      // free() comes at once, and after each of so many steps of the event loop.
      for (const steps of [0, 1, 2, 3, 5, 8]) {
        const array = await opened();
        const reading = [array.sel(query), array.get([0, 0, 0]), array.decodeTime().catch(({ name }) => name)];
        for (let i = 0; i < steps; i++) await new Promise((resolve) => setTimeout(resolve, 1));
        array.free();
        const [{ data, coordinates }, first, times] = await Promise.all(reading);
        results[steps] = { equal: JSON.stringify([[...data], coordinates]) === JSON.stringify([[...whole.data], whole.coordinates]), first: first.data.length, times };
      }

      // The first who asks for the labels leaves, and frees the array; the second asked through a handle of the same array.
      const array = await opened();
      const controller = new AbortController();
      const left = support.rejection(() => array.sel(query, { signal: controller.signal }));
      const stayed = array.sel(query);
      await Promise.resolve();
      controller.abort(new Error("gone"));
      array.free();
      const second = await stayed;

      const group = await Group.open(url);
      const wanted = await group.array("t2m");
      const finding = group.coordinates(wanted);
      group.free();
      wanted.free();
      const { time } = await finding;
      return { results, left: (await left).message, second: [...second.data].length === [...whole.data].length, time: time.shape, late: await support.rejection(() => array.sel(query)) };
    });
    for (const [steps, { equal, first }] of Object.entries(found.results)) assert.deepEqual([equal, first], [true, 1], `after ${steps} steps`);
    assert.deepEqual([found.left, found.second, found.late.name], ["gone", true, "FreedError"]);
    assert.equal(found.time.length, 1);
  });
});
