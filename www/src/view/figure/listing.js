// Lists items that are no numbers, such as names, beside where they stand.
import "../../style/listing.css";
import { el } from "../../dom.js";
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

/** `values` along the one axis that is drawn, or a single one, and a way to those that are not listed, of which `onList(from)` hears. */
export function listing(dataset, { shown }, values, onList) {
  const axis = shown.length ? dataset.axes[shown[0].axis] : undefined;
  const rows = values.map((item, i) => el("tr", {}, el("th", { scope: "row" }, axis ? axis.text(shown[0].first + i * shown[0].step) : dataset.name), el("td", {}, words(item))));
  return [axis ? pager(axis.size, shown[0], onList) : "", el("table", { class: "listing" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, axis?.name ?? "Name"), el("th", { scope: "col" }, dataset.title))), el("tbody", {}, rows))];
}
