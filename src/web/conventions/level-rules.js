/** Finds the transform of one level: a chain of rules, because few writers write what their convention asks for. */
import { apart, filling, isNumber, moved, scaled } from "./level-grid.js";
import { parts } from "./level-parts.js";

const isNumbers = (value, ...lengths) => Array.isArray(value) && lengths.includes(value.length) && value.every(isNumber);

/** The numbers of an attribute, checked; undefined without the attribute. */
export function numbers(nodes, { attrs, path, pointer }, name, ...lengths) {
  const value = attrs[name];
  if (value === undefined || value === null) return undefined;
  nodes.check(isNumbers(value, ...lengths), path, `${pointer}/${name}`, `expected ${lengths.join(" or ")} numbers`);
  return value;
}

/** A box of positive area; writers leave zeros where they know none. */
export const box = (values) => {
  const [xmin, ymin, xmax, ymax] = values?.length === 6 ? [0, 1, 3, 4].map((i) => values[i]) : (values ?? []);
  return xmin < xmax && ymin < ymax ? [xmin, ymin, xmax, ymax] : undefined;
};

/** A transform of the six numbers of a node, from the corner of the first pixel; undefined without the attribute. */
export function affine(nodes, node, name, ...lengths) {
  const values = numbers(nodes, node, name, ...lengths)?.slice(0, 6);
  const [a, b, , d, e] = values ?? [1, 0, 0, 0, 1];
  nodes.check(a * e !== b * d, node.path, `${node.pointer}/${name}`, "the transform maps all pixels onto a line");
  return values;
}

/** Place on Earth of a layout entry, an array, a level or the pyramid, by `spatial:` and STAC's older `proj:`. */
function statement(nodes, node) {
  const { attrs } = node;
  const shape = numbers(nodes, node, "spatial:shape", 2, 3)?.slice(-2);
  nodes.check(!shape || shape.every((size) => size > 0 && Number.isSafeInteger(size)), node.path, `${node.pointer}/spatial:shape`, "expected whole numbers above 0");
  const isAffine = (attrs["spatial:transform_type"] ?? "affine") === "affine";
  return {
    ...node,
    transform: isAffine ? affine(nodes, node, "spatial:transform", 6) : undefined,
    bbox: box(numbers(nodes, node, "spatial:bbox", 4, 6)),
    shape,
    registration: attrs["spatial:registration"],
    dimensions: attrs["spatial:dimensions"],
  };
}

/** Statements on a level, the nearest first. */
export function statements(nodes, { entry = {}, pointer = "", node }, pyramid) {
  const all = [
    { where: "layout entry", attrs: entry, path: "", pointer },
    { where: "array", attrs: node?.array?.attrs ?? {}, path: node?.array?.path ?? "", pointer: "" },
    { where: "level", attrs: node && node.path !== "" ? node.attrs : {}, path: node?.path ?? "", pointer: "" },
    { where: "group", attrs: pyramid, path: "", pointer: "" },
  ];
  return all.map((part) => statement(nodes, part));
}

/** Order in which a property of a level is looked for: its own node first, for all but transforms and shapes. */
const NEAREST = [1, 2, 0, 3];

export const nearest = (stated, property) => NEAREST.map((i) => stated[i][property]).find((value) => value !== undefined);

/** Widens a box of the centres of cells to their edges. */
function edges([xmin, ymin, xmax, ymax], [height, width]) {
  const [dx, dy] = [(xmax - xmin) / Math.max(width - 1, 1) / 2, (ymax - ymin) / Math.max(height - 1, 1) / 2];
  return [xmin - dx, ymin - dy, xmax + dx, ymax + dy];
}

/** Turns a grid that fills a box so that its axes point as those of another do. */
function turned([a, , c, , e, f], [height, width], like) {
  const [left, up] = [like && like[0] < 0, like && like[4] > 0];
  return [left ? -a : a, 0, left ? c + a * width : c, 0, up ? -e : e, up ? f + e * height : f];
}

/** Transform by the source level's, times the scales between them. */
export function derived({ source, scale, translation = [0, 0] }) {
  if (!source || !scale) return undefined;
  // Some writers count from the centre of the first pixel, where (scale - 1) / 2 leaves the corner in its place.
  const [row, col] = translation.map((shift, axis) => (Math.abs(shift - (scale[axis] - 1) / 2) < 1e-9 ? 0 : shift));
  return scaled(moved(source.transform, col, row), scale);
}

/** Transform by a box around all pixels, for a grid that lies as another does; undefined for turned grids. */
export function fillingBox({ stated, shape }, bounds, like) {
  if (!bounds || !shape || shape.includes(0) || (like && (like[1] !== 0 || like[3] !== 0))) return undefined;
  return turned(filling(isByCentres(stated) ? edges(bounds, shape) : bounds, shape), shape, like);
}

/** Whether transforms and boxes name the centres of cells. */
const isByCentres = (stated) => nearest(stated, "registration") === "node";

/** The nearest box: the level's own, or the group's. */
export const boxOf = ({ stated }) => [1, 2, 0, 3].map((i) => stated[i]).find(({ bbox }) => bbox);

/**
 * Transform of a level, and the rule that gave it.
 *
 * @param {import("./level-nodes.js").Nodes} nodes
 * @param {{ stated: any[], shape?: [number, number], source?: any, scale?: number[], translation?: number[], node?: any, names: string[] }} level
 */
export async function transformOf(nodes, level) {
  const { stated, shape, source } = level;
  const declared = stated.find(({ transform, where }) => transform && !(where === "group" && source));
  if (!declared) return (await parts.fallbacks()).located(nodes, level);
  const transform = isByCentres(stated) ? moved(declared.transform, -0.5, -0.5) : declared.transform;
  const from = `spatial:transform of the ${declared.where}`;
  const around = boxOf(level);
  const byBox = fillingBox(level, around?.bbox, transform);
  const far = byBox ? apart(transform, byBox, shape) : 0;
  // Cutting off rows that fill no pixel costs less than one, and agrees with the scales; rounded numbers do not.
  const scaledSource = derived(level);
  const isExplained = scaledSource && apart(transform, scaledSource, shape ?? [1, 1]) < 0.01;
  // A box that is far off is of something else, or in another system, unless the scales contradict the transform too.
  const isNear = (scaledSource && !isExplained) || !(far > 0.05 * Math.max(1, ...(shape ?? [])));
  const isOff = far > (isExplained ? 1 : 0.49) && (isNear || far < 1);
  return isOff ? { transform: byBox, from: `spatial:bbox of the ${around.where} and shape (${from} is ${far.toPrecision(3)} pixels off)` } : { transform, from };
}
