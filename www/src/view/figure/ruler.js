// A scale bar in the corner of an image whose pixels have a length. Loaded with the first of these.
import { el } from "../../dom.js";
import { value } from "../../model/format.js";

const LONGEST = 0.25; // of the picture's width

/** The greatest of 1, 2 and 5 times a power of ten that is not above `most`. */
export function roundBelow(most) {
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  return [5, 2, 1].find((times) => times * power <= most * (1 + 1e-9)) * power;
}

/** `paint(shown)` lays the bar over the plot of a picture that is drawn, or takes it away. */
export function createRuler(plot) {
  const words = el("span");
  const element = el("div", { class: "ruler", hidden: true, "aria-hidden": "true" }, words);
  plot.append(element);
  return ({ place: { xAxis, window } }, isImage) => {
    element.hidden = !isImage;
    if (!isImage) return;
    const across = window.width * Math.abs(xAxis.step);
    const long = roundBelow(across * LONGEST);
    element.style.width = `${(long / across) * 100}%`;
    words.textContent = `${value(Number(long.toPrecision(6)))} ${xAxis.coordinate.attrs.units}`;
  };
}
