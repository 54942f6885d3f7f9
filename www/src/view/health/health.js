// The panel on the data and their host, closed: its parts are loaded, and the host is asked, where it is opened.
import { el } from "../../dom.js";

/** `current()` gives the explorer's state; `update()` brings an open panel up to date. */
export function createHealth(root, current) {
  const body = el("div");
  const details = el("details", { ontoggle: () => update() }, el("summary", {}, "Data and host"), body);
  root.append(details);
  let panel;

  async function update() {
    if (!details.open || !current()) return;
    panel ??= import("./panel.js").then(({ createPanel }) => createPanel(body));
    const view = await panel;
    if (current()) view.update(current); // what was open may be closed by now
  }

  return { update };
}
