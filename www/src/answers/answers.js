// The panel of means and extremes, closed: its parts are loaded where it is opened.
import { el } from "../dom.js";

/** `current()` gives the explorer's state, `drawn()` what its picture shows; `update()` brings an open panel up to date. */
export function createAnswers(root, { current, drawn, say }) {
  const body = el("div");
  const details = el("details", { ontoggle: () => update() }, el("summary", {}, "Means and extremes"), body);
  root.append(details);
  let panel;

  async function update() {
    if (!details.open || !current()?.plane) return;
    panel ??= import("./panel.js").then(({ createPanel }) => createPanel(body, { drawn, say }));
    const view = await panel.catch(() => (panel = undefined)); // a page that is offline by then has none
    if (current()) view?.update(current);
  }

  return { update };
}
