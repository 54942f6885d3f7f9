// Draws the coastline of Natural Earth over a picture, through whatever places its cells on the Earth.
import { transform } from "topojson-client";
import { svg } from "../dom.js";
import { nextTask } from "../map/next-task.js";
import { capOf, degreesBetween, vectorOf } from "./vectors.js";

export const COARSE_FROM = 12; // km along a pixel, from which 1:50 million shows no more than 1:110 million
export const DEGREE = 111.2; // km
const AROUND = 2; // times the radius of a view whose coast is drawn with it, so that a small move draws nothing anew
const WHOLE = { 110: 60, 50: 100 }; // degrees, by scale; a wider circle is taken for the whole Earth
const LONGEST = 6; // degrees that a line of the coarser coast may be long
const PARTS = 40; // pieces of a bent line along the radius of the grid

const SLICE = 6; // ms of work before the page may answer

/** Does `work(one)` for each of a list, in tasks of their own, between which the page may answer. */
async function inTurns(list, work) {
  let began = -Infinity;
  for (const one of list) {
    if (performance.now() - began > SLICE) {
      await nextTask();
      began = performance.now();
    }
    work(one);
  }
}

const LONG = 256; // points of a line, so that none is much work by itself

/** All arcs of an atlas, whose one object is the land, in lines that have the unit `vectors` of their points and the `circle` that these lie in. */
async function linesOf(atlas) {
  const placed = transform(atlas.transform);
  const lines = [];
  await inTurns(atlas.arcs, (arc) => {
    const points = arc.map((step, i) => placed(step, i));
    for (let from = 0; from === 0 || from < points.length - 1; from += LONG) {
      const line = points.slice(from, from + LONG + 1); // the next one begins where this one ends
      const vectors = line.map(vectorOf);
      const sum = [0, 1, 2].map((k) => vectors.reduce((total, vector) => total + vector[k], 0));
      const length = Math.hypot(...sum) || 1;
      const centre = sum.map((n) => n / length);
      lines.push(Object.assign(line, { vectors, circle: { centre, radius: Math.max(...vectors.map((vector) => degreesBetween(centre, vector))) } }));
    }
  });
  return lines;
}

/** Whether a line may lie in a circle: those of which nothing is known may. */
const mayLieIn = ({ circle }, cap) => !cap || !circle || degreesBetween(circle.centre, cap.centre) <= circle.radius + cap.radius;

/** Loaders of the atlases, by scale in millions. */
const ATLASES = { 110: () => import("world-atlas/land-110m.json"), 50: () => import("world-atlas/land-50m.json") };

/** Lines of each scale, or a promise while they load; an atlas that cannot be had has none. */
const atlases = {};

/** Lines of a scale; undefined while they load, and then `onCome()` is called. */
export function linesAt(scale, onCome) {
  atlases[scale] ??= ATLASES[scale]().then(async (atlas) => (atlases[scale] = await linesOf(atlas.default)), () => (atlases[scale] = []));
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
    inside = !cap || degreesBetween(line.vectors?.[i] ?? vectorOf(point), cap.centre) <= cap.radius;
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

/** What draws lines in a picture's units, as far as they lie in `cap`; `reach` is the radius of its grid, and `isEnd(point, before)` says whether a line has a gap there. Gives the path of a line at a turn. */
function drawing(place, { toCell, isStraight }, cap, reach, isEnd) {
  const size = [place.width, place.height];
  const longest = isStraight ? Infinity : Math.max(0.05, Math.min(1, reach / PARTS));
  const torn = isStraight ? Infinity : Math.max(place.width, place.height) / 4; // between neighbours on both sides of a grid's seam
  const isBeside = (a, b) => [0, 1].some((k) => (a[k] < 0 && b[k] < 0) || (a[k] > size[k] && b[k] > size[k]));
  return (line, turn) => {
    let path = "";
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
    return path;
  };
}

/** The path of all of some lines. */
export function pathOf(lines, place, earth, cap, reach, isEnd = isCut) {
  const pathAt = drawing(place, earth, cap, reach, isEnd);
  return earth.turns.map((turn) => lines.map((line) => pathAt(line, turn)).join("")).join("");
}

/** The scale, in millions, of the coast for a view that lies in a circle, on so many pixels; of no circle, the coarser one. */
export function scaleFor(view, { width, height }) {
  return view && (2 * view.radius * DEGREE) / Math.hypot(width, height) < COARSE_FROM ? 50 : 110;
}

/** `onCome()` hears when a coastline has come, for a picture that wants it. */
export function createCoast(onCome) {
  let kept; // what was drawn last: { earth, flips, lines, cap, group }
  let coming; // what is being drawn, which has no `group` yet

  /** Whether what is drawn shows a view too. */
  function fits(drawn, { earth, flips, lines, view }) {
    if (drawn?.earth !== earth || drawn.lines !== lines || drawn.flips !== flips) return false;
    return !drawn.cap || (view && degreesBetween(view.centre, drawn.cap.centre) + view.radius <= drawn.cap.radius);
  }

  /** Draws what is coming, now and then a few lines. */
  async function draw(mine, place, whole, isCoarse) {
    const { earth, lines, cap } = mine;
    const pathAt = drawing(place, earth, cap, whole?.radius ?? 90, isCut);
    const near = lines.filter((line) => mayLieIn(line, cap));
    const paths = [];
    for (const turn of earth.turns) {
      await inTurns(near, (line) => coming === mine && paths.push(pathAt(line, turn)));
      if (coming !== mine) return;
    }
    const d = paths.join("");
    mine.group = svg("g", { class: "coast", "data-scale": isCoarse ? 110 : 50 }, svg("path", { d, class: "casing" }), svg("path", { d, class: "line" }));
    kept = mine;
    coming = undefined;
    onCome();
  }

  return {
    /** The coastline in the units of a picture of `size` pixels on an earth, as far as it is drawn. */
    lines(place, earth, size) {
      const view = capOf(earth, [place.down, place.across]);
      const whole = capOf(earth, [[0, place.height], [0, place.width]]);
      const fine = scaleFor(view, size) === 50 ? linesAt(50, onCome) : [];
      const lines = fine?.length ? fine : linesAt(110, onCome);
      const isCoarse = lines !== fine;
      const wanted = { earth, lines, view, flips: `${place.flipX},${place.flipY}` };
      if (lines && !fits(kept, wanted) && !fits(coming, wanted)) {
        const circle = isCoarse ? whole && { ...whole, radius: whole.radius * 1.2 + LONGEST } : { ...view, radius: view.radius * AROUND + 1 };
        const cap = circle?.radius < WHOLE[isCoarse ? 110 : 50] ? circle : undefined;
        coming = { ...wanted, cap };
        draw(coming, place, whole, isCoarse);
      }
      // Until it is drawn what was drawn of the same map stands.
      return kept?.earth === earth && kept.flips === wanted.flips ? kept.group : "";
    },
  };
}
