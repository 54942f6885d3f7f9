// In the head of the page, before its code is there: shows the page in the colours of the catalog's theme, says the title of
// the store that opens, as the catalog has it, and then has the browser fetch the WebAssembly, which would hold up what is
// seen first. Where a policy forbids this, the code in begin.js, read.js, theme.js and src/embed/mode.js does the same a
// little later.
(() => {
  const query = new URLSearchParams(location.search);
  const root = document.documentElement;
  root.classList.toggle("embed", query.get("embed") === "1");
  const hasten = () => {
    for (const link of document.querySelectorAll('link[rel="later"]')) link.replaceWith(Object.assign(link.cloneNode(), { rel: "preload" }));
  };
  try {
    const url = new URL(query.get("catalog") || "explorer.json", document.baseURI);
    if (!/^https?:$/.test(url.protocol)) return; // of a bucket, which the code knows
    const answer = fetch(url, { signal: AbortSignal.timeout(20_000) });
    globalThis.earlyCatalog = { url: url.href, answer };
    root.style = "visibility: hidden; background: Canvas"; // until it is known which colours the page has
    const show = () => root.removeAttribute("style");
    setTimeout(show, 1000);
    const wear = ({ theme }) => {
      const isColour = ([name, colour]) => /^[a-z-]+$/.test(name) && /^#[0-9a-f]{6}$/i.test(colour);
      const rules = ["light", "dark"].map((side) => {
        const given = Object.entries(theme[side] ?? {}).filter(isColour);
        const isDark = side === "dark";
        // An accent that differs enough from the light differs more from white than from black; what else follows from it is seen later.
        const all = theme[side]?.accent ? [["on-accent", isDark ? "#000000" : "#ffffff"], ...given] : given;
        return `@media ${isDark ? "" : "not "}(prefers-color-scheme: dark){:root{${all.map(([name, colour]) => `--${name}:${colour};`).join("")}}}`;
      });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules.join(""));
      document.adoptedStyleSheets = [sheet];
    };
    const say = ({ stores }) => {
      const asked = new URLSearchParams(location.hash.slice(1)).get("url");
      const at = asked && new URL(asked, document.baseURI).href;
      const isIn = (store) => `${at}/`.startsWith(`${new URL([store.url.replace(/\/+$/, ""), store.array].filter(Boolean).join("/"), url)}/`);
      const { title } = (at ? stores.filter(isIn).sort((a, b) => b.url.length - a.url.length) : stores)[0] ?? {};
      const heading = document.getElementById("title");
      if (typeof title === "string" && heading.textContent === "Opening…") heading.textContent = title;
    };
    const catalog = answer.then((given) => given.clone().json());
    const pass = () => undefined; // what is wrong with it is said later
    catalog.then(wear).catch(pass).then(show);
    catalog.then(say).catch(pass).then(hasten);
  } catch {
    hasten(); // an address that is none is said later
  }
})();
