// The picker of versions above the picture, and the picture of another version beside it.
import "../style/history.css";
import { el } from "../dom.js";
import { createBeside } from "./beside.js";
import { lineOf, logOf, namesOf, wordOf } from "./log.js";
import { createPicker } from "./picker.js";
import { textOf } from "./versions.js";

/**
 * `root` holds the picker, and is shown and hidden by others. `look.beside` is the version beside the picture. `openVersion(version)` opens another in its place, `remember()` brings
 * the link up to date, `repaint()` draws the first picture with another range, `lookAt(view, projection)` moves both, `onPick(index)` receives a cell of either.
 */
export function createHistoryView(root, { explorer, look, say, lookNow, lookAt, repaint, openVersion, remember, onPick }) {
  const stage = document.getElementById("stage");
  const [here, there] = [el("h2", { class: "version-here" }), el("h2", {})];
  const close = el("button", { type: "button", class: "quiet", onclick: () => choose(undefined) }, "Close");
  const heading = el("div", { class: "beside-head" }, there, close);
  const pane = el("section", { id: "beside", class: "beside", "aria-label": "Another version" }, heading);
  const body = el("div", { hidden: true }); // until what it offers is read
  root.append(body);
  const picker = createPicker(body, { onVersion: openVersion, onBeside: choose, onLog: () => read(shown.catalog, true) });
  let shown = {}; // { catalog, names, log }
  let second; // the picture beside
  let opened; // what it was opened for

  /** Reads the names and the history of a repository; of version 1 only where `isAsked`. */
  async function read(catalog, isAsked) {
    const names = await namesOf(catalog);
    const log = names || isAsked ? await logOf(catalog).catch(() => undefined) : undefined;
    if (shown.catalog !== catalog) return;
    shown = { catalog, names, log };
    draw();
  }

  function draw() {
    const { catalog, names, log } = shown;
    picker({ place: catalog.place, names, log, chosen: look.beside });
    body.hidden = false;
    head();
  }

  /** The line of the history for a version, as far as it is known, after its name. */
  function said(version = { branch: "main" }) {
    const { names, log = [] } = shown;
    const id = version.snapshot ?? names?.[version.tag ? "tags" : "branches"][version.tag ?? version.branch];
    const found = log.find((each) => each.id === id);
    return [wordOf(version), found && lineOf(found)].filter(Boolean).join(" · ");
  }

  function head() {
    if (!look.beside) return;
    here.textContent = said(explorer.catalog.place.version);
    there.textContent = said(look.beside);
  }

  function choose(version) {
    look.beside = version;
    follow();
    draw();
    remember();
    say(version ? `${wordOf(version)} is shown beside it.` : "Closed.");
  }

  /** Opens, moves or closes the picture beside. */
  function follow() {
    const { state } = explorer;
    const isWanted = Boolean(look.beside && state?.catalog.isRepository && state.dataset.kind === "numbers");
    const wanted = isWanted ? [state.catalog.place.base, textOf(look.beside), state.dataset.path].join(" ") : undefined;
    if (wanted === opened) return second?.follow();
    opened = wanted;
    stage.classList.toggle("paired", isWanted);
    if (!isWanted) {
      second?.close();
      here.remove();
      pane.remove();
      if (state) repaint();
      return undefined;
    }
    if (!pane.isConnected) {
      stage.prepend(here);
      document.getElementById("figure").after(pane);
    }
    second ??= createBeside(pane, heading, { first: explorer, lookNow, lookAt, repaint, say, onPick });
    head();
    return second.open(look.beside);
  }

  return {
    follow,
    found: (isEach = look.each) => (opened ? second.found(isEach) : undefined),
    rangeOf: (channel, isEach = look.each) => (opened ? second.rangeOf(channel, isEach) : undefined),
    /** Another store is open, or the one that was is still. */
    update(catalog) {
      if (catalog?.isRepository && catalog.group) {
        if (shown.catalog === catalog) return draw();
        shown = { catalog };
        body.hidden = true;
        read(catalog, false);
      } else {
        shown = {};
      }
      follow();
    },
  };
}
