// Writes the HTML that shows a view in another page.

const ENTITIES = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

/** An iframe that shows the view of an address of the explorer in another page. */
export function embedOf(address, title) {
  const url = new URL(address);
  url.searchParams.set("embed", "1");
  const quoted = (value) => `"${value.replace(/[&"<]/g, (sign) => ENTITIES[sign])}"`;
  return `<iframe src=${quoted(url.href)} title=${quoted(title)} width="640" height="420" loading="lazy"></iframe>\n`;
}
