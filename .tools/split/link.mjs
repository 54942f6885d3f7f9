// Splits the text of a module in parts, which share memory, globals and tables that the first part exports.
//
// The table of functions has a slot for each function that another part calls. The first part fills the slots of its own
// functions; each later part writes its functions to their slots when it is instantiated, and imports functions of the
// first part by their slots, which JavaScript reads from the table. A part calls a function of a later part through the
// table, by a stand-in that first loads that part while the slot is empty.
import { calledBy, formsOf, globalsOf, textOf, typeOf } from "./module-text.mjs";

// Module name of what the parts import from each other (and of the function that loads a part), and the names of the
// tables and the memory. Functions are named by their slots.
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

/** Name of the function that returns a slot, and first loads the part of the slot while the slot is empty. */
const READY = "ready";

/** That function, and the import that loads a part by its number; `bounds` are the first slots of the parts after the second. */
const readyForms = (bounds) => {
  const part = bounds.reduce((sum, bound) => `(i32.add ${sum} (i32.ge_u (local.get $0) (i32.const ${bound})))`, "(i32.const 1)");
  return {
    load: line(` (import "${OTHER}" "L" (func $load (param i32)))`),
    ready: line(` (func $${READY} (param $0 i32) (result i32)
  (if (ref.is_null (table.get (local.get $0))) (then (call $load ${part})))
  (local.get $0)
 )`),
  };
};

/** A function that calls one of a later part; its name is the one that the function has. */
const standIn = (name, types, slot) => {
  const count = [...types.matchAll(/\(param((?: \w+)+)\)/g)].flatMap(([, list]) => list.trim().split(" ")).length;
  const locals = Array.from({ length: count }, (_, nth) => `(local.get ${nth})`).join(" ");
  return line(` (func $${name} ${types} (call_indirect ${types} ${locals} (call $${READY} (i32.const ${slot}))))`);
};

/**
 * Texts of the parts, where `parts` has the number of the part of each function: 0 for the first one. `build` is short,
 * and differs from that of any other module: parts of two builds do not link.
 */
export function split(text, parts, build) {
  const globalName = (name) => `G${build}${name.replace("global$", "")}`;
  const { of, imports, functions, exported, table, start, elements } = parsed(text);
  const partOf = (name) => (functions.has(name) ? parts.get(name) : undefined);
  const count = 1 + Math.max(...parts.values());
  const bodies = Array.from({ length: count }, (_, part) => [...functions.values()].filter(({ name }) => partOf(name) === part));
  const needs = bodies.map((part) => new Set(part.flatMap((form) => [...calledBy(form)])));
  for (const name of [...exported, ...elements]) needs[0].add(name);

  // Slots: those that the table had, then functions of the first part that others call, then functions of each later
  // part that others call. The last are empty at first, and where the table had the function, a stand-in is there.
  const calledOf = (part) => [...functions.keys()].filter((name) => partOf(name) === part && needs.some((names, other) => other !== part && names.has(name)));
  const called = bodies.map((_, part) => calledOf(part));
  const filled = [...elements, ...called[0].filter((name) => !elements.includes(name)), READY];
  const firstSlots = called.map((_, part) => start + filled.length + called.slice(1, part).flat().length);
  const all = [...filled, ...called.slice(1).flat()];
  const slots = new Map(all.map((name, nth) => [name, start + nth]));
  const size = start + all.length;

  const limits = ({ lines: [text] }) => /^ \(\w+ (\S+ .*)\)$/.exec(text)[1];
  const entries = (at, names) => (names.length ? [line(` (elem (table $${table}) (i32.const ${at}) func ${listed(names)})`)] : []);
  const global = ({ name, lines: [text] }) => imported(globalName(name), `global $${name} ${/^ \(global \S+ (\(mut \w+\)|\w+) /.exec(text)[1]}`);
  const globals = bodies.map((part) => new Set(part.flatMap((form) => [...globalsOf(form)])));
  const standIns = (part) => [...needs[part]].filter((name) => partOf(name) > 0 && partOf(name) !== part);
  const standInForms = (part) => standIns(part).map((name) => standIn(name, typeOf(functions.get(name)), slots.get(name)));
  const importsOf = (part) => imports.filter(({ name }) => needs[part].has(name));

  const { load, ready } = readyForms(firstSlots.slice(2));
  const first = [
    ...of("type"),
    ...importsOf(0),
    load,
    ...["global", "memory", "data"].flatMap(of),
    ...of("table").map((form) => (form.name === table ? line(` (table $${table} ${size} ${size} funcref)`) : form)),
    ...entries(start, filled),
    ...of("export"),
    line(` (export "${TABLE}" (table $${table}))`),
    ...[...new Set(globals.slice(1).flatMap((names) => [...names]))].map((name) => line(` (export "${globalName(name)}" (global $${name}))`)),
    ready,
    ...standInForms(0),
    ...bodies[0],
  ];
  const later = (part) => {
    const shared = [...needs[part]].filter((name) => partOf(name) === 0);
    const isCalling = standIns(part).length > 0;
    return [
      ...of("type"),
      ...importsOf(part),
      ...shared.map((name) => imported(slotName(slots.get(name)), `func $${name} ${typeOf(functions.get(name))}`)),
      ...(isCalling ? [imported(slotName(slots.get(READY)), `func $${READY} (param i32) (result i32)`)] : []),
      ...of("global").filter(({ name }) => globals[part].has(name)).map(global),
      ...of("memory").map((form) => imported(MEMORY, `memory ${limits(form)}`)),
      ...of("table").map((form) => (form.name === table ? imported(TABLE, `table $${table} ${size} ${size} funcref`) : imported(VALUES, `table ${limits(form)}`))),
      ...entries(firstSlots[part], called[part]),
      ...standInForms(part),
      ...bodies[part],
    ];
  };
  const texts = bodies.map((_, part) => textOf(part === 0 ? first : later(part)));
  return texts.map((text, part) => ({ text, functions: bodies[part].length, called: called[part].length, calls: standIns(part).length }));
}
