/** Bodies of answers: text up to a bound, and the elements of XML in it. */

/**
 * The text of a body up to a number of bytes.
 *
 * @param {Response} response
 * @param {number} most
 * @param {() => void} [hear] is called for each part
 * @returns {Promise<{ text: string, isWhole: boolean }>}
 */
export async function textUpTo(response, most, hear) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    hear?.();
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      return { text, isWhole: false };
    }
    text += decoder.decode(value, { stream: true });
  }
  return { text: text + decoder.decode(), isWhole: true };
}

/** Content that is to be taken as it stands. */
const LITERAL = /<!\[CDATA\[([\s\S]*?)\]\]>/g;

/** XML without its comments. */
export const withoutComments = (text) => text.replace(/<!--[\s\S]*?-->/g, "");

const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text of XML or HTML, with its entities replaced. */
export const xmlText = (text) =>
  unescaped(text.replace(LITERAL, (_, literal) => literal.replace(/&/g, "&amp;")));

const unescaped = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Bodies of the elements of a name, in their order, with these attributes; answers of services put no prefix before names. */
export function elements(text, name, attributes = "") {
  const found = [];
  const open = `<${name}${attributes}>`;
  const close = `</${name}>`;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at);
    if (end < 0) break;
    found.push(text.slice(at + open.length, end));
    at = end + close.length;
  }
  return found;
}

/** Text of the first element of a name; undefined where there is none. */
export function element(text, name, attributes = "") {
  const [body] = elements(text, name, attributes);
  return body === undefined ? undefined : xmlText(body);
}
