/** Few arrays of the oracle that have together what all of them have. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { FIXTURES } from "./paths.mjs";

/** The metadata document of an entry. */
async function documentOf({ path, arrayPath = "" }) {
  const read = (name) => readFile(join(FIXTURES, path, arrayPath, name), "utf8");
  const text = await read("zarr.json").catch(() => read(".zarray"));
  // Python writes numbers that are none of JSON's.
  return JSON.parse(text.replace(/(?<=[[:,]\s*)-?(NaN|Infinity)\b/g, "null"));
}

/** Names of the codecs in lists of them, and of those inside shards. */
function namesOf(codecs) {
  return codecs.flatMap((codec) => {
    if (typeof codec === "string") return [codec];
    const { codecs: inner = [], index_codecs: index = [] } = codec.configuration ?? {};
    return [codec.name ?? codec.id, ...namesOf(inner), ...namesOf(index)];
  });
}

/** The data type, the format, the grid and the codecs of an entry, each as a text. */
async function traitsOf(entry) {
  const { zarr_format: format, chunk_grid: grid, codecs, filters, compressor } = await documentOf(entry);
  const names = namesOf([...(codecs ?? []), ...(filters ?? []), ...(compressor ? [compressor] : [])]);
  return new Set([`data type ${entry.dtype}`, `format ${format}`, `grid ${grid?.name ?? grid?.type}`, ...names.map((name) => `codec ${name}`)]);
}

/** Entries that have together each trait of all: again and again the first one with the most that no one before has. */
export async function chosen(entries) {
  const traits = await Promise.all(entries.map(traitsOf));
  const missing = new Set(traits.flatMap((each) => [...each]));
  const found = [];
  while (missing.size > 0) {
    const gains = traits.map((each) => [...each].filter((trait) => missing.has(trait)).length);
    const best = gains.indexOf(Math.max(...gains));
    found.push(entries[best]);
    for (const trait of traits[best]) missing.delete(trait);
  }
  return found;
}
