// In the head of the page, before its code is there: says the title of the store that opens, as the catalog has it, and
// then has the browser fetch the WebAssembly, which would hold up what is seen first. Where a policy forbids this, the
// code in begin.js, read.js and src/embed/mode.js does the same a little later.
(() => {
  const query = new URLSearchParams(location.search);
  document.documentElement.classList.toggle("embed", query.get("embed") === "1");
  const hasten = () => {
    for (const link of document.querySelectorAll('link[rel="later"]')) link.replaceWith(Object.assign(link.cloneNode(), { rel: "preload" }));
  };
  try {
    const url = new URL(query.get("catalog") || "explorer.json", document.baseURI);
    if (!/^https?:$/.test(url.protocol)) return; // of a bucket, which the code knows
    globalThis.earlyCatalog = { url: url.href, answer: fetch(url, { signal: AbortSignal.timeout(20_000) }) };
    const say = ({ stores }) => {
      const asked = new URLSearchParams(location.hash.slice(1)).get("url");
      const at = asked && new URL(asked, document.baseURI).href;
      const isIn = (store) => `${at}/`.startsWith(`${new URL([store.url.replace(/\/+$/, ""), store.array].filter(Boolean).join("/"), url)}/`);
      const { title } = (at ? stores.filter(isIn).sort((a, b) => b.url.length - a.url.length) : stores)[0] ?? {};
      const heading = document.getElementById("title");
      if (typeof title === "string" && heading.textContent === "Opening…") heading.textContent = title;
    };
    globalThis.earlyCatalog.answer.then((answer) => answer.clone().json()).then(say).catch(() => undefined).then(hasten); // what is wrong with it is said later
  } catch {
    hasten(); // an address that is none is said later
  }
})();
