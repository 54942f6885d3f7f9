// Reads what a visitor types for a private host: a token, or lines of headers.

const problem = (message) => Object.assign(new Error(message), { name: "Header" });

/** A header as a page may send it; throws where the browser takes no such name or value, or would leave it out. */
function checked(name, value) {
  let sent;
  try {
    sent = new Request(document.baseURI, { headers: [[name, value]] }).headers;
  } catch {
    throw problem(`“${name}” with this value is no header: a name has letters, digits and hyphens, and a value is one line of Latin letters.`);
  }
  if (!sent.has(name)) throw problem(`Browsers do not let a page send the header “${name}”.`);
  return [name, value];
}

/** Headers for a token and for lines of `Name: value`, as pairs; throws, in words, where a line is none or nothing was given. */
export function headersOf(token, lines) {
  const headers = [];
  const bare = token.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");
  if (bare) headers.push(checked("Authorization", `Bearer ${bare}`));
  for (const line of lines.split("\n").map((text) => text.trim()).filter(Boolean)) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.+)$/.exec(line) ?? [];
    if (!name) throw problem("A line of headers is “Name: value”.");
    headers.push(checked(name, value));
  }
  if (!headers.length) throw problem("Give a token, or a line of headers.");
  return headers;
}
