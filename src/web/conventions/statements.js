/**
 * Statements on the place of a level, of a layout entry, an array, a level's group or the pyramid: transforms, boxes and
 * shapes of their attributes, and the transforms that follow from a box or from the source level.
 */
import { filling, moved, numbersIn, scaled } from "./grid.js";

/** The numbers of an attribute, checked; undefined without the attribute. */
export function numbers(nodes, { attrs, path, pointer }, name, ...lengths) {
  const value = attrs[name];
  if (value === undefined || value === null) return undefined;
  const found = numbersIn(value);
  nodes.check(lengths.includes(found?.length), path, `${pointer}/${name}`, `expected ${lengths.join(" or ")} numbers`);
  return found;
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

/** Statements on a level: those of its layout entry, of its array, of the groups around that, and of the pyramid. */
export function statements(nodes, { entry = {}, pointer = "", node }, pyramid) {
  const { array, groups = [] } = node ?? {};
  const all = [
    { where: "layout entry", attrs: entry, path: "", pointer },
    { where: "array", attrs: array?.attrs ?? {}, path: array?.path ?? "", pointer: "" },
    ...groups.map(({ path, attrs }) => ({ where: path === node.path ? "level" : "group around the array", attrs, path, pointer: "" })),
    { where: "group", attrs: pyramid, path: "", pointer: "" },
  ];
  return all.map((part) => statement(nodes, part));
}

/** Statements in the order in which all but transforms and shapes are looked for: those of a level's own nodes first. */
const byNearness = ([entry, ...others]) => [...others.slice(0, -1), entry, ...others.slice(-1)];

/** The nearest statement of a property. */
export const nearest = (stated, property) => byNearness(stated).find((one) => one[property] !== undefined)?.[property];

/** Widens a box of the centres of cells to their edges. */
function edges([xmin, ymin, xmax, ymax], [height, width]) {
  const [dx, dy] = [(xmax - xmin) / Math.max(width - 1, 1) / 2, (ymax - ymin) / Math.max(height - 1, 1) / 2];
  return [xmin - dx, ymin - dy, xmax + dx, ymax + dy];
}

/** Turns a grid that fills a box so that its axes point as those of another do. @param {number[]} grid @param {number[]} shape @param {number[]} like */
function turned([a, , c, , e, f], [height, width], like) {
  const [left, up] = [like && like[0] < 0, like && like[4] > 0];
  return [left ? -a : a, 0, left ? c + a * width : c, 0, up ? -e : e, up ? f + e * height : f];
}

/** Transform by the source level's, times the scales between them. @param {{ source?: any, scale?: any, translation?: number[] }} level */
export function derived({ source, scale, translation = [0, 0] }) {
  if (!source || !scale) return undefined;
  // Some writers count from the centre of the first pixel, where (scale - 1) / 2 leaves the corner in its place.
  const [row, col] = translation.map((shift, axis) => (Math.abs(shift - (scale[axis] - 1) / 2) < 1e-9 ? 0 : shift));
  return scaled(moved(source.transform, col, row), scale);
}

/** Transform by a box around all pixels, for a grid that lies as another does; undefined for turned grids. @param {{ stated: any, shape?: any }} level */
export function fillingBox({ stated, shape }, bounds, like) {
  if (!bounds || !shape || shape.includes(0) || (like && (like[1] !== 0 || like[3] !== 0))) return undefined;
  return turned(filling(isByCentres(stated) ? edges(bounds, shape) : bounds, shape), shape, like);
}

/** Whether transforms and boxes name the centres of cells. */
export const isByCentres = (stated) => nearest(stated, "registration") === "node";

/** The nearest box: the level's own, or the group's. */
export const boxOf = ({ stated }) => byNearness(stated).find(({ bbox }) => bbox);
