// The page in a frame of another page: its link to the whole page, what it tells the other page, and what that asks for.
import { el } from "../dom.js";
import { cellOn, drawnOn } from "../earth/degrees.js";
import { viewOf } from "../map/view.js";
import { positionOf, steppedOf } from "../model/position.js";
import { addressOf } from "../page/hash.js";
import { linkOf } from "../page/link.js";
import { ORDER, orderOf } from "./orders.js";

const PAUSE = 500; // ms between two messages

/** Link to the whole page with the view that the frame shows, or without one. */
export function linkTo(state, look, beside) {
  const url = new URL(state ? addressOf(linkOf(state, look, beside)) : location.href, location.href);
  url.searchParams.delete("embed");
  return url.href;
}

/** Degrees east and north of the middle of a map, and how many times it is enlarged; null where no degrees are known. */
function placeOf({ dataset, plane, view }) {
  const place = plane.isMap ? drawnOn(dataset, plane)?.toDegrees(view.centre) : undefined;
  return place ? [...place.map((v) => Number(v.toFixed(6))), Number(view.zoom.toPrecision(4))] : null;
}

/** Message to the other page about a view. */
function messageOf(state, look, range, beside) {
  const { dataset } = state;
  const stepped = steppedOf(state);
  return {
    type: "rectilinear-zarr:state",
    link: linkTo(state, look, beside),
    title: dataset.title,
    path: dataset.path,
    less: state.against?.path ?? null,
    at: positionOf(state),
    axes: stepped.map((d) => dataset.axes[d].name),
    where: stepped.map((d) => dataset.axes[d].say(state.index[d])),
    place: placeOf(state),
    range: range ?? null,
    units: dataset.decoder.units,
  };
}

/** Shows a place on the Earth, once it is known where the array lies. */
async function seePlace([lon, lat, zoom], { dataset, plane, axes }, see) {
  await dataset.located;
  const size = axes.map((d) => dataset.shape[d]);
  const earth = plane.isMap ? drawnOn(dataset, plane) : undefined;
  const cell = earth && cellOn(earth, size, [lon, lat]);
  if (!cell) throw new RangeError(`${ORDER}: place has to be one that the map shows, ${earth ? "which does not reach it" : "of which no degrees are known; use view"}`);
  see(viewOf([...cell.map((at) => at + 0.5), zoom], size, dataset.start));
}

/** Does what the page around asks for, by `deeds`; rejects where it makes no sense. */
async function obey(message, current, { open, lessen, go, setRange, see }) {
  const state = current();
  const { dataset, axes, catalog } = state;
  const stepped = steppedOf(state);
  const paths = catalog.complete ? catalog.entries.filter(({ kind }) => kind === "array").map(({ path }) => path) : undefined;
  const order = orderOf(message, { sizes: stepped.map((d) => dataset.shape[d]), names: stepped.map((d) => dataset.axes[d].name), index: positionOf(state), paths });
  const { path, less, at, range, view, place } = order;
  if (path !== undefined) {
    if (!(await open(path, { index: at, less: less ?? undefined, range: range ?? undefined, view: view ?? undefined }))) throw new Error(`${ORDER}: path ${path} could not be opened`);
  } else {
    if (less !== undefined && (await lessen(less ?? undefined)) === false) throw new Error(`${ORDER}: less ${less} can't be taken off`);
    if (range !== undefined) setRange(range ?? undefined);
    if (view !== undefined) see(viewOf(view ?? undefined, axes.map((d) => dataset.shape[d]), dataset.start));
  }
  if (place) await seePlace(place, current(), see);
  if (path === undefined && at) await go(stepped.reduce((index, d, i) => index.with(d, at[i]), state.index));
}

/** Puts the link on the page; `tell()`, after anything that is drawn, sends the state to the other page, at most twice a second. `deeds` are what the other page can ask for: `open(path, view)`, `lessen(path)`, `go(index)`, `setRange(range)`, `see(view)`. */
export function createEmbed(root, { current, look, range, beside, deeds }) {
  const link = el("a", { id: "full", class: "full", target: "_blank", rel: "noopener", href: linkTo() }, "Open full");
  root.append(link);
  let timer;
  let last = -Infinity; // when a message was sent
  let sent = "";

  function send() {
    timer = undefined;
    const state = current();
    if (!state) return;
    const message = messageOf(state, look, range(), beside());
    const text = JSON.stringify(message);
    link.href = message.link;
    if (parent === window || text === sent) return;
    [sent, last] = [text, performance.now()];
    parent.postMessage(message, "*"); // whoever frames the page, has its address
  }

  addEventListener("message", async ({ source, origin, data }) => {
    if (source !== parent || parent === window || data?.type !== ORDER) return;
    try {
      if (!current()) throw new Error(`${ORDER}: no array is open`);
      await obey(data, current, deeds);
    } catch ({ message }) {
      source.postMessage({ type: "rectilinear-zarr:error", message }, origin === "null" ? "*" : origin);
    }
  });

  link.addEventListener("click", () => (link.href = linkTo(current(), look, beside())));

  return {
    tell() {
      const wait = last + PAUSE - performance.now();
      if (wait <= 0 && timer === undefined) send();
      else timer ??= setTimeout(send, Math.max(0, wait));
    },
  };
}
