// What the page shows of how the data are stored and fetched: kept as steps end, and drawn once somebody asks for it.
const KEPT = 400; // steps that are listed where the list is first shown after them

/** `map` and `ledger` are the elements that get the chunks of the picture and what each step fetched. */
export function createStorage(map, ledger) {
  let ended = []; // steps of the array that is open, with their ledger, that no list shows yet
  let panel; // of the loaded parts
  let loading;
  let latest; // the state to show
  let isShown = false;

  function show() {
    if (!panel) {
      // A page that is offline by then asks again at the next step.
      loading ??= import("./panel.js").then(({ createPanel }) => ((panel = createPanel(map, ledger)), show()), () => (loading = undefined));
      return;
    }
    for (const step of ended.splice(0)) panel.add(...step);
    if (latest) panel.update(latest);
  }

  return {
    /** Another array is open: nothing of it was fetched yet. */
    clear() {
      ended = [];
      latest = undefined;
      panel?.clear();
    },
    /** A step has ended; `book` is its ledger, which gives the totals. */
    add(step, book) {
      ended.push([step, book]);
      if (ended.length > KEPT) ended.shift();
      if (isShown) show();
    },
    /** Brings what is shown up to date, or hides it. */
    update(state, isOpen) {
      latest = state;
      isShown = isOpen;
      if (isShown) show();
    },
  };
}
