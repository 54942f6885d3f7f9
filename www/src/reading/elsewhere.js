// Opens the array of another store that is taken off the one that is drawn, and says whether both lie on the same grid. Loaded with the first of them.
import { openFirst } from "../model/catalog.js";
import { addressIn, placesOf, webAddress } from "../model/source.js";
import { sharedAddress } from "../private/shared.js";

const CLOSE = 0.01; // of the way to the next label, that two labels of a cell may be apart
const SINGLE = 1e-6; // of a label, which float32 may leave out

const nameOf = (path) => path.split("/").at(-1);

/** The path of the array that an address means in its catalog: its own, or in a group the one of the same path or name; undefined where there is none. */
function arrayIn({ place, entries }, path) {
  const isArray = (at) => entries.some((entry) => entry.kind === "array" && !entry.error && entry.path === at);
  const within = (name) => [place.path, name].filter(Boolean).join("/");
  return place.alone ? place.path : [place.path, within(path), within(nameOf(path))].find(isArray);
}

/**
 * The array at an address, to be taken off the one at `path` of another store: `{ catalog, member, address, name, prefix }`, of which the address has no secrets,
 * `name` is the store's, and `prefix` sets its keys apart from the other store's. `onRequest(info)` hears of its requests.
 */
export async function openElsewhere(given, path, { signal = new AbortController().signal, onRequest }) {
  const url = new URL(webAddress(given));
  let prefix = `//${url.host}/`;
  const catalog = await openFirst(await placesOf(url.href, signal), { signal, onRequest: (info) => onRequest(/^\w+:\/\//.test(info.key) ? info : { ...info, key: `${prefix}${info.key}` }) });
  const { place } = catalog;
  const base = new URL(place.base);
  prefix = `//${base.host}${base.pathname.replace(/\/*$/, "/")}`;
  const member = arrayIn(catalog, path);
  if (member === undefined) {
    catalog.free();
    throw new Error(`it is a group without an array “${path || nameOf(base.pathname)}”; write the address of an array`);
  }
  return { catalog, member, address: sharedAddress(addressIn(place, member)), name: place.name, prefix };
}

/** Whether an axis has the same meaning in both arrays, whatever it is called. */
const isAlike = (one, other) => one.name === other.name || (one.kind === other.kind && ["lat", "lon", "time"].includes(one.kind));

/** The first position at which the labels of two axes differ; -1 where they are the same, or where either has none, or dates. */
function labelsApart(one, other) {
  const [mine, its] = [one, other].map(({ coordinate }) => coordinate?.values);
  if (!mine || !its || one.kind === "time" || other.kind === "time") return -1;
  const step = (i) => Math.abs(mine[i] - mine[i > 0 ? i - 1 : Math.min(1, mine.length - 1)]);
  const turns = (by) => (one.kind === "lon" ? 360 * Math.round(by / 360) : 0);
  const isNear = (i, by) => Math.abs(by - turns(by)) <= Math.max(CLOSE * step(i), SINGLE * Math.abs(mine[i]));
  const isSame = (v, i) => v === its[i] || (typeof v === "number" && typeof its[i] === "number" && isNear(i, v - its[i]));
  return mine.findIndex((v, i) => !isSame(v, i));
}

/** Why the cells of two arrays are not the same ones, and what of their times differs, which may: `{ problem, note }`, empty texts where nothing does. `name` is that of the array that is drawn. */
export function comparedGrids({ axes, name }, other) {
  const apart = axes.findIndex((axis, d) => !isAlike(axis, other.axes[d]));
  if (apart >= 0) return { problem: `its axes are ${other.axes.map((axis) => axis.name).join(", ")}, and those of “${name}” ${axes.map((axis) => axis.name).join(", ")}` };
  for (const [d, axis] of axes.entries()) {
    const at = labelsApart(axis, other.axes[d]);
    if (at >= 0) return { problem: `at position ${at} along ${other.axes[d].name} it has ${other.axes[d].text(at)}, and “${name}” ${axis.text(at)}` };
  }
  const times = axes.flatMap((axis, d) => {
    const its = other.axes[d];
    if (axis.kind !== "time" || its.kind !== "time") return [];
    const at = axis.coordinate.labels.findIndex((label, i) => label !== its.coordinate.labels[i]);
    return at < 0 ? [] : [` Its ${its.name} differs: position ${at} is ${its.text(at)}, and that of “${name}” ${axis.text(at)}.`];
  });
  return { problem: "", note: times.join("") };
}
