// Writes what the panel says as a report: as text for people, as JSON for programs.

/**
 * `groups` are the facts as the panel lists them, `[heading, [{ name, words, state, remedy }]]`; `address` is that of the array without
 * secrets, undefined of data of this device. Gives `{ text, json }`.
 */
export function reportOf({ address, path, at, groups }) {
  const lineOf = ({ name, words, state, remedy }) => `- ${name}: ${state && state !== "good" ? `${state}: ` : ""}${words}${remedy ? `\n  add: ${remedy}` : ""}`;
  const from = address ?? "data on this device";
  const text = [`Health of ${from}`, `Path: ${path || "the store itself"}`, `Asked: ${at}`, ...groups.flatMap(([heading, facts]) => ["", heading, ...facts.map(lineOf)])].join("\n");
  const json = { address: address ?? null, path, at, groups: groups.map(([heading, facts]) => ({ heading, facts: facts.map(({ name, words, state = null, remedy = null }) => ({ name, words, state, remedy })) })) };
  return { text: `${text}\n`, json: `${JSON.stringify(json, undefined, 2)}\n` };
}
