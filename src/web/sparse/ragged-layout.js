/** Layouts of ragged arrays: which elements belong to a feature, by offsets, counts or an index. */
import { Pointers } from "./pointers.js";
import { checkBytes, invalidLength, invalidValue, nameOf, shown, unsupported } from "./faults.js";

/** Largest list of counts or of an index that is read, unless the caller says otherwise. */
const LIMIT = 2 ** 28;

/** Names of clouddrift's count variable, which often lacks the attribute `sample_dimension`. */
const COUNTS = ["rowsize", "row_size"];

const isStored = (source) => typeof source?.get === "function" && Array.isArray(source.shape);
const placeOf = (source, name) => (isStored(source) ? source.path : name);

/**
 * All numbers of a list or of an array with one axis; those that the attributes call missing are NaN.
 *
 * @param {any} source @param {string} name @param {{ signal?: AbortSignal, maxBytes?: number }} options
 */
async function numbersOf(source, name, { signal, maxBytes = LIMIT }) {
  if (!isStored(source)) {
    if (Array.isArray(source) || (ArrayBuffer.isView(source) && "length" in source)) return Float64Array.from(/** @type {any} */ (source), Number);
    throw new TypeError(`the option ${name} is an opened array or a list of integers, not ${shown(source)}`);
  }
  if (source.shape.length !== 1) throw invalidLength(source, `expected an array with one axis, got the shape ${shown(source.shape)}`);
  checkBytes(8 * source.shape[0], maxBytes, `${nameOf(source)}, which is read whole,`, "raise maxBytes");
  return (await source.get(null, { as: "float64", mask: "attributes", scale: false, signal })).data;
}

/** Layout by offsets: a feature is a range of elements. Both ends are read at once, for their checks. */
async function byOffsets(source, length, { signal }) {
  const pointers = new Pointers(source, placeOf(source, "offsets"), length);
  await pointers.around({ ends: [0, pointers.length] }, signal);
  return { length: pointers.length, pointers };
}

/** Layout by offsets that were computed. */
const computed = (offsets, place) => ({ length: offsets.length - 1, pointers: new Pointers(offsets, place, offsets.at(-1)) });

/** Layout by the number of elements of each feature. */
async function byCounts(source, length, options) {
  const counts = await numbersOf(source, "counts", options);
  const place = placeOf(source, "counts");
  const offsets = new Float64Array(counts.length + 1);
  counts.forEach((count, nth) => {
    if (!Number.isInteger(count) || count < 0) throw invalidValue(place, nth, `expected a number of elements, got ${count}`);
    offsets[nth + 1] = offsets[nth] + count;
  });
  const sum = offsets.at(-1);
  if (sum !== length) throw invalidValue(place, Math.max(0, counts.length - 1), `the counts add up to ${sum}, and there are ${length} elements`);
  return computed(offsets, place);
}

/** Layout by the feature of each element: elements of a feature may lie anywhere. */
async function byIndex(source, length, { length: features, ...options }) {
  const index = await numbersOf(source, "index", options);
  const place = placeOf(source, "index");
  if (index.length !== length) throw invalidValue(place, index.length, `the index has ${index.length} entries, and there are ${length} elements`);
  let most = -1;
  index.forEach((feature, nth) => {
    if (Number.isNaN(feature)) return;
    if (!Number.isInteger(feature) || feature < 0 || feature >= (features ?? Infinity)) {
      throw invalidValue(place, nth, `expected a feature from 0 to ${features === undefined ? "…" : features - 1}, got ${feature}`);
    }
    most = Math.max(most, feature);
  });
  const count = features ?? most + 1;
  checkBytes(8 * (count + 1), options.maxBytes ?? LIMIT, `a table of ${count} features`, "is the index damaged? otherwise raise maxBytes");
  const offsets = new Float64Array(count + 1);
  for (const feature of index) if (feature >= 0) offsets[feature + 1]++;
  for (let nth = 0; nth < count; nth++) offsets[nth + 1] += offsets[nth];
  const order = new (length > 2 ** 31 ? Float64Array : Int32Array)(offsets[count]);
  const next = offsets.slice();
  index.forEach((feature, nth) => {
    if (feature >= 0) order[next[feature]++] = nth;
  });
  return { ...computed(offsets, place), order };
}

/** Finds the count or index variable of an array in its group, by the CF conventions. */
function variableIn(group, contents) {
  const dimension = contents.dimensionNames?.[0];
  if (typeof dimension !== "string") throw unsupported("ragged layout", `${nameOf(contents)} names no dimension; pass offsets, counts or index`);
  const tree = group.tree();
  if (!tree) throw unsupported("ragged layout", "the metadata of the group are not consolidated, so that its arrays are unknown; call tree({ list: true }) of the group first, or pass offsets, counts or index");
  const inside = group.path === "" ? contents.path : contents.path.slice(group.path.length + 1);
  const folder = inside.split("/").slice(0, -1).join("/");
  const beside = tree.filter(({ path, kind }) => kind === "array" && path.split("/").slice(0, -1).join("/") === folder);
  const vectors = beside.filter(({ shape }) => shape?.length === 1);
  const counts = vectors.find(({ attrs }) => attrs.sample_dimension === dimension);
  if (counts) return { counts: counts.path };
  const index = vectors.find(({ attrs, dimensionNames }) => typeof attrs.instance_dimension === "string" && dimensionNames?.[0] === dimension);
  if (index) {
    const instance = index.attrs.instance_dimension;
    const other = beside.find(({ dimensionNames }) => dimensionNames?.includes(instance));
    return { index: index.path, length: other?.shape?.[other.dimensionNames.indexOf(instance)] };
  }
  const named = vectors.find(({ path }) => COUNTS.includes(path.split("/").pop()));
  if (named) return { counts: named.path };
  const reason = `no array beside ${nameOf(contents)} has the attribute sample_dimension ${shown(dimension)}, or instance_dimension along this dimension`;
  throw unsupported("ragged layout", `${reason}; pass offsets, counts or index`);
}

/** The layout that options describe, of an array with `length` elements. @param {any} contents @param {any} options */
export async function layoutOf(contents, { group, ...options }) {
  const [length] = contents.shape;
  if (group === undefined) {
    const { offsets } = options;
    if (offsets !== undefined) return byOffsets(isStored(offsets) ? offsets : await numbersOf(offsets, "offsets", options), length, options);
    if (options.counts !== undefined) return byCounts(options.counts, length, options);
    if (options.index !== undefined) return byIndex(options.index, length, options);
    throw new TypeError("ragged expects one of the options offsets, counts, index, group and items");
  }
  const { counts, index, length: features } = variableIn(group, contents);
  const variable = await group.array(counts ?? index, { signal: options.signal });
  try {
    return await (counts ? byCounts(variable, length, options) : byIndex(variable, length, { ...options, length: options.length ?? features }));
  } finally {
    variable.free();
  }
}
