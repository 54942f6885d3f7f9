// The ways to say an area: drawn on the map, typed or pasted, or from a file of GeoJSON that is picked or dropped.
import { el } from "../dom.js";
import { plural } from "../model/format.js";
import { areaOf } from "./area.js";
import { createOutline } from "./outline.js";

const MOST_BYTES = 64e6; // of a file, more than the vertices that an answer takes need

/** `plot` is the map's, of which `drawn()` says what it shows; `onArea()` hears that the area is another one, or none. */
export function createAreaChoices(plot, { drawn, say, onArea }) {
  const button = (label, onclick, more) => el("button", { type: "button", class: "quiet", onclick, ...more }, label);
  const draw = button("Draw an area", () => draw.setAttribute("aria-pressed", String(Boolean(outline.draw()))), { "aria-pressed": "false" });
  const write = button("Write an area…", () => (open(text.hidden), text.hidden || area.focus()), { "aria-expanded": "false" });
  const remove = button("Remove the area", () => take(undefined), { hidden: true });
  const said = el("span", { class: "total" });
  const area = el("textarea", { rows: 4, spellcheck: "false", "aria-label": "GeoJSON, or longitudes and latitudes", "aria-describedby": "area-problem", placeholder: "-10 40, 20 40, 5 60 (longitude and latitude in turn), or GeoJSON" });
  const problem = el("span", { class: "problem", role: "alert", id: "area-problem" });
  const picker = el("input", { type: "file", accept: ".json,.geojson,application/json,application/geo+json", "aria-label": "A file of GeoJSON", hidden: true, onchange: () => fromFile(picker.files[0]).finally(() => (picker.value = "")) });
  const text = el("div", { class: "area-text", hidden: true }, area,
    el("div", { class: "choices" }, button("Use this area", () => fromText(area.value)), button("From a file…", () => picker.click()), picker, problem));
  const element = el("div", { class: "area-choices" }, el("div", { class: "choices" }, draw, write, remove, said), text);
  const outline = createOutline(plot, { drawn, say, onArea: take, onEnd: () => draw.setAttribute("aria-pressed", "false") });
  const given = { element, area: undefined };

  function open(isOpen) {
    text.hidden = !isOpen;
    write.setAttribute("aria-expanded", String(isOpen));
  }

  function take(next) {
    given.area = next;
    outline.show(next);
    remove.hidden = !next;
    const rings = next?.geojson.coordinates.flat() ?? [];
    said.textContent = next ? `${plural(rings.reduce((n, ring) => n + ring.length - 1, 0), "corner")}${rings.length > 1 ? ` in ${plural(rings.length, "ring")}` : ""}` : "";
    onArea();
  }

  /** Takes the area that a text says, or says what is wrong with it. */
  function fromText(words) {
    try {
      const next = areaOf(words);
      problem.textContent = "";
      area.removeAttribute("aria-invalid");
      open(false);
      take(next);
    } catch ({ message }) {
      open(true);
      area.setAttribute("aria-invalid", "true");
      problem.textContent = message;
    }
  }

  async function fromFile(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      open(true);
      problem.textContent = `${file.name} has more than ${MOST_BYTES / 1e6} MB: cut it to the polygons that matter.`;
      return;
    }
    fromText(await file.text());
  }

  // A file of GeoJSON that is dropped on the page is an area; of other files the page opens stores.
  addEventListener("drop", (event) => {
    const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.(geo)?json$/i.test(name));
    if (!file || element.hidden || !element.checkVisibility()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    fromFile(file);
  }, { capture: true });

  return Object.assign(given, {
    /** Offers areas where the cells' places are known. */
    update(isPlaced) {
      element.hidden = !isPlaced;
    },
  });
}
