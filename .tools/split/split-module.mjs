// Splits the main module of a package in parts: node .tools/split/split-module.mjs DIRECTORY. The first part holds the
// functions that an ordinary first read runs, and the parts after it what other reads run, by a profile of this build
// (profile.mjs). The last part holds all others. Parts load as src/web/load says.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { assigned, gatherSmall } from "./assign.mjs";
import { split } from "./link.mjs";
import { FEATURES, calledBy, formsOf, textOf, withShortNames } from "./module-text.mjs";

/** Scenarios that the profile runs, each in a process. */
const SCENARIOS = [["fixtures"], ["fixtures", "reversed"], ["reads"], ["failures"]];

const [directory] = process.argv.slice(2).map((path) => resolve(path));
const work = `${directory}-split`;
const binaryen = (tool, ...args) => execFileSync(join(import.meta.dirname, "../../tests/node_modules/.bin", tool), [...FEATURES, ...args]);
const node = (tool, ...args) => execFileSync(process.execPath, [join(import.meta.dirname, tool), ...args], { stdio: "inherit" });
/** What a scenario of the profile prints. */
const profiled = async (scenario) => {
  const options = ["--expose-gc", join(import.meta.dirname, "profile.mjs"), work, ...scenario];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { maxBuffer: 2 ** 28 });
  process.stderr.write(stderr);
  return JSON.parse(stdout);
};

const FIRST = "rectilinear_zarr_bg.wasm";
const { PARTS } = await import(pathToFileURL(join(directory, "parts.js")));
const files = [FIRST, ...PARTS.map((name) => `rectilinear_zarr_${name}_bg.wasm`)];

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
  binaryen("wasm-as", `${work}/module.wat`, "-o", name, ...(process.env.WASM_NAMES ? ["-g"] : []));
  if (!isFinal || process.env.WASM_NAMES) return;
  node("../arrange.mjs", name);
  binaryen("wasm-opt", "--reorder-functions-by-name", "--strip-debug", "--strip-target-features", name, "-o", name);
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work);
const module = join(directory, FIRST);
binaryen("wasm-dis", module, "-o", `${work}/whole.wat`);
const whole = withShortNames(readFileSync(`${work}/whole.wat`, "utf8"));

for (const name of readdirSync(directory).filter((name) => name.endsWith(".js") || name.endsWith(".wasm"))) cpSync(join(directory, name), join(work, name));
writeFileSync(`${work}/package.json`, '{ "type": "module" }');
writeFileSync(`${work}/parts.js`, readFileSync(join(import.meta.dirname, "counter.mjs"), "utf8").replace('"PARTS"', JSON.stringify(PARTS.join(" "))));
const counted = counting(whole);
assemble(`${work}/${FIRST}`, counted.text, false);
const named = ([there, ran]) => [there, ran.map((number) => counted.numbers[number])];
const ran = (await Promise.all(SCENARIOS.map(profiled))).flat().map(named);

// For an engine that does without parts (src/web/load/parts.js).
cpSync(module, join(directory, "rectilinear_zarr_whole_bg.wasm"));
const build = createHash("sha256").update(readFileSync(module)).digest("hex").slice(0, 6);
const functions = formsOf(whole).filter(({ kind }) => kind === "func");
const parts = gatherSmall(assigned(counted.numbers, ran, files.length), functions, calledBy);
const texts = split(whole, parts, build);
texts.forEach(({ text }, part) => assemble(join(directory, files[part]), text, true));
if (!process.env.SPLIT_KEEP) rmSync(work, { recursive: true });
const told = texts.map(({ functions, called }, part) => `${["first", ...PARTS][part]} ${functions} (${called} called by others)`);
console.log(`split the main module, functions: ${told.join(", ")}`);
