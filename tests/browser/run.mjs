/**
 * Runs browser tests as `node --test` does, with Chromiums that the files borrow one after the other, and prints the
 * files that took longest: node tests/browser/run.mjs [FILE...]. Without files, it runs all. LANES is how many run at the
 * same time: by default one more than there are processors, as some files mostly wait. Of the explorer's files, up to
 * three that failed are run once more, alone: what a busy machine's slowness broke passes then, and is printed as such.
 */

import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";

import { start } from "./support/chromium.mjs";
import { startLender } from "./support/lending.mjs";
import { ROOT } from "./support/paths.mjs";

/** Files that take longest. They begin first, so that all lanes end together. */
const LONGEST = [
  "running/soak",
  "running/workers",
  "reads/oracle",
  "package/parts",
  "codecs/broken",
  "network/timeout",
  "www/take",
  "package/docs",
  "adapters/zarrita",
  "codecs/codec-modules",
  "adapters/to-zarrita",
  "www/stores",
  "www/take-code",
  "www/earth-places",
  "www/reading",
  "www/explorer",
  "www/catalog",
  "reads/concat",
  "www/pictures",
  "codecs/large",
  "codecs/custom-workers",
  "running/slots",
].map((name) => join(ROOT, `tests/browser/${name}.test.mjs`));

/** How many of the slowest files are printed. */
const SLOWEST = 10;

/** How many files may be run again. More that fail have a reason other than slowness. */
const AGAIN = 3;

/** Test files of the folders, the longest first. */
function allFiles() {
  const isTest = (entry) => entry.isFile() && entry.name.endsWith(".test.mjs");
  const folders = readdirSync(join(ROOT, "tests/browser"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const paths = [...folders.map(({ name }) => join(ROOT, "tests/browser", name)), join(ROOT, "tests/conformance")];
  const found = paths.flatMap((path) => readdirSync(path, { withFileTypes: true }).filter(isTest).map(({ name }) => join(path, name)));
  const absent = LONGEST.filter((file) => !found.includes(file));
  if (absent.length > 0) throw new Error(`LONGEST in run.mjs names what is no test file: ${absent.join(", ")}`);
  return [...LONGEST, ...found.filter((file) => !LONGEST.includes(file))];
}

const given = process.argv.slice(2).map((file) => resolve(file));
const lender = await startLender(start);
process.env.LENDER = lender.url;
/** Milliseconds of each file's tests. */
const times = new Map();
const note = ({ file, nesting, details }) => nesting === 0 && file && times.set(file, (times.get(file) ?? 0) + details.duration_ms);

/** Runs files, `concurrency` at a time, prints what they say, and gives the names of the tests that failed by their files. */
async function runFiles(files, concurrency) {
  const failed = new Map();
  const tests = run({ files, concurrency });
  tests.on("test:pass", note);
  tests.on("test:fail", (event) => {
    note(event);
    if (event.todo === undefined || event.todo === false) failed.set(event.file, [...(failed.get(event.file) ?? []), event.name]);
  });
  const printed = tests.compose(new Spec());
  printed.pipe(process.stdout, { end: false });
  await finished(printed);
  return failed;
}

const concurrency = Number(process.env.LANES ?? availableParallelism() + 1);
let failed = await runFiles(given.length ? given : allFiles(), concurrency);
const isExplorer = (file) => file?.startsWith(join(ROOT, "tests/browser/www/"));
if (concurrency > 1 && failed.size > 0 && failed.size <= AGAIN && [...failed.keys()].every(isExplorer)) {
  console.log(`\nOnce more, alone: ${[...failed.keys()].map((file) => relative(ROOT, file)).join(", ")}`);
  const first = failed;
  failed = await runFiles([...first.keys()], 1);
  for (const [file, names] of first) {
    if (!failed.has(file)) console.log(`\nPassed only alone: ${relative(ROOT, file)}: ${names.join("; ")}`);
  }
}
if (failed.size > 0) process.exitCode = 1;
await lender.close();
const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, SLOWEST);
console.log(`\nThe slowest of ${times.size} files, in seconds:`);
for (const [file, ms] of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} ${relative(ROOT, file)}`);
