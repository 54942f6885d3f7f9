// The panel on the data and their host, once it is open: facts of the array and the store, and what the host answers.
import { el } from "../../dom.js";
import { layersOf } from "./attributes.js";
import { conventionsIn } from "./declared.js";
import { factsOf } from "./facts.js";
import { answerOf, judged, sampleOf } from "./host.js";
import { reportOf } from "./report.js";
import { addressIn } from "../../model/source.js";
import { sharedAddress } from "../../private/shared.js";
import { fileName, save } from "../../take/save.js";

const STATES = { good: "good: ", lacks: "lacks: ", unknown: "not known: " };
const HOSTING = "./api/documents/Hosting.html";

function list(facts) {
  return el("dl", {}, facts.flatMap(({ name, words, state, remedy }) => [
    el("dt", {}, name),
    el("dd", { "data-state": state }, state ? el("span", { class: "visually-hidden" }, STATES[state]) : "", words, remedy ? el("code", {}, remedy) : ""),
  ]));
}

/** Fills `root`; `update(current)` shows the state that `current()` gives. */
export function createPanel(root) {
  const facts = el("div");
  const host = el("div");
  const button = (label, kind) => el("button", { type: "button", class: "quiet", onclick: () => report(kind) }, label);
  root.append(facts, host, el("p", { class: "choices" }, button("Report as text", "text"), button("Report as JSON", "json")));
  let shown; // the sample's origin
  let groups = []; // what is said of the array and its store
  let answered = []; // and of the host
  let of; // the array

  /** Saves what is said. */
  function report(kind) {
    const { catalog: { place }, dataset: { path, name } } = of;
    const address = addressIn(place, path);
    const written = reportOf({ address: address && sharedAddress(address), path, at: new Date().toISOString(), groups: [...groups, ...answered] });
    save(`${fileName(name)}-health.${kind === "text" ? "txt" : "json"}`, written[kind], kind === "text" ? "text/plain" : "application/json");
  }

  async function showHost(sample, current) {
    const { origin } = new URL(sample.url);
    if (origin === shown) return;
    shown = origin;
    answered = [];
    host.replaceChildren(el("h3", {}, `The host, ${origin}`), el("p", {}, "Asking…"));
    const answer = await answerOf(sample);
    if (shown !== origin || !current()) return;
    answered = [[`The host, ${origin}`, judged(answer)]];
    host.lastChild.replaceWith(list(answered[0][1]), el("p", {}, el("a", { href: HOSTING }, "How hosts are set up")));
  }

  return {
    update(current) {
      const state = current();
      of = state;
      groups = factsOf(state, conventionsIn(layersOf(state)));
      facts.replaceChildren(...groups.flatMap(([heading, list_]) => [el("h3", {}, heading), list(list_)]));
      const sample = sampleOf(state);
      if (!sample) {
        shown = undefined;
        answered = [];
        host.replaceChildren();
      } else if (state.step && state.step.state !== "reading") showHost(sample, current); // a chunk tells more than metadata do
    },
  };
}
