/** Finds what the doc comments of type declarations leave out: `documented.test.mjs` has the shipped types checked. */

import ts from "typescript-5";

/** Names that `@throws` may begin with: the contract's errors, and JavaScript's own. */
const ERRORS = ["NotFoundError", "StoreError", "InvalidMetadataError", "UnsupportedError", "CodecError", "FreedError", "SelectionError"];
const THROWN = new RegExp(`^(${[...ERRORS, "TypeError", "RangeError"].join("|")})\\b`);

/** Openings that need the sentence before them, which a tooltip does not show. */
const RIDDLE = /^(What|The same|As many|So many|Who|That which|Which|It|This|They)\b/;

/** The names of the errors that the contract has. */
export const ERROR_NAMES = ERRORS;

const wordsOf = (comment) => (ts.getTextOfJSDocComment(comment) ?? "").trim();

/** Whether a declaration takes parameters and gives something. */
const isCallable = (node) => ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node);

/** Whether a declaration says all by its name and its literal type: the `name` of an error. */
const isLiteral = (node) => ts.isPropertySignature(node) && node.type !== undefined && ts.isLiteralTypeNode(node.type);

/** The faults of one declaration's doc comment. */
function faultsOf(node, name) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const tags = ts.getJSDocTags(node);
  const faults = [];
  const summary = wordsOf(comments.at(-1)?.comment);
  if (summary === "") faults.push(`${name} has no description`);
  else if (RIDDLE.test(summary)) faults.push(`${name} begins with "${summary.split(" ")[0]}"`);
  for (const tag of tags.filter(ts.isJSDocThrowsTag)) {
    // The name before a space is parsed as a type only in braces, which the types do not use.
    if (!THROWN.test(wordsOf(tag.comment))) faults.push(`${name} throws no error of the contract: ${wordsOf(tag.comment)}`);
  }
  if (!isCallable(node)) return faults;
  const described = new Map(tags.filter(ts.isJSDocParameterTag).map((tag) => [tag.name.getText(), wordsOf(tag.comment)]));
  const parameters = node.parameters.map((parameter) => parameter.name.getText());
  faults.push(...parameters.filter((parameter) => !described.get(parameter)).map((parameter) => `${name} lacks @param ${parameter}`));
  faults.push(...[...described.keys()].filter((parameter) => !parameters.includes(parameter)).map((parameter) => `${name} has no ${parameter}`));
  if (!tags.some((tag) => ts.isJSDocReturnTag(tag) && wordsOf(tag.comment))) faults.push(`${name} lacks @returns`);
  return faults;
}

/** The members of a declaration that callers see. */
function membersOf(node) {
  const members = ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ? [...node.members] : [];
  return members.filter((member) => !ts.isConstructorDeclaration(member) && !ts.isIndexSignatureDeclaration(member) && !isLiteral(member));
}

/**
 * The faults of a file of declarations: exported things and their members without a description that can be read alone,
 * functions and methods without `@param` and `@returns`, and `@throws` of unknown errors.
 *
 * @param {string} file its name
 * @param {string} text
 * @param {string[]} [obvious] names of interfaces whose members need no words
 * @returns {{ faults: string[], checked: number }}
 */
export function documentation(file, text, obvious = []) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults = [];
  let checked = 0;
  const check = (node, name) => {
    checked++;
    faults.push(...faultsOf(node, `${file}: ${name}`));
  };
  for (const node of source.statements) {
    if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) || !node.name) continue;
    const name = node.name.getText();
    check(node, name);
    if (!obvious.includes(name)) for (const member of membersOf(node)) check(member, `${name}.${member.name?.getText() ?? "()"}`);
  }
  return { faults, checked };
}
