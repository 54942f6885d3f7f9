// The colour bar with its ticks and units, or the names of flags, and the choices of how the picture looks.
import { el } from "../dom.js";
import { isEmbedded } from "../embed/mode.js";
import { COLOUR_MAPS, REVERSED, colourTable, colouring, isDiverging } from "../model/colormap.js";
import { count } from "../model/format.js";
import { boundsOf, rounded } from "../reading/range.js";
import { partOf, scaleOf, ticksOf } from "../reading/scale.js";
import { PROJECTIONS } from "../earth/projection.js";
import { createTurn } from "./axes/turn.js";

const MOST_FLAGS = 60;

/** An end of a range to edit: whole numbers in full. */
const edited = (v, range) => (Number.isSafeInteger(v) ? v : rounded(v, range));

/** The flags of a picture, each with its colour. */
function flagList(look) {
  const { table, entry } = colouring(look);
  const more = look.flags.size - MOST_FLAGS;
  const named = [...look.flags].slice(0, MOST_FLAGS).map(([flag, name]) => {
    const from = entry(flag) * 3;
    return el("li", {}, el("i", { style: `background:rgb(${table.slice(from, from + 3).join(" ")})`, "aria-hidden": "true" }), name || String(flag));
  });
  return more > 0 ? [...named, el("li", {}, `and ${count(more)} more`)] : named;
}

/** The name of a channel, with its colour. */
const channelName = ({ label, colourMap }) => el("li", {}, el("i", { style: `background:${colourMap.slice(0, 7)}`, "aria-hidden": "true" }), label);

/**
 * The colour bar goes into `beside`, the rest into `root`. `onLook(change)` receives `{ colourMap }`, `{ each }`, `{ chunks }`, `{ coast }`, `{ graticule }`, `{ range: [low, high] }`, `{ fit: true }`,
 * `{ robust: true }` or `{ lock: boolean }`; `onTurn(axes)` the axes to draw.
 */
export function createLegend(root, beside, onLook, onTurn) {
  const bar = el("canvas", { class: "bar", width: 256, height: 1, "aria-hidden": "true" });
  const scale = el("div", { class: "scale" });
  const unit = el("span", { class: "unit" });
  const flagNames = el("ul", { class: "flags", "aria-label": "Colours of the values" });
  const empty = el("p", { class: "no-data" });
  const ramp = el("div", { class: "ramp", role: "img" }, bar, scale);
  const map = el("select", { id: "colours", onchange: () => chooseMap(), onmousedown: (event) => event.preventDefault(), onclick: (event) => showSwatches(event), onkeydown: (event) => opensList(event) && showSwatches(event) },
    Object.entries(COLOUR_MAPS).map(([name, [label]]) => el("option", { value: name }, label)));
  const reversed = el("input", { id: "reversed", type: "checkbox", onchange: () => chooseMap() });
  const chooseMap = () => onLook({ colourMap: map.value + (reversed.checked ? REVERSED : "") });
  const opensList = ({ key, altKey }) => [" ", "Enter", altKey && "ArrowDown"].includes(key);
  let swatches; // the list with a picture of each map, loaded where it is asked for

  function showSwatches(event) {
    event.preventDefault(); // the browser's own list, which has names alone and stands in where the page is offline
    swatches ??= import("./swatches.js").then(({ createSwatches }) => createSwatches(map, reversed));
    swatches.then((open) => open(), () => ((swatches = undefined), map.showPicker?.()));
  }

  const limit = (id, label) => el("input", { id, type: "number", step: "any", "aria-label": label, "aria-describedby": "range-problem", onchange: () => setRange() });
  const low = limit("low", "Lowest value of the range");
  const high = limit("high", "Highest value of the range");
  const fit = el("button", { type: "button", class: "quiet", title: "Set the range to this picture's values", onclick: () => onLook({ fit: true }) }, "Fit");
  const robust = el("button", { type: "button", class: "quiet", title: "Set the range that all but the least and greatest 2 % of this picture's values lie in", onclick: () => onLook({ robust: true }) }, "2–98 %");
  const toggle = (id, label, name) => {
    const box = el("input", { id, type: "checkbox", onchange: () => onLook({ [name]: box.checked }) });
    return { box, label: el("label", { for: id, class: "check" }, box, label) };
  };
  const lock = el("input", { id: "lock", type: "checkbox", onchange: () => onLook({ lock: lock.checked }) });
  const each = toggle("each", "Each step its own", "each");
  each.label.title = "Each step has the range of its own values; else steps have one together, which widens as they come";
  const chunks = toggle("chunks", "Storage", "chunks");
  chunks.label.title = "The chunks: their boundaries and lengths, how they stand, and what each step fetched (key s)";
  const coast = toggle("coast", "Coastlines", "coast");
  const graticule = toggle("graticule", "Graticule", "graticule");
  const projection = el("select", { id: "projection", onchange: () => onLook({ projection: projection.value ? { kind: projection.value } : undefined }) },
    Object.entries({ "": "As stored", ...PROJECTIONS }).map(([value, label]) => el("option", { value }, label)));
  const projections = el("div", { class: "choice" }, el("label", { for: "projection" }, "Projection"), projection);
  const colours = el("div", { class: "choice" }, el("label", { for: "colours" }, "Colours"), map, el("label", { for: "reversed", class: "check" }, reversed, "Reversed"));

  const axes = el("div", { class: "choice", role: "group", "aria-label": "Axes drawn" });
  const turn = createTurn(axes, onTurn);

  const problem = el("span", { class: "problem", role: "alert", id: "range-problem" });

  /** Sets the range that the boxes say, or says what is wrong with it. */
  function setRange() {
    const range = [low, high].map((input) => Number(input.value));
    const faulty = [low, high].filter((input) => input.value === "");
    const isTurned = !faulty.length && !(range[1] > range[0]);
    problem.textContent = faulty.length ? "Write a number in each of the two." : isTurned ? "The lower end has to be below the upper one." : "";
    for (const input of [low, high]) input.setAttribute("aria-invalid", String(isTurned || faulty.includes(input)));
    if (!problem.textContent) onLook({ range });
  }

  /** Shows the ends of a range, but in a box that is written in; what was wrong is gone with it. */
  function showRange(range, isEmpty) {
    const shown = [low, high];
    if (problem.textContent && shown.includes(document.activeElement)) return;
    problem.textContent = "";
    for (const [i, input] of shown.entries()) {
      input.removeAttribute("aria-invalid");
      if (document.activeElement === input) continue;
      input.value = isEmpty ? "" : edited(range[i], range);
      input.style.width = input.value.length > 8 ? `${input.value.length + 3}ch` : "";
    }
  }

  const between = el("span", {});
  const limits = el("div", { class: "choice", role: "group", "aria-label": "Range of values" }, el("span", { class: "choice-label" }, "Range"), low, between, high, fit, robust,
    el("label", { for: "lock", class: "check", title: "Keep this range for every picture" }, lock, "Keep"), each.label, problem);
  const colourBar = el("div", { class: "colourbar" }, unit, ramp);
  const group = (...parts) => el("div", { class: "group" }, parts);
  const groups = { colours: group(colours), range: group(limits), axes: group(axes), picture: group(projections, coast.label, graticule.label, chunks.label) };
  beside.append(colourBar);
  root.append(flagNames, empty, el("div", { class: "choices" }, Object.values(groups)));

  let painted; // the map that the bar shows

  function paintBar(name) {
    painted = name;
    const image = new ImageData(256, 1);
    const table = colourTable(name);
    for (let i = 0; i < 256; i++) image.data.set([table[i * 3], table[i * 3 + 1], table[i * 3 + 2], 255], i * 4);
    bar.getContext("2d").putImageData(image, 0, 0);
  }

  return {
    /** The elements that hold the choices of a kind: `colours`, `range`, `axes` and `picture`. */
    groups,
    /** `kind` is "map", "line", "scalar" or "list"; a line has a range but no colours, flags and channels have colours but no range. */
    update(state, look, kind, earth) {
      const isOnEarth = Boolean(earth);
      const { range, isEmpty, colourMap, flags, channels } = look;
      const isNamed = look.isNamed || Boolean(channels);
      const { units, words: own, ticks: times } = state.dataset.decoder;
      const words = look.words ?? own;
      root.hidden = kind === "scalar" || kind === "list";
      turn.update(state);
      colourBar.hidden = kind !== "map" || isNamed || isEmpty;
      colours.hidden = kind !== "map" || isNamed;
      flagNames.hidden = kind !== "map" || !(flags || (channels && isEmbedded)); // the whole page has a list to change
      const isUnstored = !isEmpty && !state.against && state.ledger.isNowhere(state.plane, state.step);
      empty.hidden = !(isEmpty || isUnstored) || state.step?.state !== "done";
      empty.textContent = isUnstored ? `Nothing is stored for this picture: each cell has the fill value, ${words(state.found[0])}.` : "No data in this picture";
      limits.hidden = kind === "map" && isNamed;
      coast.label.hidden = graticule.label.hidden = !isOnEarth;
      for (const option of map.options) option.disabled = Boolean(look.difference) && !isDiverging(option.value);
      map.value = colourMap.replace(/-r$/, "");
      reversed.checked = colourMap.endsWith(REVERSED);
      chunks.box.checked = look.chunks;
      projections.hidden = !earth?.isStraight;
      projection.value = look.projection?.kind ?? "";
      coast.box.checked = look.coast;
      graticule.box.checked = Boolean(look.graticule);
      lock.checked = Boolean(state.userRange);
      each.box.checked = Boolean(look.each) && !state.userRange;
      each.label.hidden = Boolean(boundsOf(state)) || state.axes.length === state.dataset.shape.length;
      lock.disabled = fit.disabled = robust.disabled = isEmpty;
      showRange(range, isEmpty);
      low.hidden = high.hidden = Boolean(times); // dates are said, not written
      between.textContent = times && !isEmpty ? range.map(words).join(" – ") : "–";
      if (!flagNames.hidden) flagNames.replaceChildren(...(flags ? flagList(look) : channels.map(channelName)));
      if (colourBar.hidden) return;
      if (colourMap !== painted) paintBar(colourMap);
      const along = scaleOf(look);
      const marks = times?.([along.low, along.high], 4).map(({ v, label }) => ({ part: partOf(along, v), label })) ?? ticksOf(along);
      scale.replaceChildren(...marks.map(({ part, label }) => el("span", { style: `--at:${part * 100}%` }, label)));
      unit.textContent = look.difference ? `Δ ${units}` : units;
      ramp.setAttribute("aria-label", `Colours from ${words(along.low)} to ${words(along.high)}${along.kind === "linear" ? "" : ", logarithmic"}`);
    },
  };
}
