/** Exports of the WebAssembly modules of a page, which the package does not show. */

/** Records the exports of each module with a memory that a page instantiates, in its order, in `instances`. It runs in the page. */
export function recordInstances() {
  globalThis.instances = [];
  const seen = (instance) => {
    // Parts of the main module have none of their own.
    if (instance.exports.memory) globalThis.instances.push(instance.exports);
    return instance;
  };
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const own = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const found = await own.apply(WebAssembly, given);
      seen(found.instance ?? found);
      return found;
    };
  }
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, { construct: (Class, given) => seen(new Class(...given)) });
}

/** Records the memories of the decoder modules that a page makes, in `memories`. It runs in the page. */
export function recordMemories() {
  globalThis.memories = [];
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, given) {
      const instance = new target(...given);
      if (instance.exports.memory) globalThis.memories.push(instance.exports.memory);
      return instance;
    },
  });
}
