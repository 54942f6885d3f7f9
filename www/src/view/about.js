// Says in words what the array is: the heading, the axes as sums of their chunks, and its attributes.
import { el } from "../dom.js";
import { count } from "../model/format.js";
import { sumText } from "../model/segments.js";

const SHOWN_FIRST = ["source", "references", "license", "comment", "history", "institution"];

/** "time 366 = 31 + 29 + 31 + …", one piece an axis. */
function axisSum(dataset, d) {
  const { name, size } = dataset.axes[d];
  const sum = sumText(dataset.grid, d, size, d < dataset.axes.length - 2 ? 12 : 6);
  return el("span", {}, el("b", {}, name), ` ${count(size)}${size === 0 || sum === count(size) ? "" : ` = ${sum}`}`);
}

/** `heading` replaces the array's own title where the page knows better words. */
export function describe(dataset, heading) {
  document.getElementById("title").textContent = heading?.title ?? dataset.title;
  document.title = `${dataset.title} · rectilinear-zarr`;
  const regular = dataset.grid.isRegular;
  const plain = dataset.axes.length ? `${dataset.dtype}, ${regular ? "regular chunks" : "chunks of unequal length"}` : `${dataset.dtype}, a single value`;
  document.getElementById("dek").textContent = heading?.dek ?? plain;
  document.getElementById("sums").replaceChildren(...dataset.axes.map((_, d) => axisSum(dataset, d)));
}

export function createAbout(root) {
  return (dataset) => {
    const { attrs } = dataset;
    const facts = [["Address", dataset.url], ["Shape", dataset.shape.map(count).join(" × ") || "scalar"], ["Type", dataset.dtype],
      ["Chunks", dataset.grid.shape.map(count).join(" × ") || "1"], ["Zarr", `v${dataset.zarrFormat}`]];
    const text = (v) => (typeof v === "string" ? v : JSON.stringify(v));
    const rest = [...SHOWN_FIRST.filter((name) => name in attrs), ...Object.keys(attrs).filter((name) => !SHOWN_FIRST.includes(name))];
    root.replaceChildren(el("details", { open: root.querySelector("details")?.open ?? matchMedia("(min-width: 60rem)").matches }, el("summary", {}, "About this array"),
      el("dl", {}, [...facts, ...rest.map((name) => [name, text(attrs[name])])].flatMap(([name, v]) => [el("dt", {}, name), el("dd", {}, v)]))));
  };
}
