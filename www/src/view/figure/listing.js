// Lists items that are no numbers, such as names, beside where they stand.
import { el } from "../../dom.js";
import { plain } from "../../model/plain.js";

const hex = (item) => Array.from(item, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** An item in words: text as it is, bytes in base 16, objects as JSON. */
function words(item) {
  if (typeof item === "string") return item === "" ? "(empty)" : item;
  return ArrayBuffer.isView(item) ? hex(item) || "(empty)" : plain(item);
}

/** `values` along the one axis that is drawn, or a single one. */
export function listing(dataset, { shown }, values) {
  const axis = shown.length ? dataset.axes[shown[0].axis] : undefined;
  const rows = values.map((item, i) => el("tr", {}, el("th", { scope: "row" }, axis ? axis.text(i * shown[0].step) : dataset.name), el("td", {}, words(item))));
  return el("table", { class: "listing" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, axis?.name ?? "Name"), el("th", { scope: "col" }, dataset.title))), el("tbody", {}, rows));
}
