// What is read beside the picture, by code that comes with the first line through a cell or the first playback.

/** Whether a cell is one that the array stores. */
export const isStored = ({ dataset }, pin) => pin && (!dataset.stored || dataset.stored.at(pin));

/** As `createReads`, but that the pins stand at once. */
export function createSideReads(page, current, planOf) {
  let loading;
  let reads;
  let turn = 0; // of lines

  const load = () => (loading ??= import("./reads.js").then(({ createReads }) => (reads = createReads(page, current, planOf)), (error) => ((loading = undefined), Promise.reject(error))));

  /** Reads all along `axes` through a cell, and through a `second` one where there is one. */
  async function chart(point, axes, second) {
    const mine = current();
    if (!isStored(mine, point)) return;
    mine.pins = { point, second, axis: axes[0] };
    const own = ++turn;
    try {
      await load();
    } catch (error) {
      return page.failed(error, true);
    }
    if (own === turn && current() === mine) await reads.chart(point, axes, second);
  }

  /** Ends the reads of lines, whose array may go. */
  function rest() {
    turn++;
    reads?.rest();
  }

  function unchart() {
    rest();
    if (current()) current().series = current().pins = current().spans = undefined;
  }

  const stopAhead = () => reads?.stopAhead();
  return {
    chart, rest, unchart, stopAhead,
    /** Reads a chart's lines anew between two steps, as `createReads` says. */
    refine: (nth, span) => reads.refine(nth, span),
    /** Has the next steps along an axis fetched, as far as they are not held. */
    ahead: (d) => load().then(() => reads.ahead(d), () => undefined), // playback goes on without
    stop() {
      unchart();
      stopAhead();
    },
  };
}
