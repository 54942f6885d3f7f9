// Reads what a visitor types for a private host: a token, lines of headers, or the keys of a bucket.

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

/** A token as it is sent, from what people copy: with `Bearer` before it, or the whole header. */
export const bareToken = (text) => text.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");

/** Headers for a token and for lines of `Name: value`, as pairs; throws, in words, where a line is none or nothing was given. */
export function headersOf(token, lines) {
  const headers = [];
  const bare = bareToken(token);
  if (bare) headers.push(checked("Authorization", `Bearer ${bare}`));
  for (const line of lines.split("\n").map((text) => text.trim()).filter(Boolean)) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.+)$/.exec(line) ?? [];
    if (!name) throw problem("A line of headers is “Name: value”.");
    headers.push(checked(name, value));
  }
  if (!headers.length) throw problem("Give a token, keys, or a line of headers.");
  return headers;
}

/**
 * Keys of a bucket from the fields of a form: `{ sas }`, or `{ accessKeyId, secretAccessKey, sessionToken, region }`;
 * undefined where all are empty. Throws, in words, where a part is missing.
 */
export function keysOf({ sas = "", accessKeyId = "", secretAccessKey = "", sessionToken = "", region = "" }) {
  const given = Object.fromEntries(Object.entries({ sas, accessKeyId, secretAccessKey, sessionToken, region }).map(([name, text]) => [name, text.trim()]).filter(([, text]) => text));
  if (Object.keys(given).length === 0) return undefined;
  if (given.sas && !/(?:^|[?&])sig=/.test(given.sas)) throw problem("A shared access signature has “sig=” in it: sv=…&sig=….");
  if (!given.sas && !(given.accessKeyId && given.secretAccessKey)) throw problem("Give both the id of the access key and its secret.");
  return given;
}
