// Knows where the open array lies on the Earth, once that is found beside the picture, and keeps a place across arrays.
import { el } from "../dom.js";
import { nextTask } from "../map/next-task.js";
import { cellOn, degreesOf, drawnOn } from "./degrees.js";

/**
 * The words on the grid go into the page after the element `after`; `repaint()` draws the picture anew, `chart(index, { axis })`
 * the line through a cell, `mark(index)` puts the pin on one, and `ended(step, ledger)` hears of what was read, and `placed()` of a grid of which more is known.
 */
export function createEarth({ explorer, after, repaint, chart, mark, ended, placed }) {
  const words = el("p", { id: "earth", class: "note", hidden: true });
  after.after(words);
  let finding = new AbortController();
  let store; // the catalog of the array that is open
  let pinned; // { place, along }: longitude and latitude of the charted cell, and the name of the line's axis

  function say(text) {
    words.textContent = text;
    words.hidden = !text;
  }

  /** Looks for the earth of a dataset in what the store says, beside the picture; what fails leaves the array without. */
  async function look({ dataset, catalog, ledger }, signal) {
    const { find } = await import("./find.js");
    const found = await find(catalog, dataset, { signal, turn: nextTask }).catch(() => undefined);
    if (signal.aborted) return;
    const requests = catalog.heard.splice(0);
    if (requests.length) ended(Object.assign(ledger.open(requests, "Place on the Earth"), { isBeside: true }), ledger);
    dataset.system = found?.system;
    if (found?.toDegrees) dataset.earth = found;
    say(found?.words ?? "");
    if (dataset.earth) repaint();
    if (found) placed();
  }

  /** Charts the cell of the open array that is at a place which was kept. */
  async function place(kept) {
    const { state } = explorer;
    await state?.dataset.located;
    if (!state || explorer.state !== state || state.series) return;
    const { dataset, axes, index, plane } = state;
    const earth = drawnOn(dataset, plane);
    const cell = earth && cellOn(earth, axes.map((d) => dataset.shape[d]), kept.place);
    if (!cell) return;
    const point = index.map((at, d) => (axes.includes(d) ? cell[axes.indexOf(d)] : at));
    await chart(point, { axis: explorer.stepped().find((d) => dataset.axes[d].name === kept.along) });
    pinned = kept; // the place itself, not the middle of a coarser cell
    if (!state.series) mark(point);
  }

  return {
    /** An array was opened. */
    opened(state) {
      finding.abort();
      finding = new AbortController();
      const { dataset, catalog } = state;
      if (store !== catalog) pinned = undefined;
      store = catalog;
      say(dataset.unplaced ?? "");
      dataset.earth ??= degreesOf(dataset);
      const isPlane = dataset.kind === "numbers" && dataset.shape.length >= 2;
      dataset.located = dataset.earth || !isPlane ? Promise.resolve() : look(state, finding.signal);
    },
    /** A cell was charted: its place is kept. */
    async pin(state) {
      const { dataset, series } = state;
      pinned = undefined;
      await dataset.located;
      if (explorer.state !== state || state.series !== series) return;
      const place = dataset.earth?.toDegrees(dataset.earth.axes.map((d) => series.point[d] + 0.5));
      pinned ??= place && { place, along: dataset.axes[series.axis].name };
    },
    unpin: () => (pinned = undefined),
    /** Opens another array of the store by `open()`, and puts the pin on the cell that is at its place there. */
    async keeping(open) {
      const kept = pinned;
      const worked = await open();
      if (worked && kept) await place(kept);
      return worked;
    },
  };
}
