// Lists what each step fetched, newest first; steps that fetched nothing share one row.
import { el } from "../../dom.js";
import { bytes, count, duration, plural } from "../../model/format.js";

const MOST_ROWS = 60;
const MOST_REQUESTS = 100;

export function createLedgerView(root) {
  const total = el("p", { class: "total" });
  const rows = el("ol", { class: "steps", reversed: true });
  root.append(el("h2", {}, "What each step fetched"), total, rows);
  let top; // the newest row: { element, steps }

  const sum = (step) => step.requests.reduce((n, { bytes: size }) => n + (size ?? 0), 0);

  function request({ key, range, status, bytes: size, ms }) {
    const part = range ? ` [${range[0]}–${range[1]}]` : "";
    const answer = status === 404 ? "404, not stored" : (status ?? (size === undefined ? "not stored" : "read"));
    return el("tr", {}, el("th", { scope: "row" }, key + part), el("td", {}, String(answer)), el("td", {}, size === undefined ? "" : bytes(size)), el("td", {}, ms === undefined ? "" : duration(ms)));
  }

  /** Built only where a row is opened. */
  function list(requests) {
    const head = el("tr", {}, ["Key", "Status", "Bytes", "Time"].map((text) => el("th", { scope: "col" }, text)));
    const more = requests.length > MOST_REQUESTS ? el("caption", {}, `The first ${count(MOST_REQUESTS)} of ${count(requests.length)}`) : "";
    return el("table", {}, more, el("thead", {}, head), el("tbody", {}, requests.slice(0, MOST_REQUESTS).map(request)));
  }

  function fill({ element, steps }) {
    const [first, last] = [steps[0], steps.at(-1)];
    const label = el("b", {}, steps.length > 1 ? `${first.label} … ${last.label}` : last.label);
    if (!last.requests.length) {
      const what = last.state === "failed" ? "could not be read" : steps.length > 1 ? `${count(steps.length)} steps, all from cache` : "from cache";
      element.replaceChildren(el("div", { class: "row" }, label, el("span", {}, what)));
      return;
    }
    const what = last.touched.size ? `${count(last.wanted.size)} of ${plural(last.touched.size, "chunk")}` : plural(last.requests.length, "request");
    const how = [what, bytes(sum(last)), duration(last.ms), last.state === "left" && "left early", last.state === "failed" && "failed"].filter(Boolean).join(" · ");
    const table = el("div", { class: "scroll" });
    const details = el("details", { open: element.querySelector("details")?.open, ontoggle: () => table.childElementCount || table.append(list(last.requests)) },
      el("summary", { class: "row" }, label, el("span", {}, how)), table);
    element.replaceChildren(details);
    element.classList.add("fetched");
  }

  return {
    clear() {
      rows.replaceChildren();
      top = undefined;
    },
    /** A step has ended; `ledger` gives the totals. */
    add(step, ledger) {
      total.replaceChildren(el("b", {}, bytes(ledger.total.bytes)), ` in ${plural(ledger.total.requests, "request")} so far`);
      if (!step.requests.length && (step.state === "left" || !step.touched.size)) return;
      if (step.isBeside) { // below the steps, which come the latest first
        const element = el("li");
        rows.append(element);
        return fill({ element, steps: [step] });
      }
      const quiet = !step.requests.length && step.state === "done";
      if (quiet && top?.quiet) top.steps.push(step);
      else {
        top = { element: el("li"), steps: [step], quiet };
        rows.prepend(top.element);
        if (rows.children.length > MOST_ROWS) rows.lastElementChild.remove();
      }
      fill(top);
    },
  };
}
