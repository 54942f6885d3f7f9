// The benchmark's table: on the page, and as text for a mail or an issue.
import { el } from "../dom.js";

const CODECS = { "big-endian": "big-endian", uncompressed: "uncompressed", "blosc-lz4-shuffle": "blosc: lz4, shuffle", "blosc-zstd-bitshuffle": "blosc: zstd, bitshuffle" };
/** A bar is as long as this many times as fast, and no longer. */
const FULL = 10;
const HEADS = ["What is read", "ours", "zarrita", "times as fast"];

const digits = (value) => value.toPrecision(3);

/** Words for a row: the codec, the selection, the chunks. */
function label({ codec, edge, axes = 2, selection }) {
  const words = selection?.map((axis) => (axis?.step ? `::${axis.step}` : (axis ?? ":"))).join(", ");
  return [`${CODECS[codec] ?? codec}${words ? ` [${words}]` : ""}`, `${Array(axes).fill(edge).join(" × ")} chunks`];
}

/** A table of rows that fill one by one; `fill(nth, result)` and `text()`. */
export function createTable(root, rows) {
  const results = rows.map(() => undefined);
  const lines = rows.map((row) => {
    const [what, chunks] = label(row);
    return el("tr", {}, el("th", { scope: "row" }, what, " ", el("span", {}, chunks)), ...HEADS.slice(1).map(() => el("td", {})));
  });
  const head = el("tr", {}, HEADS.map((text, nth) => el("th", { scope: "col" }, text, nth === 1 || nth === 2 ? el("span", {}, " ms") : undefined)));
  root.replaceChildren(el("thead", {}, head), el("tbody", {}, lines));

  function mark(nth) {
    lines.forEach((line, at) => line.classList.toggle("now", at === nth));
  }

  function fill(nth, result) {
    results[nth] = result;
    const [, ...cells] = lines[nth].children;
    if (result.error) {
      cells[0].colSpan = 3;
      cells[0].className = "bad";
      cells[0].textContent = result.error;
      cells.slice(1).forEach((cell) => cell.remove());
      return;
    }
    const ratio = result.theirs / result.ours;
    [result.ours, result.theirs].forEach((ms, at) => (cells[at].textContent = digits(ms)));
    cells[2].replaceChildren(el("b", {}, digits(ratio)), el("i", { class: ratio < 1 ? "bar slower" : "bar", style: `--part: ${Math.min(1, ratio / FULL)}`, "aria-hidden": "true" }));
    Object.assign(lines[nth].dataset, { ratio });
  }

  function text(heading) {
    const table = rows.map((row, nth) => {
      const { ours, theirs, error } = results[nth] ?? {};
      const numbers = ours === undefined ? [error ?? ""] : [digits(ours), digits(theirs), digits(theirs / ours)];
      return label(row).join(", ").padEnd(46) + numbers.map((value) => value.padStart(14)).join("");
    });
    const top = "".padEnd(46) + HEADS.slice(1).map((value) => value.padStart(14)).join("");
    return [...heading, "", top, ...table, ""].join("\n");
  }

  return { mark, fill, text };
}
