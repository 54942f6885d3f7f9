// The facts of an array and its store for the panel: lengths of chunks, codecs by name, stored size, and how the store lists itself.
import { bytes, count, plural } from "../../model/format.js";
import { isPlainZarr } from "../../take/python.js";
import { decodedBytes, storedSoFar } from "./stored.js";

/** "28–31 × 180 × 360": the lengths of chunks along each axis. */
function lengths(grid) {
  const along = grid.shape.map((_, d) => {
    const edges = grid.runs(d).map(({ edge }) => edge);
    return [...new Set([Math.min(...edges), Math.max(...edges)])].map(count).join("–");
  });
  const all = grid.shape.reduce((n, size) => n * size, 1);
  return along.length ? `${along.join(" × ")}, ${plural(all, "chunk")}` : "one value";
}

/** The level or the like that a codec was given, and the compressor in it. */
function settingsOf({ cname, clevel, level, quality, configuration }) {
  const own = [cname, clevel ?? level ?? quality].filter((each) => ["string", "number"].includes(typeof each));
  return own.length || !configuration ? own : settingsOf(configuration);
}

/** The name of a codec with its settings, and of those within it, as of shards. */
function codecName({ name, configuration, here = true }) {
  const settings = settingsOf(configuration ?? {});
  const inner = Array.isArray(configuration?.codecs) ? ` (${configuration.codecs.map(codecName).join(", ")})` : "";
  return `${[typeof name === "string" ? name : "unnamed", ...settings].join(" ")}${inner}${here ? "" : ", which is not here"}`;
}

function storedWords(state) {
  const { chunks, of, missing, stored, decoded, isRead } = storedSoFar(state);
  if (!chunks) return "unknown so far: no file of a chunk was read";
  const part = chunks < of ? `${count(chunks)} of ${plural(of, "chunk")} so far` : `all ${plural(of, "chunk")}`;
  const absent = missing ? `, ${count(missing)} of them not stored` : "";
  const how = isRead ? " were read, with what lies between parts," : "";
  const ratio = stored && decoded !== undefined ? `, ${Number((decoded / stored).toPrecision(3))} : 1` : "";
  const whole = decoded === undefined ? "" : ` for ${bytes(decoded)} decoded`;
  return `${bytes(stored)}${how}${whole}${ratio} (${part}${absent})`;
}

/** Whether the metadata are consolidated: `{ words, state, remedy }`. */
function metadataOf(state) {
  const { catalog } = state;
  const { place, group, complete, followed } = catalog;
  if (place.keys) return { words: "listed by the zip" };
  if (place.folder) return { words: "listed by the folder" };
  if (!isPlainZarr(state)) return { words: "part of the format", state: "good" };
  if (place.alone) return { words: "not known: the array was opened without its group", state: "unknown" };
  if (group && complete && !followed) return { words: "consolidated: one document lists the store", state: "good" };
  const how = complete ? "the host's listing was read in their place" : "what attributes name was looked for in their place";
  return { words: `not consolidated; ${how}`, state: "lacks", remedy: `zarr.consolidate_metadata("${place.name}")` };
}

function decodedWords(source) {
  const size = decodedBytes(source);
  return size === undefined ? "not known: the items have no fixed length" : bytes(size);
}

/** The facts in groups: `[heading, [{ name, words, state, remedy }]]`. */
export function factsOf(state, conventions) {
  const { dataset } = state;
  const [source] = dataset.sources;
  const array = [
    ["Chunks", lengths(dataset.grid)],
    ["Shards", dataset.shards && lengths(dataset.shards).replace(/chunk(s?)$/, "shard$1")],
    ["Codecs", dataset.codecs.map(codecName).join(", ") || "none"],
    ["Decoded", decodedWords(source)],
    ["Stored", storedWords(state)],
  ];
  return [
    ["The array", array.filter(([, words]) => words).map(([name, words]) => ({ name, words }))],
    ["The store", [
      { name: "Format", words: `Zarr v${dataset.zarrFormat}` },
      { name: "Metadata", ...metadataOf(state) },
      { name: "Conventions", words: conventions.join(", ") || "none found in the attributes" },
    ]],
  ];
}
