// Runs a scenario of a first visit with an instrumented module, and prints the numbers of the functions that ran, as
// JSON by the parts that were there (.tools/split/counter.mjs):
// node --expose-gc .tools/split/profile.mjs DIRECTORY SCENARIO [REVERSED].
//
// The scenarios are what pages do before all parts of the module are there. Anything else runs all the same, but a page
// stands still while a part loads.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [directory, scenario, isReversed] = process.argv.slice(2);
const { ran } = await import(pathToFileURL(join(directory, "parts.js")));
const { run } = await import(`./scenarios/${scenario}.mjs`);
const { end } = await import("./visit.mjs");
await run(Boolean(isReversed));
await end();
process.stdout.write(JSON.stringify([...ran].map(([there, numbers]) => [there, [...numbers]])), () => process.exit());
