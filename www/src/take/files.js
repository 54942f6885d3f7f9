// Writes what is drawn as files: CSV for tables, .npy for numpy.
import { unitsIn } from "../model/format.js";
import { labelOf } from "../model/position.js";

/** x or y of the middle of the cell at a position along an axis, by the georeference of an array without coordinates; undefined where it has none. */
function groundOf({ georeference, system, usual }, axis) {
  const { transform } = georeference ?? system ?? {};
  if (!transform || transform[1] || transform[3] || !usual.slice(-2).includes(axis)) return undefined;
  const [wide, , left, , high, top] = transform;
  return axis === usual.at(-1) ? (at) => left + at * wide : (at) => top + at * high;
}

/** The positions along an axis of the cells that are drawn. */
export const positionsOf = ({ step, count, first = 0 }) => Array.from({ length: count }, (_, i) => Math.floor(first + i * step));

/** The numbers that place the cells along one axis that is drawn: its coordinate's, or x and y; undefined where it has none. */
export function numbersAlong(dataset, one, level) {
  const { coordinate } = dataset.axes[one.axis];
  if (coordinate) return coordinate.labels || typeof coordinate.values[0] === "string" ? undefined : positionsOf(one).map((at) => coordinate.values[at]);
  const ground = groundOf(dataset, one.axis);
  const middle = level ? 0 : 0.5; // those of a level are named by their middle already
  return ground && Array.from({ length: one.count }, (_, i) => Number(ground((one.first ?? 0) + i * one.step + middle).toPrecision(FIGURES)));
}

/** The places of the cells along one axis that is drawn: dates, coordinates, x and y, or positions. */
function places(dataset, one, level) {
  const { coordinate } = dataset.axes[one.axis];
  const list = coordinate?.labels ?? coordinate?.values;
  return (list ? positionsOf(one).map((at) => list[at]) : numbersAlong(dataset, one, level)) ?? positionsOf(one);
}

/** What a difference is less, in words; nothing of other pictures. */
function lessOf({ dataset, against, reference, plane }) {
  if (against) return `less ${against.path}`;
  return reference && plane.join === "difference" ? `less ${labelOf({ dataset, axes: plane.axes, index: reference })}` : "";
}

/** What a file's values are: their title, their units, where along the axes that are not drawn, what they are less, and their address without what opens it. */
export function aboutOf(state) {
  const { dataset, plane, catalog, against } = state;
  const drawn = (plane.taken ?? plane.shown).map(({ axis }) => axis);
  const where = dataset.axes.filter((_, axis) => !drawn.includes(axis)).map((axis) => axis.say(plane.index[dataset.axes.indexOf(axis)]));
  const units = unitsIn(dataset.attrs);
  const base = (catalog.place.base ?? "").replace(/[?#].*$/, "");
  const source = base && [base.replace(/\/$/, ""), dataset.path].filter(Boolean).join("/");
  const title = against?.heading ?? dataset.title;
  return { title: units ? `${title}, in ${units}` : title, where: where.join(", "), less: lessOf(state), source, note: plane.note ?? "" };
}

/** Lines before a table that say what its values are; readers of tables leave them out by their "#". */
export const commentsOf = (state, more) => Object.values({ ...aboutOf(state), ...more }).filter(Boolean).map((text) => `# ${text.replace(/\s+/g, " ")}\n`).join("");

const quoted = (item) => {
  const text = String(item);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (items) => items.map(quoted).join(",");

const FIGURES = 15; // of a packed number, which leave out what its factor cannot say in binary

/** A cell as text: nothing where there is no data. */
function cellOf(values, i, isPacked) {
  if (Number.isNaN(values[i])) return "";
  return values.exact?.[i] ?? (isPacked ? Number(values[i].toPrecision(FIGURES)) : values[i]);
}

/** A plane or a line as CSV: a plane has its columns' places in the first line, and each row's before its values. */
export function csvOf(dataset, plane, values, isTimes) {
  const shown = plane.taken ?? plane.shown;
  const items = isTimes ? { at: (i) => values.labels?.[i] ?? (Number.isFinite(values[i]) ? dataset.decoder.calendar.labelAt(values[i]) : "") } : { at: (i) => cellOf(values, i, dataset.decoder.isPacked) };
  const lines = [];
  if (shown.length === 2) {
    const [rows, columns] = shown.map((one) => places(dataset, one, plane.source?.level));
    lines.push(line([shown.map(({ axis }) => dataset.axes[axis].name).join("\\"), ...columns]));
    rows.forEach((row, r) => lines.push(line([row, ...columns.map((_, c) => items.at(r * columns.length + c))])));
  } else if (shown.length === 1) {
    lines.push(line([dataset.axes[shown[0].axis].name, dataset.name]));
    places(dataset, shown[0], plane.source?.level).forEach((place, i) => lines.push(line([place, items.at(i)])));
  } else lines.push(line([dataset.name]), line([items.at(0)]));
  return `${lines.join("\n")}\n`;
}

/** The lines of a chart as CSV: a place in each line, and after it the value of each cell that a line goes through. */
export function chartCsvOf(dataset, { axis, lines }, isTimes) {
  const tables = lines.map(({ plane, values }) => csvOf(dataset, plane, values, isTimes).trimEnd().split("\n").slice(1));
  const names = lines.map(({ where }) => (lines.length > 1 ? `${dataset.name} at ${where}` : dataset.name));
  const [first, ...others] = tables;
  const valueOf = (row) => row.slice(row.lastIndexOf(",") + 1); // numbers and dates have no commas
  return `${[line([dataset.axes[axis].name, ...names]), ...first.map((row, i) => [row, ...others.map((rows) => valueOf(rows[i]))].join(","))].join("\n")}\n`;
}

/** What stands for no data among integers of 64 bits: NetCDF's own. */
const NOTHING = { BigInt64Array: -(2n ** 63n) + 2n, BigUint64Array: 2n ** 64n - 2n };

/** Values as a typed array that holds them all: float64, or integers of 64 bits where a float64 would not, and then what stands for no data, if there are such cells. */
export function arrayOf(values) {
  const { exact } = values;
  if (!exact) return { data: Float64Array.from(values) };
  const nothing = values.some(Number.isNaN) ? NOTHING[exact.constructor.name] : undefined;
  return { data: nothing === undefined ? exact : exact.map((value, i) => (Number.isNaN(values[i]) ? nothing : value)), nothing };
}

const DESCRIPTIONS = { BigInt64Array: "<i8", BigUint64Array: "<u8" };

/** Bytes of an .npy file of a plane: float64, or 64-bit integers where a float64 would not hold them. */
export function npyOf({ shown, taken = shown }, values) {
  const { data } = arrayOf(values);
  const shape = taken.map(({ count }) => count);
  const tuple = shape.length === 1 ? `${shape},` : shape.join(", ");
  const text = `{'descr': '${DESCRIPTIONS[data.constructor.name] ?? "<f8"}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const padded = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n"; // the header ends at a multiple of 64
  const head = new Uint8Array(10 + padded.length);
  head.set([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, padded.length & 255, padded.length >> 8]);
  head.set(new TextEncoder().encode(padded), 10);
  return new Blob([head, data]);
}
