/** The pages' examples as modules that a browser runs. */

import { build } from "esbuild";
import { join } from "node:path";

import { ROOT } from "./paths.mjs";

/** A comment with what its line gives: spaces and words may stand before the arrow. */
const ARROW = /(?:^|\s)\/\/ (?:[^"`]*\s)?=> /;
/** An expression, or a declaration with one, and what it gives. */
const CHECKED = /^\s*(?<statement>.*);\s*\/\/ (?:[^"`]*\s)?=> (?<value>.*)$/;
const DECLARED = /^(?:const|let) (?:\{ (?:\w+: )?(?<member>\w+) \}|(?<names>\w+|\{[^=]*\}|\[[^=]*\]))(?:: [^=]+)? = /;

/** The example with a call of `check` for each comment with an arrow, on the lines that it had. */
function instrumented({ page, line, code }) {
  const lines = code.split("\n").map((text, nth) => {
    if (!ARROW.test(text)) return text;
    const { statement, value } = CHECKED.exec(text)?.groups ?? {};
    if (statement === undefined) throw new Error(`${page}:${line + nth}: "=>" in a comment follows an expression or a declaration of one line`);
    const { member, names = member } = DECLARED.exec(statement)?.groups ?? {};
    const call = (expression) => `check(${line + nth}, ${expression}, ${JSON.stringify(value)});`;
    return names ? `${statement}; ${call(names)}` : call(`(${statement})`);
  });
  return `${lines.join("\n")}\nimport { check } from "/support/expected.mjs";\n`;
}

/** The page's lines that a run must have reached. */
export function checkedLines({ line, code }) {
  return code.split("\n").flatMap((text, nth) => (ARROW.test(text) ? [line + nth] : []));
}

/** The example as one module, with the packages that it imports; the package itself is the page's. */
export async function moduleOf(snippet) {
  const { outputFiles } = await build({
    stdin: { contents: instrumented(snippet), loader: "ts", resolveDir: join(ROOT, "tests"), sourcefile: snippet.page },
    write: false,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "silent", // the error has its words
    external: ["rectilinear-zarr", "rectilinear-zarr/*", "/support/expected.mjs"],
  });
  return outputFiles[0].text;
}
