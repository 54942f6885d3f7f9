/** Coordinate systems of an OME-Zarr image: which they are, and points and planes in them by the image's transformations. */
import { textOf } from "./crs.js";
import { joined, moved, nameOf, related, waysIn } from "./transformations.js";

/** Axes as objects. Version 0.3 lists names only. */
export const axesAs = (axes) => (Array.isArray(axes) ? axes.map((axis) => (typeof axis === "string" ? { name: axis } : axis)) : []);

/**
 * The coordinate system of an image that its datasets' transformations lead to, and all of its systems: version 0.6 has
 * them in place of axes. Transformations beside the datasets lead from that system to others, or from those to it. They
 * are alternatives, which do not change where the levels lie.
 */
export function systemsOf({ coordinateSystems: listed, coordinateTransformations: others }, { coordinateTransformations: list }) {
  const systems = Array.isArray(listed) ? listed.filter((system) => system && typeof system === "object") : [];
  const own = systems.find(({ name }) => name === nameOf(list?.[0]?.output)) ?? systems[0];
  const related = Array.isArray(others) ? others : [];
  const fromOf = (system) => {
    if (system === own) return "the datasets";
    const ends = ["output", "input"].map((side) => related.find((one) => one && nameOf(one[side]) === system.name && !textOf(one[side]?.path)));
    const [to, back] = ends;
    if (to) return `${textOf(to.type)} from ${nameOf(to.input)}`;
    return back ? `inverse of ${textOf(back.type)} to ${nameOf(back.output)}` : "no transformation";
  };
  return { own, systems: systems.map((system) => ({ name: textOf(system.name) ?? "", axes: axesAs(system.axes).filter(Boolean), from: fromOf(system) })) };
}

/** Axes of rows and columns: those named y and x, else the last two of space. */
export function planeOf(axes) {
  const spatial = axes.flatMap(({ type, name }, i) => (type === "space" || (!type && /^[zyx]$/.test(name)) ? [i] : []));
  return ["y", "x"].map((name, i) => {
    const named = axes.findIndex((axis) => axis?.name === name);
    return named >= 0 ? named : (spatial.at(i - 2) ?? axes.length + i - 2);
  });
}

/** Factors of other axes below this, beside those of the plane, are rounding. */
const SMALLEST_FACTOR = 1e-9;

/**
 * The coordinate systems of an image or a scene, and the ways between them. `keyOf` is the name under which a system is
 * known here, of what a caller gives; `systems` have these names.
 *
 * @typedef {object} Graph
 * @property {{ name: string, axes: any[] }[]} systems
 * @property {(given: any) => string} keyOf
 * @property {string} pointer for messages
 * @property {(from: string, to: string) => { matrix: number[][], words: string[] }} between
 */

/**
 * The systems of an image by itself. Ends of transformations with a path lie in other groups, such as labels.
 *
 * @returns {Graph}
 */
export function graphOf(nodes, systems, { coordinateTransformations: list }, pointer) {
  const check = (isRight, at, reason) => nodes.check(isRight, "", at, reason);
  const endOf = (side) => (textOf(side?.path) ? undefined : (nameOf(side) ?? ""));
  // Not before they are asked for, so that levels open whatever the transformations to other systems are.
  const between = (from, to) => related(systems, waysIn(list, pointer, check, endOf), pointer, check).between(from, to);
  return { systems, keyOf: (name) => name, pointer, between };
}

/** The way of points from one system of a graph to another. @param {Graph} graph */
export function wayOf({ systems, keyOf, between }, from, to) {
  const { matrix } = between(keyOf(from), keyOf(to));
  const { length } = systems.flatMap(({ name, axes }) => (name === keyOf(from) ? axes : []));
  return {
    matrix,
    apply(points) {
      const arePoints = Array.isArray(points) && points.every((point) => point?.length === length && Array.from(point).every(Number.isFinite));
      if (!arePoints) throw new TypeError(`expected a list of points of ${length} numbers each`);
      return moved(matrix, points.map((point) => Array.from(point)));
    },
  };
}

/**
 * Points and planes of an image in its coordinate systems: ways from one to another, and planes of its arrays in one.
 *
 * @param {any} own the system that the levels lie in
 * @param {number[]} plane axes of rows and columns of the arrays
 * @param {Graph} graph
 */
export function relationsOf(own, plane, graph) {
  const { systems, keyOf, pointer, between } = graph;
  return {
    transform: (from, to) => wayOf(graph, from, to),
    plane(given, { scale, translation }) {
      const name = keyOf(given);
      const { matrix, words } = between(keyOf(textOf(own.name) ?? ""), name);
      const axes = systems.flatMap(({ name: other, axes: its }) => (other === name ? its : []));
      const refused = (reason) => Object.assign(new Error(`${pointer}: the plane of rows and columns ${reason} in ${name}, by ${words.join(", ")}; use levels.transform`), { name: "UnsupportedError", feature: `a plane that ${reason}` });
      if (axes.length < 2) throw refused("has fewer than two axes");
      const level = scale.map((factor, row) => [...scale.map((_, column) => (row === column ? factor : 0)), translation[row]]);
      const whole = joined(level, matrix);
      const [y, x] = planeOf(axes).map((axis) => whole[axis]);
      const [ey, ex, by, bx] = [y, x].flatMap((row) => plane.map((axis) => row[axis]));
      const largest = Math.max(...[ey, ex, by, bx].map(Math.abs));
      const others = [y, x].flatMap((row) => row.slice(0, -1).filter((_, axis) => !plane.includes(axis)));
      if (others.some((factor) => Math.abs(factor) > largest * SMALLEST_FACTOR)) throw refused("depends on other axes");
      if (!(Math.abs(bx * ey - by * ex) > SMALLEST_FACTOR * Math.hypot(bx, by) * Math.hypot(ex, ey))) throw refused("is a line");
      const isTurned = by !== 0 || ex !== 0;
      return { transform: [bx, by, x[scale.length] - (bx + by) / 2, ex, ey, y[scale.length] - (ex + ey) / 2], words: [...words, ...(isTurned ? ["not along the axes"] : [])] };
    },
  };
}
