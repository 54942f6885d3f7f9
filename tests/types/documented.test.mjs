/** The shipped types say what they are: descriptions, parameters, results and errors of everything that is exported. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, test } from "node:test";

import { documentation } from "./documented.mjs";

const types = new URL("../../src/types/", import.meta.url);

/** Interfaces whose members are what their names say: typed arrays by name. */
const OBVIOUS = ["NumberArrays"];

describe("the documentation of the types", () => {
  test("is complete", async () => {
    const found = { faults: [], checked: 0 };
    for (const name of await readdir(types)) {
      const { faults, checked } = documentation(name, await readFile(new URL(name, types), "utf8"), OBVIOUS);
      found.faults.push(...faults);
      found.checked += checked;
    }
    assert.deepEqual(found.faults, []);
    assert.ok(found.checked > 150, `the search found ${found.checked} declarations`);
  });

  test("is missed where it is not there", () => {
    const text = `
      export interface Bare {
        a: number;
        /** What it is. */
        b: string;
        name: "Bare";
      }
      /**
       * Adds.
       * @param a One.
       * @param c Another.
       * @throws Nonsense always
       */
      export function add(a: number, b: number): number;
      /** A class. */
      export class C {
        private constructor();
        /**
         * Runs.
         * @returns Nothing.
         */
        run(times: number): void;
      }`;
    assert.deepEqual(documentation("bad.d.ts", text).faults, [
      "bad.d.ts: Bare has no description",
      "bad.d.ts: Bare.a has no description",
      'bad.d.ts: Bare.b begins with "What"',
      "bad.d.ts: add throws no error of the contract: Nonsense always",
      "bad.d.ts: add lacks @param b",
      "bad.d.ts: add has no c",
      "bad.d.ts: add lacks @returns",
      "bad.d.ts: C.run lacks @param times",
    ]);
  });
});
