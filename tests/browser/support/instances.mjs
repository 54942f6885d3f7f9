/** Exports of the WebAssembly modules of a page, which the package does not show. */

/** Records the exports of each module that a page instantiates, in its order, in `instances`. It runs in the page. */
export function recordInstances() {
  globalThis.instances = [];
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const own = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const found = await own.apply(WebAssembly, given);
      globalThis.instances.push((found.instance ?? found).exports);
      return found;
    };
  }
}
