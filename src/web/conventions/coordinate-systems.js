/** Coordinate systems of an OME-Zarr image: which they are, and points and planes in them by the image's transformations. */
import { textOf } from "./crs.js";
import { joined, moved, nameOf, related } from "./transformations.js";

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
 * The coordinate systems of an image by their transformations: points from one to another, and planes of its arrays in one.
 *
 * @param {any} own the system that the levels lie in
 * @param {{ name: string, axes: any[] }[]} systems
 * @param {number[]} plane axes of rows and columns of the arrays
 */
export function relationsOf(nodes, own, systems, plane, multiscale, pointer) {
  const check = (isRight, at, reason) => nodes.check(isRight, "", at, reason);
  // Not before they are asked for, so that levels open whatever the transformations to other systems are.
  const between = (from, to) => related(systems, multiscale.coordinateTransformations, pointer, check).between(from, to);
  const axesOf = (wanted) => systems.flatMap(({ name, axes }) => (name === wanted ? axes : []));
  return {
    transform(from, to) {
      const { matrix } = between(from, to);
      const { length } = axesOf(from);
      return {
        matrix,
        apply(points) {
          const arePoints = Array.isArray(points) && points.every((point) => point?.length === length && Array.from(point).every(Number.isFinite));
          if (!arePoints) throw new TypeError(`expected a list of points of ${length} numbers each`);
          return moved(matrix, points.map((point) => Array.from(point)));
        },
      };
    },
    plane(name, { scale, translation }) {
      const { matrix, words } = between(textOf(own.name) ?? "", name);
      const axes = axesOf(name);
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
