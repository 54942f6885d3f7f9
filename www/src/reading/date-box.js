// A box for a date along a long time axis, in the axis's own calendar: it goes to the step that is the nearest.
import "../style/dates.css";
import { el } from "../dom.js";

const GREGORIAN = /^(standard|gregorian|proleptic_gregorian)?$/i;

/** A date as people write it, in ISO 8601: blanks before a time become a T, and "5/3/2024" is nothing that is understood. */
const isoOf = (text) => text.trim().replace(/^([+-]?\d+(?:-\d+){0,2})\s+(?=\d)/, "$1T");

/** `onSeek(index)` when the nearest step to a date is known. */
export function createDateBox(dataset, d, onSeek) {
  const axis = dataset.axes[d];
  const { labels, attrs } = axis.coordinate;
  const known = labels.filter(Boolean).map((label) => label.slice(0, 10));
  const id = `date-${d}`;
  const problem = el("span", { class: "problem", role: "alert", id: `${id}-problem` });
  const text = el("input", { id, type: "text", class: "date", autocomplete: "off", spellcheck: "false", placeholder: known[0], "aria-describedby": `${id}-problem`, oninput: () => show("") });
  const picker = el("input", { type: "date", class: "picker", tabindex: "-1", "aria-hidden": "true", min: known[0], max: known.at(-1), onchange: () => picker.value && go(picker.value) });
  const pick = el("button", { type: "button", class: "quiet", onclick: () => picker.showPicker() }, "Pick…");
  pick.hidden = picker.hidden = !GREGORIAN.test(attrs.calendar ?? "") || !("showPicker" in picker);
  let asked = 0;

  function show(message, isWrong = Boolean(message)) {
    problem.textContent = message;
    text.setAttribute("aria-invalid", String(isWrong));
  }

  /** What there is to say of a date that the axis does not reach. */
  function beyond(date, at) {
    const iso = isoOf(date);
    const [first, last] = [labels[0], labels.at(-1)].sort();
    const side = iso < first?.slice(0, iso.length) ? "before the first" : iso > last?.slice(0, iso.length) ? "after the last" : "";
    return side && `${date.trim()} is ${side} step; this is ${axis.say(at)}.`;
  }

  async function go(date) {
    const mine = ++asked;
    show("");
    try {
      const at = await dataset.stepAt(d, isoOf(date));
      if (mine !== asked) return;
      onSeek(at);
      show(beyond(date, at), false);
    } catch (error) {
      if (mine !== asked || error.name === "FreedError") return;
      const calendar = GREGORIAN.test(attrs.calendar ?? "") ? "" : ` of the calendar ${attrs.calendar}`;
      show(error.name === "SelectionError" ? `“${date}” is no date${calendar}: write one as ${known[0]}.` : error.message);
    }
  }

  const submit = (event) => {
    event.preventDefault();
    if (text.value.trim()) go(text.value);
  };
  return el("form", { class: "date-box", novalidate: true, onsubmit: submit }, el("label", { for: id }, "Go to"), text, picker, pick, problem);
}
