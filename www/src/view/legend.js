// The colour bar with its ticks and units, and the choices of how the picture looks.
import { ticks } from "d3-array";
import { el } from "../dom.js";
import { COLOUR_MAPS, colourTable } from "../model/colormap.js";
import { value } from "../model/format.js";
import { createTurn } from "./turn.js";

/** `onLook(change)` receives `{ colourMap }`, `{ chunks }`, `{ coast }`, `{ range: [low, high] }` or `{ fit: true }`; `onTurn(axes)` the axes to draw. */
export function createLegend(root, onLook, onTurn) {
  const bar = el("canvas", { class: "bar", width: 256, height: 1, "aria-hidden": "true" });
  const scale = el("div", { class: "scale" });
  const unit = el("span", { class: "unit" });
  const ramp = el("div", { class: "ramp", role: "img" }, bar, scale);
  const map = el("select", { id: "colours", onchange: () => onLook({ colourMap: map.value }) },
    Object.entries(COLOUR_MAPS).map(([name, [label]]) => el("option", { value: name }, label)));
  const limit = (id, label) => el("input", { id, type: "number", step: "any", "aria-label": label, onchange: () => setRange() });
  const low = limit("low", "Lowest value of the range");
  const high = limit("high", "Highest value of the range");
  const fit = el("button", { type: "button", class: "quiet", title: "Set the range to this picture's values", onclick: () => onLook({ fit: true }) }, "Fit");
  const toggle = (id, label, name) => {
    const box = el("input", { id, type: "checkbox", onchange: () => onLook({ [name]: box.checked }) });
    return { box, label: el("label", { for: id, class: "check" }, box, label) };
  };
  const chunks = toggle("chunks", "Chunk boundaries", "chunks");
  const coast = toggle("coast", "Coastlines", "coast");
  const colours = el("div", { class: "choice" }, el("label", { for: "colours" }, "Colours"), map);

  const axes = el("div", { class: "choice", role: "group", "aria-label": "Axes drawn" });
  const turn = createTurn(axes, onTurn);

  function setRange() {
    const range = [low, high].map((input) => Number(input.value));
    if ([low, high].every((input) => input.value !== "") && range[1] > range[0]) onLook({ range });
  }

  root.append(
    el("div", { class: "colourbar" }, ramp, unit),
    el("div", { class: "choices" }, colours,
      el("div", { class: "choice", role: "group", "aria-label": "Range of values" }, el("span", { class: "choice-label" }, "Range"), low, el("span", { "aria-hidden": "true" }, "–"), high, fit),
      axes, chunks.label, coast.label),
  );

  return {
    /** `kind` is "map", "line", "scalar" or "list"; a line has a range but no colours. */
    update(state, { range, colourMap, chunks: withChunks, coast: withCoast }, kind, isMap) {
      const { units, words } = state.dataset.decoder;
      root.hidden = kind === "scalar" || kind === "list";
      turn.update(state);
      ramp.parentElement.hidden = colours.hidden = kind !== "map";
      coast.label.hidden = !isMap;
      map.value = colourMap;
      chunks.box.checked = withChunks;
      coast.box.checked = withCoast;
      for (const [input, v] of [[low, range[0]], [high, range[1]]]) if (document.activeElement !== input) input.value = Number(v.toPrecision(6));
      const image = new ImageData(256, 1);
      const table = colourTable(colourMap);
      for (let i = 0; i < 256; i++) image.data.set([table[i * 3], table[i * 3 + 1], table[i * 3 + 2], 255], i * 4);
      bar.getContext("2d").putImageData(image, 0, 0);
      const span = range[1] - range[0] || 1;
      scale.replaceChildren(...ticks(...range, 6).map((v) => el("span", { style: `--at:${((v - range[0]) / span) * 100}%` }, value(v))));
      unit.textContent = units;
      ramp.setAttribute("aria-label", `Colours from ${words(range[0])} to ${words(range[1])}`);
    },
  };
}
