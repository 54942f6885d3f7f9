// Title, origin, time and area of a dataset by its attributes: ACDD, CF and those that providers write in their place; the array's own first, then those of the groups above it.
import { axisSpan, degreeSpan } from "./spans.js";

const NAMES = {
  title: ["title"],
  institution: ["institution", "creator_institution", "publisher_name", "creator_name"],
  licence: ["license", "licence", "rights"],
  doi: ["doi", "DOI", "dataset_doi", "identifier_product_doi", "product_doi", "datacite_doi", "id", "identifier", "citation", "preferred_citation"],
};
const DOI = /\b10\.\d{4,9}\/[^\s"<>{}]+/;

/** Attributes of the array and of each group above it, nearest first, as far as the page knows them. */
export function layersOf({ dataset, catalog }) {
  const folders = dataset.path.split("/").slice(0, -1);
  const above = folders.map((_, i) => folders.slice(0, folders.length - i).join("/"));
  const at = new Map(catalog.entries.map(({ path, attrs }) => [path, attrs]));
  return [dataset.attrs, ...above.map((path) => at.get(path)), catalog.attrs].filter((attrs) => attrs && typeof attrs === "object");
}

/** The first text or number that a layer has under one of the names, and that `fits`. */
function first(layers, names, fits = () => true) {
  for (const attrs of layers) {
    for (const name of names) {
      const value = typeof attrs[name] === "number" ? String(attrs[name]) : attrs[name];
      if (typeof value === "string" && value.trim() && fits(value)) return value.trim();
    }
  }
  return undefined;
}

/** A DOI within a text, without the full stop or the closing bracket behind it. */
function doiIn(text) {
  let [found] = DOI.exec(text ?? "") ?? [];
  while (found && (/[.,;:\]]$/.test(found) || (found.endsWith(")") && found.split("(").length < found.split(")").length))) found = found.slice(0, -1);
  return found;
}

/** A time as attributes write it, as a date where it is the beginning of one. */
const dateOf = (text) => text.replace(/T00:00:00(\.0+)?(Z|[+]00:00)?$/, "");

function timeSpan(layers, axes) {
  const [from, to] = ["time_coverage_start", "time_coverage_end"].map((name) => first(layers, [name]));
  if (from || to) return [from, to].filter(Boolean).map(dateOf).filter((text, i, all) => text !== all[i - 1]).join(" to ");
  return axisSpan(axes.find(({ kind }) => kind === "time"));
}

function box(layers, axes) {
  const read = (name) => Number(first(layers, [`geospatial_${name}`], (text) => Number.isFinite(Number(text))));
  const spans = [["lat", "N", "S"], ["lon", "E", "W"]].map(([name, ...signs]) => {
    const range = [read(`${name}_min`), read(`${name}_max`)];
    return range.every(Number.isFinite) ? degreeSpan(range, ...signs) : degreeSpan(axes.find(({ kind }) => kind === name), ...signs);
  });
  return spans.filter(Boolean).join(", ") || undefined;
}

/** `{ title, institution, licence, doi, time, area }` of an open array, each a text or undefined. */
export function originOf(state) {
  const layers = layersOf(state);
  const { axes } = state.dataset;
  return {
    title: first(layers, NAMES.title),
    institution: first(layers, NAMES.institution),
    licence: first(layers, NAMES.licence),
    doi: doiIn(first(layers, NAMES.doi, doiIn)),
    time: timeSpan(layers, axes),
    area: box(layers, axes),
  };
}
