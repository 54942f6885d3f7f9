// The versions of a repository: brings the picker and the second picture where a store has a history.
import { el } from "../dom.js";

/** `given` is what the view takes, which is fetched with the first repository. */
export function createHistory(given) {
  const root = el("section", { class: "history", "aria-label": "Versions", hidden: true });
  document.querySelector(".intro").append(root);
  let loading;
  let view;
  let last;

  return {
    /** The store that is open, or a failure to open another version of it; nothing where none is open. */
    update(catalog) {
      last = catalog;
      if (!catalog?.isRepository && !loading) return;
      root.hidden = !catalog?.isRepository; // room for the picker, so that nothing moves when it comes
      loading ??= import("./view.js").then(({ createHistoryView }) => (view = createHistoryView(root, given)));
      // Without the view, as where the network fails, there is no picker; the next store asks for it again.
      loading.then(() => last === catalog && view.update(catalog), () => {
        loading = undefined;
        root.hidden = true;
      });
    },
    /** The picture is another, or of another place, or in other colours: that beside it follows. */
    follow: () => view?.follow(),
    /** The range of values beside the picture, of all steps that were drawn unless each has its own. */
    found: () => view?.found(),
    /** That of a channel beside the picture. */
    rangeOf: (channel) => view?.rangeOf(channel),
    /** For a link, both, and the ranges of the step alone. */
    beside: () => ({ range: view?.found(), own: view?.found(true), rangeOf: (channel) => view?.rangeOf(channel), ownOf: (channel) => view?.rangeOf(channel, true) }),
  };
}
