// Says in words what the array is: the heading, and the axes as sums of their chunks.
import { el } from "../dom.js";
import { count } from "../model/format.js";
import { sumText } from "../model/segments.js";

/** Name of the page, which a catalog may have given. */
const siteName = () => document.documentElement.dataset.site ?? "rectilinear-zarr";

/** "time 366 = 31 + 29 + 31 + …", one piece an axis. */
function axisSum({ axes, grid }, d) {
  const { name, size } = axes[d];
  const sum = sumText(grid, d, size, d < axes.length - 2 ? 12 : 6);
  return el("span", {}, el("b", {}, name), ` ${count(size)}${size === 0 || sum === count(size) ? "" : ` = ${sum}`}`);
}

const LONGEST = 140; // letters of a heading

/** A title as a heading has room for it. */
export const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/\s+\S*$/, "")}…` : text);

/** `heading` replaces the array's own title where the page knows better words. */
export function describe(dataset, heading) {
  const { axes } = dataset.stored ?? dataset;
  document.getElementById("title").textContent = cut(heading?.title ?? dataset.title);
  document.title = `${cut(heading?.dek ? dataset.title : (heading?.title ?? dataset.title))} · ${siteName()}`;
  const regular = dataset.grid.isRegular;
  const words = dataset.axes.length ? `${dataset.dtype}, ${regular ? "regular chunks" : "chunks of unequal length"}` : `${dataset.dtype}, a single value`;
  document.getElementById("dek").textContent = heading?.dek ?? words;
  if (dataset.kind === "none") document.getElementById("dek").textContent += "; its items are not drawn";
  document.getElementById("sums").replaceChildren(...axes.map((_, d) => axisSum({ axes, grid: dataset.grid }, d)));
}

/** The heading where a store is open and none of its arrays. */
export function describeStore({ place, attrs, note, entries }) {
  document.getElementById("title").textContent = typeof attrs.title === "string" ? attrs.title : place.name;
  document.getElementById("dek").textContent = note || (entries.length ? "Choose an array." : "This group is empty.");
  document.getElementById("sums").replaceChildren();
  document.title = `${place.name} · ${siteName()}`;
}

/** The heading where nothing could be opened, and ways to go on from there. */
export function describeNothing(home) {
  document.getElementById("title").textContent = "Nothing could be opened";
  const stores = document.getElementById("stores");
  const ways = ["Go on with ", el("a", { href: `#url=${encodeURIComponent(home)}` }, "the data that this page begins with"), stores.hidden ? "" : ", with one of the stores above", ", or read ",
    el("a", { href: "./api/documents/Hosting.html" }, "what a host has to answer"), " and ", el("a", { href: "./api/documents/The_explorer.html" }, "what the page opens"), "."];
  document.getElementById("dek").replaceChildren(...ways);
  document.title = siteName();
}
