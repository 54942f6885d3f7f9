// The list of colour maps with a picture of each, which opens in place of a browser's own list of their names.
import "../style/swatches.css";
import { el } from "../dom.js";
import { COLOUR_MAPS, REVERSED, colourTable, isDiverging, loadColours } from "../model/colormap.js";

const GROUPS = { "One way": (name) => !isDiverging(name) && name !== "phase", "Diverging, with a middle": isDiverging, "Cyclic, for directions": (name) => name === "phase" };
const TYPING = 700; // ms between two letters of one word

/** A picture of a map, 256 colours side by side. */
function pictureOf(name) {
  if (!COLOUR_MAPS[name.replace(/-r$/, "")][1]) return el("span"); // its colours could not be loaded
  const canvas = el("canvas", { width: 256, height: 1, "aria-hidden": "true" });
  const image = new ImageData(256, 1);
  const table = colourTable(name);
  for (let i = 0; i < 256; i++) image.data.set([table[i * 3], table[i * 3 + 1], table[i * 3 + 2], 255], i * 4);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** The list of a `select` whose options are the maps, the other way round while the box `reversed` is checked; gives what opens it. */
export function createSwatches(select, reversed) {
  const list = el("div", { class: "swatches", role: "listbox", id: "swatches", "aria-label": "Colours", popover: "auto" });
  select.after(list);
  let typed; // the letters of a name, and when the last of them came
  let wasOpen = false; // as the choice was pressed, which closes it

  select.addEventListener("pointerdown", () => (wasOpen = list.matches(":popover-open")));

  const options = () => [...list.querySelectorAll('[role="option"]:not([aria-disabled="true"])')];

  function choose(option) {
    list.hidePopover();
    select.focus();
    if (option.dataset.name === select.value) return;
    select.value = option.dataset.name;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function optionOf(name) {
    const [label] = COLOUR_MAPS[name];
    const { disabled } = select.querySelector(`[value="${name}"]`);
    const option = el("div", { role: "option", tabindex: "-1", "data-name": name, "aria-selected": String(name === select.value), "aria-disabled": disabled ? "true" : undefined }, pictureOf(name + (reversed.checked ? REVERSED : "")), el("span", {}, label.replace(/, (diverging|cyclic)$/, "")));
    if (!disabled) option.addEventListener("click", () => choose(option));
    return option;
  }

  function fill() {
    list.replaceChildren(...Object.entries(GROUPS).map(([title, isIn], nth) =>
      el("div", { role: "group", "aria-labelledby": `swatches-${nth}` }, el("div", { class: "swatches-title", id: `swatches-${nth}`, role: "presentation" }, title), Object.keys(COLOUR_MAPS).filter(isIn).map(optionOf))));
  }

  /** Below the choice, or above it where there is more room. */
  function lay() {
    const { left, top, bottom } = select.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const isBelow = clientHeight - bottom > Math.min(320, top);
    const room = (isBelow ? clientHeight - bottom : top) - 12;
    list.style.cssText = `left:${Math.max(8, Math.min(left, clientWidth - list.offsetWidth - 8))}px;max-height:${room}px;${isBelow ? `top:${bottom + 4}px` : `bottom:${clientHeight - top + 4}px`}`;
  }

  /** Leads to an option, which is the one that the tab key comes to. */
  function focus(option) {
    if (!option) return;
    for (const each of options()) each.tabIndex = each === option ? 0 : -1;
    option.focus();
  }

  list.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1, PageDown: at + 8, PageUp: at - 8 };
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key in moves) focus(all[Math.min(all.length - 1, Math.max(0, moves[event.key]))]);
    else if (event.key === "Enter" || event.key === " ") at >= 0 && choose(all[at]);
    else if (event.key === "Escape" || event.key === "Tab") (list.hidePopover(), select.focus());
    else if (isLetter) {
      typed = { text: (event.timeStamp - typed.at < TYPING ? typed.text : "") + event.key.toLowerCase(), at: event.timeStamp };
      const from = typed.text.length > 1 ? Math.max(0, at) : at + 1;
      focus([...all.slice(from), ...all.slice(0, from)].find((option) => option.textContent.toLowerCase().startsWith(typed.text)));
    } else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  });
  for (const name of ["scroll", "resize"]) addEventListener(name, (event) => list.matches(":popover-open") && !list.contains(event.target) && lay(), { passive: true, capture: true });

  return async function open() {
    const isClosing = wasOpen;
    wasOpen = false;
    if (isClosing) return;
    typed = { text: "", at: -Infinity };
    await loadColours("thermal")?.catch(() => undefined); // cmocean's, which a page that is offline by then lists without colours
    fill();
    list.showPopover();
    lay();
    const chosen = list.querySelector('[aria-selected="true"]') ?? options()[0];
    chosen.scrollIntoView({ block: "nearest" });
    focus(chosen);
  };
}
