/** OME-Zarr 0.1 to 0.6: datasets with scales and translations to the centres of their elements. */
import { axesAs, graphOf, planeOf, relationsOf, systemsOf } from "./coordinate-systems.js";
import { textOf } from "./crs.js";
import { axesAt, isNumber, numbersIn } from "./grid.js";
import { withMatrices } from "./matrices.js";
import { nameOf } from "./transformations.js";

/** Whether an entry of `multiscales` is OME's, and not ndpyramid's, which has paths only. */
export function isOme(entry) {
  const isListed = entry?.axes || entry?.coordinateSystems || /^0\.\d/.test(entry?.version);
  return Boolean(isListed || entry?.datasets?.some?.((dataset) => dataset?.coordinateTransformations));
}

const ones = (count, value) => new Array(count).fill(value);

/**
 * A dataset's transformations from its array to the levels' system: those after the first that name systems lead to
 * others. One that has the ends of the first contradicts it, or follows it by a rule that is not OME-Zarr's.
 */
function pathTo(list, pointer) {
  if (!Array.isArray(list)) return list;
  const endsOf = (one) => [one?.input, one?.output].map((side) => nameOf(side) ?? textOf(side?.path));
  const [from, to] = endsOf(list[0]);
  return list.map((one, nth) => {
    if (nth === 0 || (one?.input ?? one?.output ?? undefined) === undefined) return one;
    const [start, end] = endsOf(one);
    if (end === to && (start ?? from) === (from ?? start)) {
      const message = `${pointer}/${nth}: several transformations of a level to one coordinate system are not supported; read the arrays by their paths`;
      throw Object.assign(new Error(message), { name: "UnsupportedError", feature: "several transformations to one coordinate system" });
    }
    return { type: "identity" };
  });
}

/** Whether transformations beside the datasets relate coordinate systems, as from version 0.6 on, and follow no dataset's. */
const areRelations = ({ coordinateSystems, coordinateTransformations: list }) => (Array.isArray(coordinateSystems) && coordinateSystems.length > 0) || (Array.isArray(list) && list.some((one) => one?.input !== undefined || one?.output !== undefined));

/** Error for a transformation of levels that is no scale or translation of numbers. */
function unsupported(at, feature) {
  const message = `${at}: levels with transformations of the type ${feature} are not supported; read the arrays by their paths`;
  return Object.assign(new Error(message), { name: "UnsupportedError", feature });
}

/** Scale and translation of a list of transformations, one after the other. */
function composed(nodes, list, count, pointer) {
  nodes.check(Array.isArray(list), "", pointer, "expected a list of transformations");
  let [scale, translation] = [ones(count, 1), ones(count, 0)];
  list.forEach((step, i) => {
    const at = `${pointer}/${i}`;
    const values = (name) => {
      const found = numbersIn(step[name]);
      if (step[name] === undefined && textOf(step.path)) throw unsupported(at, `${name} in an array of its own`);
      nodes.check(found?.length === count, "", `${at}/${name}`, `expected ${count} numbers, one for each axis`);
      return found;
    };
    nodes.check(textOf(step?.type), "", `${at}/type`, "expected the type of a transformation");
    let [factors, shifts] = [ones(count, 1), ones(count, 0)];
    if (step.type === "scale") factors = values("scale");
    else if (step.type === "translation") shifts = values("translation");
    else if (step.type === "sequence") [factors, shifts] = composed(nodes, step.transformations, count, `${at}/transformations`);
    else if (step.type !== "identity") {
      throw unsupported(at, step.type);
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
  const { datasets } = multiscale;
  const after = areRelations(multiscale) ? undefined : multiscale.coordinateTransformations;
  nodes.check(Array.isArray(datasets) && datasets.length > 0, "", `${base}/datasets`, "expected a list of at least one dataset");
  datasets.forEach((dataset, i) => nodes.check(typeof dataset?.path === "string", "", `${base}/datasets/${i}/path`, "expected a path"));
  const arrays = await Promise.all(datasets.map(({ path }) => nodes.array(path, nodes.attrs)));
  const { own, systems } = systemsOf(multiscale, datasets[0]);
  const stated = own ? own.axes : multiscale.axes;
  const count = stated?.length ?? arrays.find(Boolean)?.shape.length ?? 5;
  const isList = stated === undefined || (Array.isArray(stated) && count >= 2 && stated.every((axis) => typeof (axis?.name ?? axis) === "string"));
  nodes.check(isList, "", `${base}/axes`, "expected a list of at least two axes with names");
  // The versions before 0.3 have five axes.
  const axes = axesAs(stated ?? ["t", "c", "z", "y", "x"].slice(-count));
  const [y, x] = planeOf(axes);
  const drafts = datasets.map((dataset, i) => {
    const at = `${base}/datasets/${i}/coordinateTransformations`;
    const list = own ? pathTo(dataset.coordinateTransformations, at) : dataset.coordinateTransformations;
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
    const from = list ? `coordinateTransformations${own ? ` to ${textOf(own.name) ?? "the first system"}` : ""}` : "shapes of the arrays";
    const node = nodes.asLevel(dataset.path, arrays[i]);
    return { path: dataset.path, pointer: at, node, transform, from, at: axesAt(arrays[i], y, x), vectors: { scale, translation } };
  });
  // An image of a scene has the systems of the scene too.
  const place = `${base}/coordinateTransformations`;
  const graph = nodes.scene ?? graphOf(nodes, systems, { coordinateTransformations: await withMatrices(nodes, own && multiscale.coordinateTransformations, place) }, place);
  const others = nodes.scene?.others ?? [];
  return { kind: "ome", drafts, axes, channels: channelsOf(omero), systems: [...systems, ...others], relations: own && relationsOf(own, [y, x], graph) };
}
