/** Values as the pages' examples write them behind `// =>`, compared with what an expression gives. */

/** Parts of such a text. */
const TOKEN = /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|Infinity)n?…?)|(?<word>[A-Za-z_$][\w$]*)|(?<sign>[[\]{}:,…]))/y;

/** The expected value as a function from a found one to whether that is it. */
export function parse(text) {
  let at = 0;
  let token;
  const next = () => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found && text.slice(at).trim() !== "") throw new SyntaxError(`"${text.slice(at)}" is no value that examples write`);
    at = found ? TOKEN.lastIndex : text.length;
    token = found?.groups ?? {};
  };
  const take = (sign) => {
    if (token.sign !== sign) return false;
    next();
    return true;
  };
  /** Members up to the closing sign, and whether `…` stands for more of them. */
  function members(close, member) {
    const list = [];
    let isOpen = false;
    while (!take(close)) {
      if (isOpen || at > text.length || Object.keys(token).length === 0) throw new SyntaxError(`"${text}" lacks a "${close}"`);
      isOpen = take("…");
      if (!isOpen) list.push(member());
      take(",");
    }
    return { list, isOpen };
  }
  function list() {
    const { list: matches, isOpen } = members("]", value);
    return (found) => {
      if (!Array.isArray(found) && !ArrayBuffer.isView(found)) return false;
      return (isOpen ? found.length > matches.length : found.length === matches.length) && matches.every((isIt, nth) => isIt(found[nth]));
    };
  }
  function object() {
    const { list: entries, isOpen } = members("}", () => {
      const name = token.text ? JSON.parse(token.text) : token.word;
      next();
      if (!take(":")) throw new SyntaxError(`"${text}" lacks a ":"`);
      return [name, value()];
    });
    return (found) => {
      if (typeof found !== "object" || found === null) return false;
      const names = Object.keys(found).filter((name) => found[name] !== undefined);
      return (isOpen ? names.length > entries.length : names.length === entries.length) && entries.every(([name, isIt]) => isIt(found[name]));
    };
  }
  function value() {
    const { text: string, number, word } = token;
    if (take("[")) return list();
    if (take("{")) return object();
    if (string === undefined && number === undefined && word === undefined) throw new SyntaxError(`"${text}" lacks a value`);
    next();
    if (string !== undefined) return beginning(JSON.parse(string), (found) => typeof found === "string");
    if (number !== undefined) return beginning(number, (found) => ["number", "bigint"].includes(typeof found), (found) => `${found}${typeof found === "bigint" ? "n" : ""}`);
    if (["true", "false", "null", "undefined", "NaN"].includes(word)) return (found) => String(found) === word && typeof found !== "string";
    const isInside = token.sign === "[" ? value() : token.sign === "{" ? value() : () => true;
    return (found) => found?.constructor?.name === word && isInside(found);
  }
  next();
  const isIt = value();
  if (Object.keys(token).length > 0) throw new SyntaxError(`"${text}" goes on after its value`);
  return isIt;
}

/** A text that is all of the found one, or with `…` behind it how that begins. */
function beginning(text, isOfType, spelled = String) {
  const start = text.endsWith("…") ? text.slice(0, -1) : undefined;
  return (found) => isOfType(found) && (start === undefined ? spelled(found) === text : spelled(found).startsWith(start));
}

/** A found value in the same spelling, cut off where it is long. */
export function spelled(value, depth = 0) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Promise) return "a promise (is an `await` missing?)";
  if (depth > 4) return "…";
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value)) {
    const some = Array.from({ length: Math.min(value.length, 20) }, (_, nth) => spelled(value[nth], depth + 1));
    return `${Array.isArray(value) ? "" : `${value.constructor.name} `}[${[...some, ...(value.length > 20 ? ["…"] : [])].join(", ")}]`;
  }
  const entries = Object.entries(value).map(([name, member]) => `${name}: ${spelled(member, depth + 1)}`);
  return entries.length === 0 ? (value.constructor?.name ?? "{}") : `{ ${entries.join(", ")} }`;
}

/** Compares a value with a text; the module of an example calls it where the example has `// =>`. */
export function check(line, value, text) {
  const problem = parse(text)(value) ? undefined : `line ${line}: ${spelled(value)} instead of ${text}`;
  globalThis.checked.push({ line, problem });
}
