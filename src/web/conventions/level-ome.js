/** OME-Zarr 0.1 to 0.6: datasets with scales and translations to the centres of their elements. */
import { textOf } from "./level-crs.js";
import { axesAt, isNumber, numbersIn } from "./level-grid.js";

/** Whether an entry of `multiscales` is OME's, and not ndpyramid's, which has paths only. */
export function isOme(entry) {
  const isListed = entry?.axes || entry?.coordinateSystems || /^0\.\d/.test(entry?.version);
  return Boolean(isListed || entry?.datasets?.some?.((dataset) => dataset?.coordinateTransformations));
}

const ones = (count, value) => new Array(count).fill(value);

/** Axes of a dataset: of the multiscale, or of the coordinate system that the dataset's transformation leads to. */
function axesOf(multiscale, { coordinateTransformations: list }) {
  const systems = multiscale.coordinateSystems;
  if (!Array.isArray(systems)) return multiscale.axes;
  const output = list?.[0]?.output?.name ?? list?.[0]?.output;
  return (systems.find((system) => system?.name === output) ?? systems[0])?.axes;
}

/** Scale and translation of a list of transformations, one after the other. */
function composed(nodes, list, count, pointer) {
  nodes.check(Array.isArray(list), "", pointer, "expected a list of transformations");
  let [scale, translation] = [ones(count, 1), ones(count, 0)];
  list.forEach((step, i) => {
    const at = `${pointer}/${i}`;
    const values = (name) => {
      const found = numbersIn(step[name]);
      nodes.check(found?.length === count, "", `${at}/${name}`, `expected ${count} numbers, one for each axis`);
      return found;
    };
    nodes.check(textOf(step?.type), "", `${at}/type`, "expected the type of a transformation");
    let [factors, shifts] = [ones(count, 1), ones(count, 0)];
    if (step.type === "scale") factors = values("scale");
    else if (step.type === "translation") shifts = values("translation");
    else if (step.type === "sequence") [factors, shifts] = composed(nodes, step.transformations, count, `${at}/transformations`);
    else if (step.type !== "identity") {
      const feature = step.type;
      const message = `${at}: levels with transformations of the type ${feature} are not supported; read the arrays by their paths`;
      throw Object.assign(new Error(message), { name: "UnsupportedError", feature });
    }
    translation = translation.map((shift, axis) => shift * factors[axis] + shifts[axis]);
    scale = scale.map((factor, axis) => factor * factors[axis]);
  });
  return [scale, translation];
}

/** Channels of `omero`, with colours of six digits. */
const channelsOf = (omero) => (Array.isArray(omero?.channels) ? omero.channels.map((channel) => ({ ...channel, ...(typeof channel?.color === "string" && { color: channel.color.replace(/^#/, "") }) })) : []);

/**
 * The levels of the first image of a group. The datasets' shapes are those of the arrays, each of which takes a document
 * without consolidated metadata.
 */
export async function ome(nodes, { multiscales: [multiscale], omero }, pointer) {
  const base = `${pointer}/multiscales/0`;
  const { datasets, coordinateTransformations: after } = multiscale;
  nodes.check(Array.isArray(datasets) && datasets.length > 0, "", `${base}/datasets`, "expected a list of at least one dataset");
  datasets.forEach((dataset, i) => nodes.check(typeof dataset?.path === "string", "", `${base}/datasets/${i}/path`, "expected a path"));
  const arrays = await Promise.all(datasets.map(({ path }) => nodes.array(path)));
  const stated = axesOf(multiscale, datasets[0]);
  const count = stated?.length ?? arrays.find(Boolean)?.shape.length ?? 5;
  const isList = stated === undefined || (Array.isArray(stated) && count >= 2 && stated.every((axis) => typeof (axis?.name ?? axis) === "string"));
  nodes.check(isList, "", `${base}/axes`, "expected a list of at least two axes with names");
  // Version 0.3 lists names only; the versions before it have five axes.
  const axes = (stated ?? ["t", "c", "z", "y", "x"].slice(-count)).map((axis) => (typeof axis === "string" ? { name: axis } : axis));
  const spatial = axes.flatMap(({ type, name }, i) => (type === "space" || (!type && /^[zyx]$/.test(name)) ? [i] : []));
  const [y, x] = ["y", "x"].map((name, i) => {
    const named = axes.findIndex((axis) => axis?.name === name);
    return named >= 0 ? named : (spatial.at(i - 2) ?? count + i - 2);
  });
  const drafts = datasets.map((dataset, i) => {
    const at = `${base}/datasets/${i}/coordinateTransformations`;
    const list = dataset.coordinateTransformations;
    const shape = arrays[i]?.shape;
    let [scale, translation] = list ? composed(nodes, list, count, at) : [ones(count, 1), ones(count, 0)];
    if (!list && shape && arrays[0]?.shape) {
      scale = shape.map((size, axis) => arrays[0].shape[axis] / size);
      translation = scale.map((factor) => (factor - 1) / 2);
    }
    if (after) {
      const [factors, shifts] = composed(nodes, after, count, `${base}/coordinateTransformations`);
      translation = translation.map((shift, axis) => shift * factors[axis] + shifts[axis]);
      scale = scale.map((factor, axis) => factor * factors[axis]);
    }
    nodes.check(scale[x] !== 0 && scale[y] !== 0, "", at, "the scale is 0");
    nodes.check([...scale, ...translation].every(isNumber), "", at, "scales and translations together give no numbers");
    // Elements' centres are at whole numbers, and edges half an element before them.
    const transform = [scale[x], 0, translation[x] - scale[x] / 2, 0, scale[y], translation[y] - scale[y] / 2];
    const from = list ? "coordinateTransformations" : "shapes of the arrays";
    const node = nodes.asLevel(dataset.path, arrays[i]);
    return { path: dataset.path, pointer: at, node, transform, from, at: axesAt(arrays[i], y, x), vectors: { scale, translation } };
  });
  return { kind: "ome", drafts, axes, channels: channelsOf(omero) };
}
