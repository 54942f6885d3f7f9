// A bar of chunks drawn to the scale of an axis or a part of it, with the place we are at; a press on it goes there.
import { el } from "../../dom.js";
import { count } from "../../model/format.js";
import { STATES } from "../../model/ledger.js";
import { segments } from "../../model/segments.js";

const MONTHS = /^([A-Z][a-z]{2})–[A-Z]/; // "Jan–Mar"

/** What is left of a date without a year where there is little room: of the first of a month the month, of several the first, or the year that they begin, of others the day. */
const briefOf = (short, year) => short.replace(MONTHS, (_, month) => `${month === "Jan" && year ? year : month} –`).replace(/^1 (?=[A-Z])/, "").replace(/ [A-Z–].*$/, "");

/** What is left of dates of which each is of another month than the one before. */
const monthOf = (short) => /^\d+ ([A-Z][a-z]{2})\b/.exec(short)?.[1];

/** `onPress(index)` while the pointer is down, `onResize()` where the bar has another width. `more` are elements laid over it. */
export function createTrack(dataset, d, { onPress, onResize, className, more = [] }) {
  const axis = dataset.axes[d];
  const grid = dataset.grid;
  const blocks = el("div", { class: "blocks", "aria-hidden": "true" });
  const needle = el("div", { class: "needle", "aria-hidden": "true" });
  const element = el("div", { class: `track ${className}` }, blocks, needle, more);
  let list = []; // { segment, block, label, name }, of which the name says how the block looks
  let [from, to] = [0, axis.size];

  const share = (cells) => `${(cells / (to - from)) * 100}%`;

  function block(segment, before) {
    const { start, stop, edge } = segment;
    const whole = edge !== undefined && (stop - start === edge || stop === axis.size);
    const label = edge === undefined ? `${count(segment.count)} chunks` : axis.span(start, stop);
    const short = edge === undefined ? label : (axis.short?.(start, stop, before?.start) ?? label);
    const narrow = stop - start < (to - from) * 0.02;
    return el("div", { class: narrow ? "block bare" : "block", style: `--from:${share(start - from)};--long:${share(stop - start)}`, "data-chunk": segment.first },
      label && el("b", { "data-long": label, "data-short": short, "data-brief": briefOf(short, axis.moments?.[start]?.date[0]) }, label), el("i", {}, whole ? count(stop - start) : ""));
  }

  /** Of these blocks those whose labels would be cut, when all of them have labels of a kind: "long", "short" or "brief". */
  function cutWith(kind, among = list) {
    for (const { block: shape, label } of among) {
      shape.classList.remove("cut", "over");
      if (label && label.textContent !== label.dataset[kind]) label.textContent = label.dataset[kind];
    }
    return among.filter(({ block: shape }) => shape.scrollWidth > shape.clientWidth);
  }

  let turn = 0; // of the fitting of labels

  /** Shortens labels where some would be cut, and leaves out those that still are, as a part of a date is another date; where these are the most, some have room over their neighbours. */
  function trim() {
    const own = ++turn;
    let cut = cutWith("long");
    if (cut.length) cut = cutWith("short");
    if (cut.length) cut = cutWith("brief", cut.some(({ label }) => MONTHS.test(label?.dataset.short)) ? list : cut);
    for (const { block: shape } of cut) shape.classList.add("cut");
    if (cut.length <= list.length / 2 || list.some(({ label }) => !label)) return;
    import("./thinning.js").then(({ thin }) => own === turn && thin(list, (cutWith("brief"), element.clientWidth), [from, to]), () => undefined);
  }
  new ResizeObserver(() => (trim(), onResize?.())).observe(element);

  function press(event) {
    const box = element.getBoundingClientRect();
    const at = from + Math.floor(((event.clientX - box.left) / box.width) * (to - from));
    onPress(Math.min(to - 1, Math.max(from, at)));
  }
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    press(event);
  });
  element.addEventListener("pointermove", (event) => element.hasPointerCapture(event.pointerId) && press(event));

  return {
    element,
    trim,
    /** The segments drawn. */
    get segments() {
      return list.map(({ segment }) => segment);
    },
    /** Shows cells `first` to `stop` of the axis. */
    lay(first, stop) {
      [from, to] = [first, stop];
      list = segments(grid, d, stop, 400, first).map((segment, nth, all) => ({ segment, block: block(segment, all[nth - 1]) }));
      for (const one of list) one.label = one.block.querySelector("b");
      const labels = list.flatMap(({ label }) => label ?? []);
      if (labels.length > 1 && labels.every(({ dataset: { short } }) => monthOf(short))) for (const { dataset: said } of labels) said.brief = monthOf(said.short);
      blocks.replaceChildren(...list.map((each) => each.block));
      if (element.isConnected) trim();
    },
    /** Colours the chunks; `chunk` is the one that `index` lies in. Gives its state. */
    update(index, chunk, stateOf) {
      let state = "none";
      for (const one of list) {
        const { segment, block: shape } = one;
        const here = chunk >= segment.first && chunk < segment.first + segment.count;
        const many = segment.count > 1; // drawn as one, so one state can't speak for them
        const each = many && !here ? "many" : stateOf(here ? chunk : segment.first);
        if (here) state = each;
        const name = `${many ? "many" : each}${here}`;
        if (one.name === name) continue;
        one.name = name;
        shape.dataset.state = many ? "many" : each;
        shape.classList.toggle("here", here);
        shape.title = many ? `${axis.name}, ${count(segment.count)} chunks from ${count(segment.first + 1)} on` : `${axis.name}, chunk ${count(segment.first + 1)}: ${STATES[each]}`;
      }
      needle.style.setProperty("--from", share(index + 0.5 - from));
      return state;
    },
  };
}
