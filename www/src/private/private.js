// Private data: brings the box for a token where a host refuses, and the note on headers and keys where any are kept.
import { keptFor } from "./keep.js";
import { serviceOf } from "./services.js";

const REFUSED = [401, 403];

/** Whether a host may hide what it has: to who shows nothing, Azure says of private containers that they are not there (404), or not public (409). */
const mayHide = ({ name, status }, origin) => (name === "NotFoundError" || status === 409) && serviceOf(origin) === "azure" && !keptFor(origin);

/** Origin of the request that failed; undefined where the source is no address. */
function originOf({ key, from }) {
  const address = [key, from].find((text) => /^https?:/.test(text));
  return address && new URL(address).origin;
}

/** `given` is what the view of it takes, which is fetched with the first refusal. */
export function createPrivate(given) {
  let loading;
  let shown; // the store that is open
  // Without the view, as where the network fails, the error stands alone; the next one asks for it again.
  const withView = (work) => (loading ??= import("./access.js").then(({ createAccess }) => createAccess(given))).then(work, () => (loading = undefined));

  /** Shows the note of the store that is open, in place of a question. */
  function settle() {
    const { base } = shown?.place ?? {};
    const origin = base && new URL(base).origin;
    if (loading || (origin && keptFor(origin))) withView((view) => (origin ? view.show(origin) : view.hide()));
  }

  return {
    settle,
    /** An error was said: if a host refused, what to give it is asked for. */
    failed(error, kept) {
      const origin = originOf(error);
      if (origin && (REFUSED.includes(error.status) || error.refusedKeys || mayHide(error, origin))) withView((view) => view.ask(origin, error, kept));
      else settle();
    },
    /** A store is listed: its note comes, if it is another than before. */
    opened(catalog) {
      if (catalog === shown) return;
      shown = catalog;
      settle();
    },
  };
}
