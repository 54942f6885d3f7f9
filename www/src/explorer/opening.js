// Opens stores and arrays: what was open stays until the next one is there.
import { nextTask } from "../map/next-task.js";
import { firstArray, listMore, openFirst } from "../model/catalog.js";
import { openDataset } from "../model/dataset.js";
import { Ledger, bookedOf } from "../model/ledger.js";
import { clamp, pinsOf, steppedOf, validAxes } from "../model/position.js";
import { openedComposite } from "../reading/channels.js";
import { referenceOf } from "../reading/range.js";
import { blank } from "./drawing.js";

/** `page` is the explorer's, `held` gets its `state` and its `catalog`, and `stage(state, view)` and `redraw(state)` draw what was opened; `stop()` ends what is read of it. */
export function createOpening(page, held, { stage, redraw, stop }) {
  let opening = new AbortController();

  /** A request: the open array's, or of an opening, whose list is `heard`. */
  function hear(heard, info) {
    if (held.state?.catalog.heard === heard && held.state.ledger.note(info)) page.booked(held.state);
    else heard.push(info);
  }

  /**
   * Opens what `find(signal)` resolves to, a list of places, and the array at the first one's path or its first array.
   * Until that has worked, what was open stays. True where it worked.
   */
  async function open(find, view = {}) {
    const signal = begin();
    const heard = [];
    let next;
    try {
      next = await openFirst(await find(signal), { signal, onRequest: (info) => hear(heard, info) });
      next.heard = heard;
      signal.throwIfAborted();
    } catch (error) {
      next?.free();
      if (!signal.aborted) page.failed(error, Boolean(held.state));
      return false;
    }
    const asked = view.path ?? next.place.path;
    const isArray = next.place.alone || (asked && !next.entries.some(({ path, kind }) => path === asked && kind === "group"));
    const path = isArray ? asked : firstArray(next.entries, asked);
    if (path !== undefined) return choose(next, path, view, signal, !isArray);
    settle(next);
    page.empty(next);
    return true;
  }

  function begin() {
    opening.abort();
    opening = new AbortController();
    return opening.signal;
  }

  /** The store that was open goes, and its array. */
  function settle(next) {
    leave();
    if (held.catalog !== next) held.catalog?.free();
    held.catalog = next;
    page.listed(next);
  }

  /** Lets go of the array that is open. */
  function leave() {
    stop();
    held.state?.scene.clear();
    held.state?.dataset.free();
    held.state?.against?.free();
    held.state = undefined;
  }

  /** Opens one array of a catalog and draws it; where nobody asked for this very one, the catalog opens without it. */
  async function choose(from, path, view, signal, spare) {
    let dataset;
    let against;
    let lessProblem;
    let part; // of the line of an array of one axis
    try {
      dataset = await openDataset(from, path, { signal });
      if (view.less) against = await import("../reading/against.js").then(({ openAgainst }) => openAgainst(dataset, from, view.less, signal)).catch(({ message }) => void (lessProblem = message)); // without it the array is drawn itself
      if (view.spans && dataset.shape.length === 1) part = await import("../view/axes/part.js").then(({ spanGiven }) => spanGiven(view.spans[0], dataset.shape[0]));
      await nextTask(); // to list the catalog is work of its own
      signal.throwIfAborted();
    } catch (error) {
      dataset?.free();
      against?.free();
      if (!signal.aborted && spare) {
        settle(from);
        page.empty(from);
      } else if (from !== held.catalog) from.free();
      if (!signal.aborted) page.failed(error, Boolean(held.state));
      return false;
    }
    settle(from);
    await nextTask(); // what is shown of the array is much work by itself, and so is its first step
    if (signal.aborted) {
      dataset.free();
      against?.free();
      return false;
    }
    const ledger = new Ledger({ rank: dataset.grid.shape.length, arrays: bookedOf(dataset.sources, path) });
    const axes = validAxes(dataset, view.axes);
    against?.book(ledger);
    const mine = (held.state = { dataset, catalog: from, axes, ledger, userRange: view.range, against, lessProblem, part });
    const stepped = steppedOf(mine);
    // An axis that is drawn has a position too, the middle: where one begins to step once others are drawn.
    mine.index = dataset.shape.map((size, d) => clamp(stepped.includes(d) ? (view.index?.[stepped.indexOf(d)] ?? dataset.begin?.[d]) : size >> 1, size));
    mine.reference = against ? undefined : referenceOf(mine, view.reference, stepped);
    mine.composite = against ? undefined : openedComposite(mine, view.channels);
    if (mine.composite) mine.reference = undefined; // a picture is one or the other
    mine.pins = pinsOf(mine, view);
    mine.spans = view.spans;
    mine.opening = ledger.open(from.heard.splice(0));
    stage(mine, view.view);
    mine.values = blank(mine);
    await page.opened(mine);
    if (held.state !== mine) return false;
    page.ended(mine.opening, ledger);
    await nextTask();
    if (held.state !== mine) return false;
    const drawn = (await redraw(mine)) !== false && held.state === mine; // another opening may have overtaken it
    if (!drawn) return drawn;
    const late = dataset.isBare && import("../model/attributes.js").then(({ complete }) => complete(page, held, signal));
    if (page.isEmbedded) return drawn;
    const beside = dataset.axes.filter(({ coordinate }) => coordinate && !coordinate.isCalculated).map(({ name }) => name);
    Promise.resolve(late).then(() => listMore(from, beside, signal)).then((more) => more && held.catalog === from && page.listed(from), () => undefined); // beside the picture
    return drawn;
  }

  /** Adds what a name means to the store that is open, and opens the array. */
  async function add(name) {
    const signal = begin();
    const from = held.catalog;
    try {
      const { path, kind } = await import("../discover/add.js").then(({ addMember }) => addMember(from, name, signal));
      signal.throwIfAborted();
      page.listed(from);
      const first = kind === "array" ? path : firstArray(from.entries, path);
      if (first !== undefined) return choose(from, first, {}, signal, false);
      page.kept();
      return false;
    } catch (error) {
      if (!signal.aborted) page.failed(error, true);
      return false;
    }
  }

  /** Lets go of all that is open. */
  function close() {
    begin();
    leave();
    held.catalog?.free();
    held.catalog = undefined;
  }

  /** Another array of the store that is open. */
  const openMember = (path, view = {}) => choose(held.catalog, path, view, begin(), false);

  return { open, openMember, add, close };
}
