// Reads beside the picture: all along an axis through a cell, and the next steps of playback ahead of time. Loaded with the first of them.
import { planPlane, readPlane } from "../model/plane.js";
import { keyOf } from "../model/ledger.js";
import { labelOf } from "../model/position.js";
import { isStored } from "./side-reads.js";

const AHEAD = 12; // steps of playback, about a second where they are fetched

/** The place of a cell in words, without the axes `but`. */
const sayCell = ({ axes }, point, but = []) => point.map((i, d) => (but.includes(d) ? undefined : axes[d].say(i))).filter(Boolean).join(", ");

/** `current()` gives the explorer's state, `page` is the explorer's, `planOf(state, index)` plans a picture. */
export function createReads(page, current, planOf) {
  let charting = new AbortController();
  let fetching = new AbortController();
  let refining = new AbortController();

  function planLine({ dataset, against }, point, axis, span) {
    const at = dataset.stored ? dataset.stored.at(point) : point;
    return against ? against.planLine(at, [axis], { span }) : planPlane(dataset, at, [axis], { span });
  }

  /** Reads the values along one axis through a cell, or a `span` of them: `{ point, where, plane, values, range }`; books them as a step. */
  async function readLine(mine, point, axis, signal, span) {
    const { dataset, ledger, against } = mine;
    const plane = planLine(mine, point, axis, span);
    const where = sayCell(dataset, point, [axis]);
    const step = ledger.begin(`Along ${dataset.axes[axis].name} at ${where}`, plane.touched, { less: plane.less });
    page.booked(mine);
    try {
      const read = await (against ? against.readLine(plane, signal) : readPlane(dataset, plane, signal));
      signal.throwIfAborted();
      ledger.finish(step, "done");
      if (current() === mine) page.ended(step, ledger);
      return { point, where, plane, ...read };
    } catch (error) {
      ledger.finish(step, signal.aborted ? "left" : "failed", error);
      if (current() === mine) page.ended(step, ledger);
      throw error;
    }
  }

  /** Reads all along `axes` through a cell, and through a `second` one where there is one: the open state's, whose pins they are. */
  async function chart(point, axes, second) {
    const mine = current();
    charting.abort();
    charting = new AbortController();
    const { signal } = charting;
    const pins = [point, second].filter((pin) => isStored(mine, pin));
    if (mine.series && String(mine.series.charts.map(({ axis }) => axis)) !== String(axes)) mine.spans = undefined; // they were of other axes
    try {
      const charts = await Promise.all(axes.map(async (axis) => ({ axis, lines: await Promise.all(pins.map((pin) => readLine(mine, pin, axis, signal))) })));
      signal.throwIfAborted();
      mine.series = { point, second, axis: axes[0], where: pins.map((pin) => sayCell(mine.dataset, pin)), charts };
      page.charted(mine);
    } catch (error) {
      if (!signal.aborted) page.failed(error, false);
    }
    if (current() === mine) page.booked(mine);
  }

  /** Has the next steps along `d` fetched, as far as they are not held. */
  async function ahead(d) {
    const mine = current();
    const { dataset, index, ledger } = mine;
    const { signal } = fetching.signal.aborted ? (fetching = new AbortController()) : fetching;
    for (let by = 1; by <= AHEAD; by++) {
      const at = index.with(d, (index[d] + by) % dataset.shape[d]);
      const plane = planOf(mine, at);
      const lacking = ({ touched, level }) => touched.filter((coords) => ledger.stateOf(keyOf(coords, level)) === "none");
      const { level, array } = plane.source;
      const wanted = lacking({ ...plane, level });
      const less = plane.less && { ...plane.less, touched: lacking(plane.less) };
      if (!wanted.length && !less?.touched.length) continue;
      const step = ledger.begin(`Ahead: ${labelOf({ ...mine, index: at })}`, wanted, { ahead: true, level, less });
      page.booked(mine);
      try {
        await Promise.all([array, ...(less ? [less.source.array] : [])].map((one) => one.prefetch(plane.ahead ?? plane.selection, { signal })));
        ledger.finish(step, "done");
      } catch {
        ledger.finish(step, "left"); // whoever needs the chunk hears of the failure
      }
      if (current() === mine) page.ended(step, ledger);
      return;
    }
  }

  /** Reads the lines of a chart anew between two steps, where that gives more of them than the lines that are there; undefined where it does not. */
  async function refine(nth, span) {
    const mine = current();
    const { point, second, charts: { [nth]: { axis, lines } } } = mine.series;
    refining.abort();
    refining = new AbortController();
    const { signal } = refining;
    if (lines[0].plane.shown[0].step === 1) return undefined;
    const pins = [point, second].filter((pin) => isStored(mine, pin));
    if (planLine(mine, point, axis, span).shown[0].step >= lines[0].plane.shown[0].step) return undefined;
    const finer = await Promise.all(pins.map((pin) => readLine(mine, pin, axis, signal, span)));
    signal.throwIfAborted();
    page.booked(mine);
    return finer;
  }

  return {
    chart, ahead, refine,
    rest() {
      charting.abort();
      refining.abort();
    },
    stopAhead: () => fetching.abort(),
  };
}
