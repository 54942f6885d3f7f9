// The boxes that choose a version of a repository, and another one to show beside it.
import { el } from "../dom.js";
import { lineOf, timeOf, wordOf } from "./log.js";
import { textOf, versionOf } from "./versions.js";

const option = (value, text, selected) => el("option", { value, selected }, text);

/** Branches and tags in groups, without the names that `leave(version)` says. */
function nameOptions({ branches, tags }, chosen, leave = () => false) {
  const group = (label, kind, names) => {
    const listed = Object.keys(names).sort().map((name) => [name, textOf({ [kind]: name })]).filter(([, text]) => !leave(text));
    return listed.length ? [el("optgroup", { label }, listed.map(([name, text]) => option(text, name, text === chosen)))] : [];
  };
  return [...group("Branches", "branch", branches), ...group("Tags", "tag", tags)];
}

/** `onVersion(version)` opens one, `onBeside(version)` shows one beside it, or none; `onLog()` asks for a history that takes many requests. */
export function createPicker(root, { onVersion, onBeside, onLog }) {
  const box = (id, label, onchange) => {
    const select = el("select", { id, onchange: () => onchange(select.value) });
    return { select, label: el("label", { for: id }, el("span", {}, label), select) };
  };
  let version = {}; // that is open
  const name = box("version", "Version", (text) => onVersion(versionOf(text)));
  const snapshot = box("snapshot", "Snapshot", (id) => onVersion({ branch: version.branch, tag: version.tag, snapshot: id }));
  const beside = box("beside-of", "Beside it", (text) => onBeside(versionOf(text)));
  const more = el("button", { type: "button", class: "quiet", onclick: onLog, title: "In this version of the format it takes one request for each snapshot" }, "Read the history");
  const words = el("p", { class: "total" });
  root.append(el("div", { class: "choices" }, name.label, snapshot.label, beside.label, more), words);

  /** `names` or `log` are undefined where they are not known. */
  return ({ place, names, log, chosen }) => {
    version = place.version ?? { branch: "main" };
    const named = { branch: version.branch, tag: version.tag };
    const text = named.branch || named.tag ? textOf(named) : "";
    const known = names ?? { branches: named.branch ? { [named.branch]: "" } : {}, tags: named.tag ? { [named.tag]: "" } : {} };
    name.select.replaceChildren(...(text ? [] : [option("", wordOf(version), true)]), ...nameOptions(known, text));
    const open = log?.find(({ id }) => id === version.snapshot) ?? (version.snapshot ? undefined : log?.[0]);
    const lines = (log ?? []).map((each) => [each.id, lineOf(each)]);
    const unlisted = version.snapshot && !open ? [option(version.snapshot, wordOf(version), true)] : [];
    snapshot.select.replaceChildren(...unlisted, ...lines.map(([id, line]) => option(id, line, id === open?.id)));
    snapshot.label.hidden = !log;
    more.hidden = Boolean(log);
    const wanted = chosen ? textOf(chosen) : "";
    const others = [...nameOptions(known, wanted, (each) => each === text && !version.snapshot)];
    const older = lines.filter(([id]) => id !== open?.id).map(([id, line]) => option(id, line, id === wanted));
    beside.select.replaceChildren(option("", "nothing", !wanted), ...others, ...(older.length ? [el("optgroup", { label: "Snapshots" }, older)] : []));
    if (wanted && beside.select.value !== wanted) beside.select.append(option(wanted, wordOf(chosen), true));
    words.textContent = open ? `${open.message.trim() || "No message"}. Committed ${timeOf(open.writtenAt)} UTC as ${open.id}.` : "";
  };
}
