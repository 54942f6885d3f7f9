// The arrays of the oracle, as they are opened and read first.
import { SELECTIONS, list, local, served, site, step, together, visit } from "../visit.mjs";
import { firstChunk, withIndex } from "../stores.mjs";

// Those with codecs of the other modules wait for all parts.
const UNUSUAL = /^numcodecs|vlen-bytes|other-text-number/;
const OTHER_TYPES = /^dtype-(?!string|datetime|struct|complex(64|128))/;
const INDEXES = ["index.json", "index-v2.json", "index-dtypes.json", "index-grids.json", "index-tensorstore.json"];

const arrays = INDEXES.flatMap(list).filter(({ name }) => !UNUSUAL.test(name) && !OTHER_TYPES.test(name));
const steps = arrays.map(({ name, path, arrayPath, proposals }) => [name, () => visit(`${site.url}/data/${path}`, { open: { path: arrayPath, proposals }, selections: SELECTIONS })]);

// The first chunks of the ordinary ones and of broken ones, by themselves: arrays on a regular grid.
const chunks = [...arrays, ...list("broken.json").filter(({ name }) => name.startsWith("chunk-"))].map(({ name, path }) => [`first chunk of ${name}`, firstChunk(path)]).filter(([, store]) => store);
for (const [label, store] of chunks) {
  steps.push([label, () => visit(served(store), { selections: SELECTIONS })]);
  steps.push([`${label}, at once`, () => together(served(store))]);
}

// Codecs of other modules, up to where the array waits for them, and those that no module has.
for (const name of ["filter-delta-big", "filter-delta-shards", "lzma-alone-filters", "pcodec-classic", "broken/codec-unknown"]) {
  steps.push([name, () => visit(local(name))]);
}
for (const codec of ["numcodecs.lzma", "numcodecs.pcodec", "numcodecs.bz2", "gzip", "nobody.wrote-this"]) {
  steps.push([`${codec} in the index of shards`, () => visit(withIndex(codec))]);
}

// What runs once in a page, such as the making of tables, is noted at the first step that needs it. The second process
// goes the other way round.
export const run = async (isReversed) => {
  for (const [label, visited] of isReversed ? steps.reverse() : steps) await step(label, visited);
};
