// Splits the text of a module in two parts. Both parts share memory, globals and tables, which the first part exports. Every function that the other part calls
// has a slot in the table of functions. The rest writes its functions to their slots. The first part calls them through
// the table, by a function that loads the rest while a slot is empty. The rest imports functions of the first part by
// their slots, which JavaScript reads from the table.
import { calledBy, formsOf, globalsOf, textOf, typeOf } from "./module-text.mjs";

// Module name of what the parts import from each other (and of the imports that stand for functions of the rest), and
// the names of the tables and the memory. Functions are named by their slots.
const [OTHER, TABLE, VALUES, MEMORY] = ["r", "T", "__wbindgen_externrefs", "memory"];
const slotName = (slot) => slot.toString(36);

const line = (text) => ({ lines: [text] });
const imported = (name, text) => line(` (import "${OTHER}" "${name}" (${text}))`);
const listed = (names) => names.map((name) => `$${name}`).join(" ");

/** A module's forms by kind, with what its exports and its table name. */
function parsed(text) {
  const forms = formsOf(text);
  const of = (kind) => forms.filter((form) => form.kind === kind);
  const imports = of("import").map(({ lines }) => ({ lines, name: /\(func \$([^\s()]+)/.exec(lines[0])?.[1] }));
  if (!imports.every(({ name }) => name)) throw new Error("the module imports something that is not a function");
  const [, table, start, elements] = /^ \(elem \S+ \(table \$(\S+)\) \(i32\.const (\d+)\) func (.*)\)$/.exec(of("elem")[0]?.lines[0]) ?? [];
  if (of("elem").length !== 1 || !elements) throw new Error("the module's table is not filled by one list of functions");
  const functions = new Map(of("func").map((form) => [form.name, form]));
  const exported = of("export").flatMap(({ lines: [text] }) => /\(func \$([^\s()]+)\)/.exec(text)?.[1] ?? []);
  return { of, imports, functions, exported, table, start: Number(start), elements: elements.split(" ").map((name) => name.slice(1)) };
}

/** The function that returns a slot, and first loads the rest where the slot is empty, and the import that does so. */
const LOAD = line(` (import "${OTHER}" "L" (func $load))`);
const READY = line(` (func $ready (param $0 i32) (result i32)
  (if (ref.is_null (table.get (local.get $0))) (then (call $load)))
  (local.get $0)
 )`);
const readySlot = (slot) => `(call $ready (i32.const ${slot}))`;

/** A function of the first part that calls one of the rest; its name is the one that the function had. */
const standIn = (name, types, slot) => {
  const count = [...types.matchAll(/\(param((?: \w+)+)\)/g)].flatMap(([, list]) => list.trim().split(" ")).length;
  const locals = Array.from({ length: count }, (_, nth) => `(local.get ${nth})`).join(" ");
  return line(` (func $${name} ${types} (call_indirect ${types} ${locals} ${readySlot(slot)}))`);
};

/** Runs of the positions of a list whose items are wanted. */
function runs(names, isWanted) {
  const found = [];
  names.forEach((name, at) => {
    if (!isWanted(name)) return;
    if (found.at(-1)?.at + found.at(-1)?.names.length === at) found.at(-1).names.push(name);
    else found.push({ at, names: [name] });
  });
  return found;
}

/**
 * Texts of both parts, where `kept` holds the names of the functions of the first. `build` is short, and differs from
 * that of any other module: parts of two builds do not link.
 */
export function split(text, kept, build) {
  const globalName = (name) => `G${build}${name.replace(/\D/g, "")}`;
  const { of, imports, functions, exported, table, start, elements } = parsed(text);
  const isMoved = (name) => functions.has(name) && !kept.has(name);
  const typeText = (name) => typeOf(functions.get(name));
  const [first, rest] = [false, true].map((moved) => [...functions.values()].filter(({ name }) => isMoved(name) === moved));
  const needs = (part) => part.flatMap((form) => [...calledBy(form)]);
  const needed = new Set([...needs(first), ...exported, ...elements]);
  const late = [...needed].filter(isMoved);
  const restNeeds = new Set(needs(rest));
  const shared = [...restNeeds].filter((name) => kept.has(name));

  // The functions of the table: first those that it had, then shared ones, and last those of the rest that the first part
  // needs. These slots are empty at first, also where the table had the function, as then a function that stands for it
  // is there.
  const filled = [...elements, ...shared.filter((name) => !elements.includes(name))];
  const all = [...filled, ...late];
  const slots = new Map(all.map((name, nth) => [name, start + nth]));
  const size = start + all.length;
  const globals = new Set(rest.flatMap((form) => [...globalsOf(form)]));
  const limits = ({ lines: [text] }) => /^ \(\w+ (\S+ .*)\)$/.exec(text)[1];
  const entries = (at, names) => line(` (elem (table $${table}) (i32.const ${at}) func ${listed(names)})`);

  const firstForms = [
    ...of("type"),
    ...imports.filter(({ name }) => needed.has(name)),
    LOAD,
    ...["global", "memory", "data"].flatMap(of),
    ...of("table").map((form) => (form.name === table ? line(` (table $${table} ${size} ${size} funcref)`) : form)),
    entries(start, filled),
    ...of("export"),
    line(` (export "${TABLE}" (table $${table}))`),
    ...[...globals].map((name) => line(` (export "${globalName(name)}" (global $${name}))`)),
    READY,
    ...late.map((name) => standIn(name, typeText(name), slots.get(name))),
    ...first,
  ];
  const global = ({ name, lines: [text] }) => imported(globalName(name), `global $${name} ${/^ \(global \S+ (\(mut \w+\)|\w+) /.exec(text)[1]}`);
  const restForms = [
    ...of("type"),
    ...imports.filter(({ name }) => restNeeds.has(name)),
    ...shared.map((name) => imported(slotName(slots.get(name)), `func $${name} ${typeText(name)}`)),
    ...of("global").filter(({ name }) => globals.has(name)).map(global),
    ...of("memory").map((form) => imported(MEMORY, `memory ${limits(form)}`)),
    ...of("table").map((form) => (form.name === table ? imported(TABLE, `table $${table} ${size} ${size} funcref`) : imported(VALUES, `table ${limits(form)}`))),
    ...runs(all, isMoved).map(({ at, names }) => entries(start + at, names)),
    ...rest,
  ];
  return { first: textOf(firstForms), rest: textOf(restForms), counts: { first: first.length, rest: rest.length, late: late.length, shared: shared.length } };
}
