// Reads the text form of a module, as binaryen's wasm-dis writes it: top-level forms begin one space deep.

/** Options with which binaryen's tools read and write the package's modules. */
export const FEATURES = ["simd", "bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "reference-types", "multivalue"].map(
  (feature) => `--enable-${feature}`,
);

/** Text of a module whose functions have the names of Rust, with names that need no quotes (WASM_NAMES=1). */
export function withShortNames(text) {
  const names = new Map();
  return text.replace(/\$"((?:[^"\\]|\\.)*)"/g, (_, name) => {
    const plain = name.replace(/\[[0-9a-f]{16}\]/g, "").replace(/[^\w.:<>]/g, "_");
    if (!names.has(name)) names.set(name, `$${plain.slice(-150)}.${names.size}`);
    return names.get(name);
  });
}

const TOP = /^ \((\w+)(?: \$([^\s()]+))?/;

/** Top-level forms of a module: their kind, their name where they have one, and their lines. */
export function formsOf(text) {
  const lines = text.split("\n");
  const forms = [];
  for (const line of lines.slice(1, lines.lastIndexOf(")"))) {
    const [, kind, name] = TOP.exec(line) ?? [];
    if (kind) forms.push({ kind, name, lines: [line] });
    else if (/^ (?: |\))/.test(line)) forms.at(-1).lines.push(line);
    else if (!line.startsWith(" ;; ")) throw new Error(`unexpected line in the text of a module: ${line}`);
  }
  return forms;
}

/** Text of a module of these forms. */
export const textOf = (forms) => `(module\n${forms.flatMap(({ lines }) => lines).join("\n")}\n)\n`;

const mentions = (pattern) => (form) => form.lines.flatMap((line) => [...line.matchAll(pattern)].map(([, name]) => name));

/** Name of the function of each call of a form. */
export const callsOf = mentions(/\((?:call|ref\.func) \$([^\s()]+)/g);

/** Names of the functions that a form calls or refers to. */
export const calledBy = (form) => new Set(callsOf(form));

/** Names of the globals that a form reads or writes. */
export const globalsOf = mentions(/\(global\.[gs]et \$([^\s()]+)/g);

/** Parameters and results of a function, as text. */
export function typeOf({ lines: [head] }) {
  if (head.includes("(type ")) throw new Error(`a function states its type by number: ${head}`);
  return [...head.matchAll(/\((param|result)(?: \$[^\s()]+)?((?: \w+)*)\)/g)].map(([, part, types]) => `(${part}${types})`).join(" ");
}
