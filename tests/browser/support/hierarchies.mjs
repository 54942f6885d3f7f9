/** Hierarchies of the oracle's groups.json: as files, as a store, and compared. Runs in pages and in Node. */

/** Files of a hierarchy: bytes by key. */
export function filesOf({ documents, chunks }) {
  const text = Object.entries(documents).map(([key, value]) => [key, new TextEncoder().encode(value)]);
  const bytes = Object.entries(chunks).map(([key, value]) => [key, Uint8Array.from(atob(value), (c) => c.charCodeAt(0))]);
  return new Map([...text, ...bytes]);
}

/** Readable of a hierarchy; `keys` lists the requested keys. */
export function storeOf(entry) {
  const files = filesOf(entry);
  const keys = [];
  return { keys, get: async (key) => (keys.push(key.slice(1)), files.get(key.slice(1))) };
}

/** Value in the spelling of the index, with sorted keys and non-finite numbers as objects. */
function plain(value) {
  if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, plain(value[key])]));
}

/** Chunk sizes of runs along an axis of this length. */
const sizesOf = (runs, length) => {
  const sizes = runs.flatMap(({ edge, count }) => new Array(count).fill(edge));
  let start = 0;
  return sizes.map((size) => Math.min(size, length - (start += size) + size)).filter((size) => size > 0);
};

/** Entry of `tree()` with the field names of the index. */
const listed = ({ path, kind, attrs, shape, dtype, dimensionNames, chunkRuns }) => ({
  path,
  kind,
  attributes: plain(attrs),
  ...(kind === "array" && {
    shape,
    dtype,
    dimensionNames: dimensionNames ?? null,
    writeChunkSizes: chunkRuns.map((runs, axis) => sizesOf(runs, shape[axis])),
  }),
});

const described = (node, path) => {
  if (node.kind === "group") return { kind: "group", path, attributes: plain(node.attributes) };
  const { kind, attributes, shape, dtype, dimensionNames, writeChunkSizes } = node;
  return { path, kind, attributes: plain(attributes), shape, dtype, dimensionNames, writeChunkSizes };
};

/** Compares the nodes below `root`, at `base` in its source, with the index; returns the differences as sentences. */
export async function compareHierarchy(root, entry, base = "") {
  const failures = [];
  const expect = (what, got, expected) => {
    const [a, b] = [plain(got), plain(expected)].map((value) => JSON.stringify(value));
    if (a !== b) failures.push(`${what}: got ${a}, expected ${b}`);
  };
  const at = (path) => [base, path].filter(Boolean).join("/");
  expect("attributes", root.attrs, entry.attributes);
  expect("path", root.path, base);
  expect("format", root.zarrFormat, entry.zarrFormat);
  const kept = entry.consolidated && entry.nodes.filter(({ path }) => entry.consolidated.includes(path));
  expect("tree", root.tree()?.map(listed), kept?.map((node) => described(node, node.path)));
  for (const node of entry.nodes) {
    const { path } = node;
    if (node.kind === "group") {
      const group = await root.group(path);
      expect(path, [group.path, group.attrs, group.zarrFormat], [at(path), node.attributes, entry.zarrFormat]);
      const inside = kept?.filter((other) => other.path.startsWith(`${path}/`));
      const below = inside?.map((other) => described(other, other.path.slice(path.length + 1)));
      if (entry.consolidated?.includes(path)) expect(`${path}: tree`, group.tree()?.map(listed), below);
      continue;
    }
    const [parent, name] = [path.split("/").slice(0, -1).join("/"), path.split("/").at(-1)];
    const direct = await root.array(`/${path}/`);
    const group = parent === "" ? undefined : await root.group(parent);
    const array = await (group ?? root).array(name);
    for (const found of [direct, array]) {
      const { attrs, shape, dtype, dimensionNames = null, writeChunkSizes } = found;
      expect(path, { ...described(node, path), path: found.path, attributes: attrs, shape, dtype, dimensionNames, writeChunkSizes },
        described(node, at(path)));
      expect(`${path}: values`, [...(await found.get()).data].map(Number), node.values);
    }
  }
  return failures;
}
