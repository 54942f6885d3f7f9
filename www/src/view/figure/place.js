// Says where a cell stands in the picture: which way each axis runs, which part is in view, and where its ticks go.
import { drawnOn } from "../../earth/degrees.js";
import { windowOf } from "../../map/view.js";
import { calendarTicks } from "../../model/calendar.js";
import { ticks } from "../../model/ticks.js";
import { aspectOf } from "./aspect.js";

const LINE = 2.6; // width over height of the picture of a line
const DEGREE_STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 60, 90, 120, 180];

/**
 * Geometry of the axes drawn. `x(at)` and `y(at)` turn a cell boundary (0 … stop) into picture units, and back; `window`
 * is the part of the picture in view, in these units.
 */
export function makePlace(dataset, plane) {
  const [rows, cols] = plane.shown.length === 2 ? plane.shown : [undefined, plane.shown[0]];
  const yAxis = rows && dataset.axes[rows.axis];
  const xAxis = cols && dataset.axes[cols.axis];
  const isUp = yAxis && (yAxis.kind === "lat" || yAxis.kind === "up") && yAxis.ascending;
  const flipY = Boolean(isUp || drawnOn(dataset, plane)?.isUpward); // north is up
  const flipX = Boolean(xAxis && xAxis.kind === "lon" && xAxis.ascending === false);
  const width = cols?.stop ?? 1;
  const height = rows?.stop ?? 1;
  const x = (at) => (flipX ? width - at : at);
  const y = (at) => (flipY ? height - at : at);
  const [down, across] = plane.view ? windowOf(plane.view, [height, width]) : [[0, height || 1], plane.span ?? [0, width || 1]];
  return {
    rows, cols, xAxis, yAxis, width, height, flipX, flipY, x, y,
    down, across, // cells in view
    window: { x: Math.min(...across.map(x)), y: Math.min(...down.map(y)), width: across[1] - across[0], height: down[1] - down[0] },
    aspect: rows ? aspectOf(dataset, [rows.axis, cols.axis], width || 1, height || 1) : LINE,
  };
}

/** Where a boundary of cells stands in what is in view, as a part of it from the left or the top. */
export const partX = ({ x, window }, at) => (x(at) - window.x) / window.width;
export const partY = ({ y, window }, at) => (y(at) - window.y) / window.height;

/** The middle of cells `[rows, columns]` as a part of what is in view, from its left and its top; undefined where a projection does not show it. */
export function middleOf(place, [rows, columns]) {
  const [row, column] = [rows, columns].map((span) => span && (span[0] + span[1]) / 2);
  if (place.warp) return place.warp.partAt([row, column]);
  return [partX(place, column), rows ? partY(place, row) : 0.5];
}

/** The cells, as fractions, at a part of what is in view: `[row, column]`. */
export function cellAt({ x, y, window, warp }, [u, v]) {
  if (warp) return warp.cellAt([u, v]); // undefined beside the Earth
  return [y(window.y + v * window.height), x(window.x + u * window.width)]; // turning an axis twice gives the cell again
}

/** The rectangle of cells `[rows, columns]` in picture units; without rows, as high as the picture. */
export function boxOf({ x, y, height, warp }, [rows, cols]) {
  if (warp) return warp.boxOf([rows, cols]);
  const [left, right] = cols.map(x).sort((a, b) => a - b);
  const [top, bottom] = rows ? rows.map(y).sort((a, b) => a - b) : [0, height];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const LETTER = 6.5; // pixels of one, about
const GAP = 14; // pixels between two labels, at least

/**
 * At most about `wanted` ticks along an axis from one cell boundary to another: `{ at, label }` with `at` in cells; as few
 * as leave labels apart in `room` pixels.
 */
export function axisTicks(axis, [from, to], wanted, room = Infinity) {
  for (let fewer = wanted; ; fewer--) {
    const list = ticksOf(axis, [from, to], fewer);
    const longest = Math.max(...list.map(({ label }) => label.length));
    const apart = list.length > 1 ? (Math.abs(list[1].at - list[0].at) / (to - from)) * room : Infinity;
    if (apart >= longest * LETTER + GAP) return list;
    if (fewer <= 1) return list.slice(0, 1);
  }
}

function ticksOf(axis, [from, to], wanted) {
  const dates = axis.moments && calendarTicks(axis.moments, [from, to], wanted);
  if (dates) return dates.map(({ at, label }) => ({ at: at + 0.5, label }));
  if (axis.kind === "time" || axis.step === undefined) {
    return ticks(from, to - 1, wanted).filter((i) => Number.isInteger(i) && i >= 0).map((i) => ({ at: i + 0.5, label: axis.text(i) }));
  }
  const { values } = axis.coordinate;
  const ends = [from, to].map((at) => values[0] + (at - 0.5) * axis.step).sort((a, b) => a - b);
  const degrees = axis.kind === "lat" || axis.kind === "lon";
  const step = degrees && ends[1] - ends[0] >= 0.1 && DEGREE_STEPS.find((each) => (ends[1] - ends[0]) / each <= wanted + 0.5);
  const list = step ? stepped(ends, step) : ticks(...ends, wanted);
  return list.map((v) => ({ at: (v - values[0]) / axis.step + 0.5, label: axis.tick(v) }));
}

function stepped([low, high], step) {
  const out = [];
  for (let n = Math.ceil(low / step - 1e-6); n * step <= high + 1e-6 * step; n++) out.push(n * step);
  return out;
}
