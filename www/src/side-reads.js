// Reads beside the picture: all along an axis through a cell, and the next steps of playback ahead of time.
import { planPlane, readPlane } from "./model/plane.js";
import { labelOf } from "./model/position.js";

const AHEAD = 12; // steps of playback, about a second

/** `current()` gives the explorer's state, `page` is the explorer's. */
export function createSideReads(page, current) {
  let charting = new AbortController();
  let fetching = new AbortController();

  /** Reads all along `axis` through a cell. */
  async function chart(point, axis) {
    const mine = current();
    charting.abort();
    charting = new AbortController();
    const { signal } = charting;
    const { dataset, ledger } = mine;
    const plane = planPlane(dataset, point, [axis]);
    const where = point.map((i, d) => (d === axis ? undefined : dataset.axes[d].say(i))).filter(Boolean).join(", ");
    const step = ledger.begin(`Along ${dataset.axes[axis].name} at ${where}`, plane.touched);
    page.booked(mine);
    try {
      const read = await readPlane(dataset, plane, signal);
      signal.throwIfAborted();
      ledger.finish(step, "done");
      mine.series = { point, axis, where, plane, ...read };
      page.ended(step, ledger);
      page.charted(mine);
    } catch (error) {
      ledger.finish(step, signal.aborted ? "left" : "failed", error);
      if (current() === mine) page.ended(step, ledger);
      if (!signal.aborted) page.failed(error, false);
    }
    if (current() === mine) page.booked(mine);
  }

  function unchart() {
    charting.abort();
    if (current()) current().series = undefined;
  }

  /** Has the next steps along `d` fetched, as far as they are not held. */
  async function ahead(d) {
    const mine = current();
    const { dataset, index, ledger } = mine;
    const { signal } = fetching.signal.aborted ? (fetching = new AbortController()) : fetching;
    for (let by = 1; by <= AHEAD; by++) {
      const at = index.with(d, (index[d] + by) % dataset.shape[d]);
      const plane = planPlane(dataset, at, mine.axes);
      const wanted = plane.touched.filter((coords) => ledger.stateOf(coords.join("/")) === "none");
      if (!wanted.length) continue;
      const step = ledger.begin(`Ahead: ${labelOf({ ...mine, index: at })}`, wanted, true);
      page.booked(mine);
      try {
        await dataset.array.prefetch(plane.selection, { signal });
        ledger.finish(step, "done");
      } catch {
        ledger.finish(step, "left"); // whoever needs the chunk hears of the failure
      }
      if (current() === mine) page.ended(step, ledger);
      return;
    }
  }

  const stopAhead = () => fetching.abort();
  return {
    chart, unchart, ahead, stopAhead,
    stop() {
      unchart();
      stopAhead();
    },
  };
}
