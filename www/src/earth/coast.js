// Draws the coastline of Natural Earth over a picture, through whatever places its cells on the Earth.
import { transform } from "topojson-client";
import { svg } from "../dom.js";
import { capOf, degreesBetween, vectorOf } from "./vectors.js";

export const COARSE_FROM = 12; // km along a pixel, from which 1:50 million shows no more than 1:110 million
export const DEGREE = 111.2; // km
const AROUND = 2; // times the radius of a view whose coast is drawn with it, so that a small move draws nothing anew
const WHOLE = { 110: 60, 50: 100 }; // degrees, by scale; a wider circle is taken for the whole Earth
const LONGEST = 6; // degrees that a line of the coarser coast may be long
const PARTS = 40; // pieces of a bent line along the radius of the grid

/** All arcs of an atlas, whose one object is the land. */
function linesOf(atlas) {
  const placed = transform(atlas.transform);
  return atlas.arcs.map((arc) => arc.map((step, i) => placed(step, i)));
}

/** Loaders of the atlases, by scale in millions. */
const ATLASES = { 110: () => import("world-atlas/land-110m.json"), 50: () => import("world-atlas/land-50m.json") };

/** Lines of each scale, or a promise while they load; an atlas that cannot be had has none. */
const atlases = {};

/** Lines of a scale; undefined while they load, and then `onCome()` is called. */
export function linesAt(scale, onCome) {
  atlases[scale] ??= ATLASES[scale]().then((atlas) => (atlases[scale] = linesOf(atlas.default)), () => (atlases[scale] = []));
  if (Array.isArray(atlases[scale])) return atlases[scale];
  atlases[scale].then(onCome);
  return undefined;
}

/** Whether a piece of the coast is an edge of the map that it was cut from. */
export const isCut = ([lon, lat], [before]) => Math.abs(lon - before) > 180 || (Math.abs(lon) > 179.99 && Math.abs(before) > 179.99) || lat < -89.9;

/** Points of a line, with those between that a bent grid needs: `[lon, lat]`, or undefined where the line ends. */
function* pointsOf(line, cap, longest, isEnd) {
  let inside; // whether the point before is in the cap
  for (const [i, point] of line.entries()) {
    const was = inside;
    inside = !cap || degreesBetween(vectorOf(point), cap.centre) <= cap.radius;
    const before = line[i - 1];
    if (!before || isEnd(point, before) || !(inside || was)) {
      yield undefined;
    } else {
      if (!was) yield before;
      const parts = Math.min(64, Math.ceil(Math.hypot(point[0] - before[0], point[1] - before[1]) / longest));
      for (let n = 1; n < parts; n++) yield before.map((from, k) => from + ((point[k] - from) * n) / parts);
    }
    if (inside || was) yield point;
  }
}

/** The path of lines in a picture's units, as far as they lie in `cap`; `reach` is the radius of its grid, and `isEnd(point, before)` says whether a line has a gap there. */
export function pathOf(lines, place, { toCell, turns, isStraight }, cap, reach, isEnd = isCut) {
  const size = [place.width, place.height];
  const longest = isStraight ? Infinity : Math.max(0.05, Math.min(1, reach / PARTS));
  const torn = isStraight ? Infinity : Math.max(place.width, place.height) / 4; // between neighbours on both sides of a grid's seam
  const isBeside = (a, b) => [0, 1].some((k) => (a[k] < 0 && b[k] < 0) || (a[k] > size[k] && b[k] > size[k]));
  let path = "";
  for (const turn of turns) {
    for (const line of lines) {
      let last;
      let isDrawing = false;
      for (const point of pointsOf(line, cap, longest, isEnd)) {
        const cell = point && toCell([point[0] + turn, point[1]]);
        const at = cell && [place.x(cell[1]), place.y(cell[0])];
        const isShown = at && last && !isBeside(last, at) && Math.hypot(at[0] - last[0], at[1] - last[1]) <= torn;
        if (isShown && !isDrawing) path += `M${last[0].toFixed(3)},${last[1].toFixed(3)}`;
        if (isShown) path += `L${at[0].toFixed(3)},${at[1].toFixed(3)}`;
        isDrawing = isShown;
        last = at;
      }
    }
  }
  return path;
}

/** The scale, in millions, of the coast for a view that lies in a circle, on so many pixels; of no circle, the coarser one. */
export function scaleFor(view, { width, height }) {
  return view && (2 * view.radius * DEGREE) / Math.hypot(width, height) < COARSE_FROM ? 50 : 110;
}

/** `onCome()` hears when a coastline has come, for a picture that wants it. */
export function createCoast(onCome) {
  let kept; // what was drawn last: { earth, place, lines, cap, group }

  /** Whether what is kept shows a view too. */
  function fits(earth, place, lines, view) {
    if (kept?.earth !== earth || kept.lines !== lines || kept.flips !== `${place.flipX},${place.flipY}`) return false;
    return !kept.cap || (view && degreesBetween(view.centre, kept.cap.centre) + view.radius <= kept.cap.radius);
  }

  return {
    /** The coastline in the units of a picture of `size` pixels on an earth, once it is loaded. */
    lines(place, earth, size) {
      const view = capOf(earth, [place.down, place.across]);
      const whole = capOf(earth, [[0, place.height], [0, place.width]]);
      const fine = scaleFor(view, size) === 50 ? linesAt(50, onCome) : [];
      const lines = fine?.length ? fine : linesAt(110, onCome);
      if (!lines) return "";
      const isCoarse = lines !== fine;
      if (!fits(earth, place, lines, view)) {
        const circle = isCoarse ? whole && { ...whole, radius: whole.radius * 1.2 + LONGEST } : { ...view, radius: view.radius * AROUND + 1 };
        const cap = circle?.radius < WHOLE[isCoarse ? 110 : 50] ? circle : undefined;
        const path = pathOf(lines, place, earth, cap, whole?.radius ?? 90);
        const group = svg("g", { class: "coast", "data-scale": isCoarse ? 110 : 50 }, svg("path", { d: path, class: "casing" }), svg("path", { d: path, class: "line" }));
        kept = { earth, lines, cap, group, flips: `${place.flipX},${place.flipY}` };
      }
      return kept.group;
    },
  };
}
