// Buttons for what a visitor can take along of a view: its link, the code that reads it, its values and pictures as files.
import { el } from "../dom.js";
import { valuesOf } from "../map/scene.js";
import { embedOf } from "./embed-code.js";
import { aboutOf, chartCsvOf, commentsOf, csvOf, npyOf } from "./files.js";
import { geotiffOf, gridOf } from "./geotiff.js";
import { javascriptOf } from "./javascript.js";
import { netcdfOf } from "./netcdf.js";
import { pythonOf } from "./python.js";
import { fileName, save } from "./save.js";

/** `current()` gives the explorer's state, `looks()` how its channels look, `say(text)` speaks to screen readers, `link()` brings the address up to date, `seek(axis, at)` goes to a position of an axis, and `look` holds the choices of how pictures look. */
export function createChoices(root, { current, looks, say, link, seek, look }) {
  const area = el("textarea", { id: "code", readonly: true, rows: 7, spellcheck: "false", "aria-label": "Code for this view", hidden: true });
  const button = (label, action, title) => el("button", { type: "button", class: "quiet", title, onclick: action }, label);

  /** Puts text on the clipboard, or where it may not, in the box, selected. */
  async function copy(text, what) {
    area.value = text;
    try {
      await navigator.clipboard.writeText(text);
      say(`${what} copied.`);
    } catch {
      area.hidden = false;
      area.select();
      say(`${what} selected below: copy it from there.`); // pages without https, and readers who forbid it
    }
  }

  function show(text) {
    area.value = text;
    area.hidden = false;
    return copy(text, "Code");
  }

  /** The state that is drawn, once it is known where its cells lie, which files say. */
  async function placed() {
    const state = current();
    await state.dataset.located;
    return current() === state ? state : placed();
  }

  const ownName = (ending) => `${fileName([current().dataset.name, current().against?.name].filter(Boolean).join("-less-"))}${ending}`;
  const drawn = () => ({ ...current(), looks: looks() });
  /** The dataset of a state under the name of what is drawn of it. */
  function named({ dataset, against }) {
    if (!against) return dataset;
    return { ...dataset, name: `${dataset.name} less ${against.name}`, decoder: { ...dataset.decoder, isPacked: dataset.decoder.isPacked || against.dataset.decoder.isPacked } };
  }

  const linkButton = button("Copy link", () => (link(), copy(location.href, "Link")));
  const javascript = button("JavaScript", () => show(javascriptOf(drawn())), "Code that reads this view with rectilinear-zarr");
  const python = button("Python", () => show(pythonOf(drawn())), "Code that reads this view with xarray or zarr-python, and of a repository with icechunk");
  const saveTable = async () => {
    const state = await placed();
    save(ownName(".csv"), commentsOf(state) + csvOf(named(state), state.plane, valuesOf(state), state.dataset.decoder.isTimes), "text/csv");
  };
  const table = button("Values as CSV", saveTable);
  const npy = button("Values as .npy", () => save(ownName(".npy"), npyOf(current().plane, valuesOf(current()))));
  const saveGeotiff = () => {
    const { dataset, plane } = current();
    const { title, where, less, source } = aboutOf(current());
    save(ownName(".tif"), geotiffOf(dataset, plane, valuesOf(current()), [title, where, less, source].filter(Boolean).join("; ")));
  };
  const saveNetcdf = async () => {
    const state = await placed();
    const { title, where, less, source, note } = aboutOf(state);
    const about = { Conventions: "CF-1.8", title: [title, where, less].filter(Boolean).join(", "), source, comment: note };
    try {
      save(ownName(".nc"), await netcdfOf(state, valuesOf(state), about));
    } catch ({ message }) {
      say(`The file could not be made: ${message}`);
    }
  };
  const netcdf = button("Values as NetCDF", saveNetcdf, "NetCDF-3, with coordinates and attributes");
  const geotiff = button("Values as GeoTIFF", saveGeotiff, "One band, north up");
  const line = button("Line as CSV", () => placed().then(saveLines));

  /** Saves the lines that are charted, those along each axis in a file. */
  function saveLines(state) {
    const { series: { charts } } = state;
    const dataset = named(state);
    for (const { axis, lines, shown = lines } of charts) {
      const chart = { axis, lines: shown }; // as far as they are in view
      const along = charts.length > 1 ? `-${dataset.axes[axis].name}` : "";
      save(ownName(`-line${along}.csv`), commentsOf({ ...state, plane: chart.lines[0].plane }, chart.lines.length > 1 ? { where: "" } : {}) + chartCsvOf(dataset, chart, dataset.decoder.isTimes), "text/csv");
    }
  }

  const width = el("input", { type: "number", id: "picture-width", min: 200, max: 16_000, step: 1, placeholder: "as shown" });
  const sized = el("label", { class: "sized" }, "Pictures in a width of ", width, " pixels");
  const drawing = async (ending, what) => {
    if (!width.checkValidity()) return width.reportValidity();
    try {
      const pictures = await import("./pictures.js"); // a file of its own, which few take
      save(ownName(ending), await pictures[what](Number(width.value) || undefined));
      say("Picture saved.");
    } catch ({ message }) {
      say(`The picture could not be made: ${message}`);
    }
  };
  const embed = button("Embed", () => (link(), show(embedOf(location.href, current().dataset.title))), "An iframe of this view for another page");
  const picture = button("Picture as PNG", () => drawing(".png", "pngOfPicture"), "The picture with its title, axes and colours");
  const vectors = button("Picture as SVG", () => drawing(".svg", "svgOfPicture"), "The picture embedded, with axes, coast and words as lines and text");
  const chart = button("Line as PNG", () => drawing("-line.png", "pngOfLine"));
  const chartVectors = button("Line as SVG", () => drawing("-line.svg", "svgOfLine"));
  let films; // what a film is to show, loaded where one is asked for
  const film = button("Film…", () => films ??= import("./film-choices.js").then(({ createFilmChoices }) => {
    const asked = createFilmChoices({ current, seek, look, ownName, say, width: () => (width.reportValidity() ? Number(width.value) || undefined : null) });
    sized.after(asked.element);
    films = asked;
    update();
  }).catch(() => {
    films = undefined;
    say("The choices of a film could not be fetched. Try again.");
  }), "The steps as a film, a WebM file");
  const choices = [linkButton, embed, javascript, python, picture, vectors, film, table, npy, netcdf, geotiff, line, chart, chartVectors];
  root.append(el("div", { class: "choices" }, choices), sized, area);

  /** After anything that is drawn: offers what there is of it. */
  function update() {
    const state = drawn();
    const isAt = Boolean(state.catalog.place.base);
    const isRead = state.step?.state === "done" && (state.plane.isMap || state.values.length > 0);
    const { join } = state.plane;
    const hasCode = isAt && (!join || isRead); // windows of channels are those of the values that were read
    linkButton.hidden = embed.hidden = !isAt;
    javascript.hidden = !hasCode;
    python.hidden = !hasCode || !pythonOf(state);
    table.hidden = !isRead || join === "channels"; // a file has one plane
    npy.hidden = table.hidden || state.dataset.kind !== "numbers" || state.dataset.decoder.isTimes;
    netcdf.hidden = npy.hidden;
    geotiff.hidden = netcdf.hidden || state.dataset.kind !== "numbers" || !gridOf(state.dataset, state.plane);
    picture.hidden = vectors.hidden = !isRead || state.dataset.kind !== "numbers" || state.plane.shown.length === 0;
    sized.hidden = picture.hidden && (!state.series || state.dataset.kind !== "numbers");
    line.hidden = chart.hidden = chartVectors.hidden = !state.series || state.dataset.kind !== "numbers";
    area.hidden = true; // it was of another view
    film.hidden = picture.hidden || state.axes.length === state.dataset.shape.length;
    if (films?.element) films.element.hidden = !films.update() || picture.hidden;
  }

  return update;
}
