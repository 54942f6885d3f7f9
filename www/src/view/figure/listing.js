// Lists items that are no numbers, such as names, beside where they stand.
import "../../style/listing.css";
import { el } from "../../dom.js";
import { columnsFor, readColumn } from "../../model/columns.js";
import { count } from "../../model/format.js";
import { plain } from "../../model/plain.js";
import { MOST_WORDS } from "../../model/plane.js";

const hex = (item) => Array.from(item, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** An item in words: text as it is, bytes in base 16, objects as JSON. */
function words(item) {
  if (typeof item === "string") return item === "" ? "(empty)" : item;
  return ArrayBuffer.isView(item) ? hex(item) || "(empty)" : plain(item);
}

/** Ways to the other items of a list; nothing where there are none. */
function pager(size, { first, stop }, onList) {
  if (size <= MOST_WORDS) return "";
  const button = (text, from, isThere) => el("button", { type: "button", class: "quiet", disabled: !isThere, onclick: () => onList(from) }, text);
  return el("p", { class: "pages" }, button("Before", Math.max(0, first - MOST_WORDS), first > 0), `${count(first + 1)} to ${count(stop)} of ${count(size)}`, button("After", first + MOST_WORDS, stop < size));
}

const kept = new WeakMap(); // dataset -> Map of the columns that were read, by path and first item

/** A column of a dataset's list from one item to before another, read once; a failure says why in each of its cells. */
function columnOf(dataset, path, [from, to]) {
  if (!kept.has(dataset)) kept.set(dataset, new Map());
  const columns = kept.get(dataset);
  const key = `${from};${path}`;
  if (!columns.has(key)) columns.set(key, readColumn(dataset, path, [from, to]).catch(({ message }) => (columns.delete(key), { items: [], failure: message })));
  return columns.get(key);
}

/** Fills the cells of a column once it is read. */
function fill(cells, reading) {
  reading.then(({ items, words: say = words, failure }) => cells.forEach((cell, i) => (cell.textContent = failure === undefined ? say(items[i]) : i ? "" : `could not be read: ${failure}`)));
  return cells;
}

let asked; // the column that was chosen last: its box is made anew, and has the focus again

/** The choice of further columns; nothing where there are none. */
function chooser(others, columns, onColumns) {
  if (!others.length || !onColumns) return "";
  const label = (path) => path.split("/").at(-1);
  const boxes = others.map((path) => {
    const box = el("input", { type: "checkbox", onchange: () => (asked = path, onColumns(box.checked ? [...columns, path] : columns.filter((each) => each !== path))) });
    box.checked = columns.includes(path);
    if (asked === path) queueMicrotask(() => ((asked = undefined), box.focus()));
    return el("label", { class: "check" }, box, label(path));
  });
  return el("fieldset", { class: "columns" }, el("legend", {}, "Beside it"), boxes);
}

/**
 * `values` along the one axis that is drawn, or a single one, and a way to those that are not listed, of which
 * `onList(from)` hears. `columns` are the paths of arrays whose items stand beside them, and `onColumns(paths)` hears of others.
 */
export function listing(dataset, { shown }, values, { onList, columns = [], onColumns }) {
  const axis = shown.length ? dataset.axes[shown[0].axis] : undefined;
  const others = axis ? columnsFor(dataset) : [];
  const beside = columns.filter((path) => others.includes(path));
  const span = axis && [shown[0].first, shown[0].stop];
  const cells = beside.map((path) => fill(values.map(() => el("td", {}, "…")), columnOf(dataset, path, span)));
  const rows = values.map((item, i) => el("tr", {}, el("th", { scope: "row" }, axis ? axis.text(shown[0].first + i * shown[0].step) : dataset.name), el("td", {}, words(item)), cells.map((list) => list[i])));
  const heads = beside.map((path) => el("th", { scope: "col" }, path.split("/").at(-1)));
  return [
    axis ? pager(axis.size, shown[0], onList) : "", chooser(others, beside, onColumns),
    el("table", { class: "listing" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, axis?.name ?? "Name"), el("th", { scope: "col" }, dataset.title), heads)), el("tbody", {}, rows)),
  ];
}
