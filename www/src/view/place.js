// Says where a cell stands in the picture: which way each axis runs, and where its ticks go.
import { ticks } from "d3-array";

const DEGREE_STEPS = [0.5, 1, 2, 5, 10, 15, 30, 45, 60, 90, 120, 180];

/** Geometry of the axes drawn. `x(at)` and `y(at)` turn a cell boundary (0 … stop) into picture units. */
export function makePlace(dataset, plane) {
  const [rows, cols] = plane.shown.length === 2 ? plane.shown : [undefined, plane.shown[0]];
  const yAxis = rows && dataset.axes[rows.axis];
  const xAxis = cols && dataset.axes[cols.axis];
  const flipY = Boolean(yAxis && (yAxis.kind === "lat" || yAxis.kind === "up") && yAxis.ascending); // north is up
  const flipX = Boolean(xAxis && xAxis.kind === "lon" && xAxis.ascending === false);
  const width = cols?.stop ?? 1;
  const height = rows?.stop ?? 1;
  return {
    rows, cols, xAxis, yAxis, width, height, flipX, flipY,
    x: (at) => (flipX ? width - at : at),
    y: (at) => (flipY ? height - at : at),
    aspect: aspectOf(xAxis, yAxis, width, height),
    isMap: xAxis?.kind === "lon" && yAxis?.kind === "lat" && xAxis.step !== undefined && yAxis.step !== undefined,
  };
}

/** Width over height: of the ground for degrees, of the cells where both axes may be lengths, within what fits on a page. */
function aspectOf(xAxis, yAxis, width, height) {
  if (!yAxis) return 2.6;
  const apart = [xAxis, yAxis].some(({ kind }) => kind === "time" || kind === "text") || (xAxis.kind === "index") !== (yAxis.kind === "index");
  if (apart) return 2;
  const onGround = xAxis.kind === "lon" && yAxis.kind === "lat" && xAxis.step && yAxis.step;
  const aspect = onGround ? (width * Math.abs(xAxis.step)) / (height * Math.abs(yAxis.step)) : width / height;
  return Math.min(3, Math.max(0.8, aspect));
}

/** About `wanted` ticks along an axis: `{ at, label }` with `at` in cells. */
export function axisTicks(axis, stop, wanted) {
  if (axis.kind === "time" || axis.step === undefined) {
    return ticks(0, stop - 1, wanted).filter(Number.isInteger).map((i) => ({ at: i + 0.5, label: axis.text(i) }));
  }
  const { values } = axis.coordinate;
  const ends = [values[0] - axis.step / 2, values[0] + (stop - 0.5) * axis.step].sort((a, b) => a - b);
  const degrees = axis.kind === "lat" || axis.kind === "lon";
  const step = degrees && DEGREE_STEPS.find((each) => (ends[1] - ends[0]) / each <= wanted + 0.5);
  const list = step ? stepped(ends, step) : ticks(...ends, wanted);
  return list.map((v) => ({ at: (v - values[0]) / axis.step + 0.5, label: axis.tick(v) }));
}

function stepped([low, high], step) {
  const out = [];
  for (let n = Math.ceil(low / step - 1e-6); n * step <= high + 1e-6 * step; n++) out.push(n * step);
  return out;
}
