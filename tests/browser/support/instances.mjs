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
