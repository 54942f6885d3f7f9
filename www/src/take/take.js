// Buttons for taking a view along, which are fetched once they are looked for.
import { el } from "../dom.js";

/** `given` is what the buttons take; its `current()` gives the explorer's state. */
export function createTake(root, given) {
  let loading;
  let refresh; // offers what there is of the view, once the buttons are there
  const details = el("details", { ontoggle: () => update() }, el("summary", {}, "Take it with you"));
  root.append(details);

  /** After anything that is drawn. */
  function update() {
    const state = given.current();
    root.hidden = !state || state.dataset.kind === "none" || !state.plane.selection;
    if (root.hidden || !details.open) return;
    loading ??= import("./choices.js").then(({ createChoices }) => {
      refresh = createChoices(details, given);
      update();
    }, () => {
      loading = undefined;
      given.say("The buttons could not be fetched. Close and open this to try again.");
    });
    refresh?.();
  }

  return { update };
}
