// Splits the main module of a package in two: node .tools/split-module.mjs DIRECTORY. The first part holds the
// functions that an ordinary first read runs, by a profile of this build (.tools/profile.mjs). The rest holds all
// others, and loads later (src/web/load/rest.js).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { FEATURES, formsOf, textOf } from "./module-text.mjs";
import { split } from "./split.mjs";

const [FIRST, REST] = ["rectilinear_zarr_bg.wasm", "rectilinear_zarr_rest_bg.wasm"];
/** In place of src/web/load/rest.js: counts the functions that run, until something waits for the rest. */
const COUNTER = `export const ran = new Set();
let isCounting = true;
export const count = (yes) => (isCounting = yes);
export const sharing = (imports) => ({ ...imports, profile: { ran: (number) => isCounting && ran.add(number) } });
export const shared = () => {};
export const [isWhole, whenWhole, isNeededAtOnce] = [() => true, () => {}, () => false];
export const rest = async () => void count(false);
export const unlessLost = (promise) => promise;
`;

const [directory] = process.argv.slice(2).map((path) => resolve(path));
const work = `${directory}-split`;
const binaryen = (tool, ...args) => execFileSync(join(import.meta.dirname, "../tests/node_modules/.bin", tool), [...FEATURES, ...args]);

/** Calls a counter at the start of each function. */
function counting(text) {
  const [forms, numbers] = [formsOf(text), []];
  for (const { kind, name, lines } of forms) {
    if (kind !== "func") continue;
    const locals = lines.findIndex((line, at) => at > 0 && !line.startsWith("  (local "));
    lines.splice(locals, 0, `  (call $ran (i32.const ${numbers.push(name) - 1}))`);
  }
  const at = forms.findIndex(({ kind }) => kind === "import");
  const ran = { lines: [' (import "profile" "ran" (func $ran (param i32)))'] };
  return { text: textOf([...forms.slice(0, at), ran, ...forms.slice(at)]), numbers };
}

/** Writes the text of a module as a module; arranges its functions as .tools/optimise does. */
function assemble(name, text, isFinal) {
  writeFileSync(`${work}/module.wat`, text);
  binaryen("wasm-as", `${work}/module.wat`, "-o", name);
  if (!isFinal) return;
  execFileSync(process.execPath, [join(import.meta.dirname, "arrange.mjs"), name]);
  binaryen("wasm-opt", "--reorder-functions-by-name", "--strip-debug", "--strip-target-features", name, "-o", name);
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work);
const module = join(directory, FIRST);
binaryen("wasm-dis", module, "-o", `${work}/whole.wat`);
const whole = readFileSync(`${work}/whole.wat`, "utf8");

for (const name of readdirSync(directory).filter((name) => name.endsWith(".js") || name.endsWith(".wasm"))) cpSync(join(directory, name), join(work, name));
writeFileSync(`${work}/package.json`, '{ "type": "module" }');
writeFileSync(`${work}/rest.js`, COUNTER);
const counted = counting(whole);
assemble(`${work}/${FIRST}`, counted.text, false);
const ran = JSON.parse(execFileSync(process.execPath, [join(import.meta.dirname, "profile.mjs"), work], { stdio: ["ignore", "pipe", "inherit"] }));

const build = createHash("sha256").update(readFileSync(module)).digest("hex").slice(0, 6);
const { first, rest, counts } = split(whole, new Set(ran.map((number) => counted.numbers[number])), build);
assemble(module, first, true);
assemble(join(directory, REST), rest, true);
rmSync(work, { recursive: true });
console.log(`split the main module: ${counts.first} functions at first, ${counts.rest} later; ${counts.late} of the rest and ${counts.shared} of the first part are called by the other part`);
