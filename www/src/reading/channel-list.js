// The list of an image's channels: which are shown, in what colour, and between which values.
import "../style/channels.css";
import { el } from "../dom.js";

/** `onToggle()` when another set of channels is shown, `onRepaint()` when only their colours or windows changed. */
export function createChannelList(root, { onToggle, onRepaint }) {
  let composite;
  let rows = [];

  function rowOf(one) {
    const { label, colour, channel } = one;
    const on = el("input", { type: "checkbox", id: `channel-${channel}`, onchange: () => {
      one.on = on.checked;
      onToggle();
    } });
    const swatch = el("input", { type: "color", value: colour, "aria-label": `Colour of ${label}`, oninput: () => {
      one.colour = swatch.value;
      onRepaint();
    } });
    const limit = (end) => el("input", { type: "number", step: "any", "aria-label": `${["Lowest", "Highest"][end]} value of ${label}`, onchange: () => setWindow() });
    const limits = [limit(0), limit(1)];
    function setWindow() {
      const window = limits.map(({ value }) => Number(value));
      if (limits.some(({ value }) => value === "") || window[0] >= window[1]) return;
      one.window = window;
      onRepaint();
    }
    const element = el("li", {}, el("label", { class: "check", for: `channel-${channel}` }, on, label), swatch, limits[0], el("span", { "aria-hidden": "true" }, "–"), limits[1]);
    return { element, one, on, limits };
  }

  return {
    update(next, { channels }) {
      if (composite !== next) {
        composite = next;
        rows = next.channels.map(rowOf);
        root.replaceChildren(el("ul", { "aria-label": "Channels" }, rows.map(({ element }) => element)));
      }
      const isLast = next.shown().length === 1; // which stays, as a picture needs one
      for (const { one, on, limits } of rows) {
        on.checked = one.on;
        on.disabled = one.on && isLast;
        const range = one.window ?? channels.find(({ channel }) => channel === one.channel)?.range;
        limits.forEach((input, end) => document.activeElement !== input && (input.value = range ? Number(range[end].toPrecision(6)) : ""));
      }
    },
  };
}
