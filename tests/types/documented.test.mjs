/** The shipped types say what they are: descriptions, parameters, results and errors of everything that is exported. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { describe, test } from "node:test";

import { ERROR_NAMES, documentation } from "./documented.mjs";

const types = new URL("../../src/types/", import.meta.url);
const errorsPage = new URL("../../www/docs/errors.md", import.meta.url);

/** Interfaces whose members are what their names say: typed arrays by name. */
const OBVIOUS = ["NumberArrays", "DataByType"];

describe("the documentation of the types", () => {
  test("is complete", async () => {
    const found = { faults: [], checked: 0 };
    for (const name of (await readdir(types, { recursive: true })).filter((path) => path.endsWith(".d.ts"))) {
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

  test("of errors has a section for each one, with its fields", async () => {
    const text = await readFile(new URL("errors.d.ts", types), "utf8");
    const declared = [...text.matchAll(/^export interface (\w+) extends (?:Array)?Error /gm)].map(([, name]) => name);
    const names = declared.filter((name) => text.includes(`name: "${name}"`));
    assert.deepEqual(names, ERROR_NAMES);
    const page = await readFile(errorsPage, "utf8");
    const sections = page.split(/^## /m).slice(1).map((section) => ({ name: section.split("\n", 1)[0], section }));
    for (const name of names) {
      const { section } = sections.find((other) => other.name === name) ?? assert.fail(`the page on errors has no section ${name}`);
      const fields = [...text.split(`export interface ${name} `)[1].split("\n}")[0].matchAll(/^ {2}(?!name:)(\w+)\??:/gm)].map(([, field]) => field);
      for (const field of fields) assert.ok(section.includes(`\`${field}\``), `the section ${name} names the field ${field}`);
    }
  });
});
