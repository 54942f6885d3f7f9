/** Observation of a page's WebAssembly: its calls to JavaScript, and its memories. */

/**
 * Makes `globalThis.wasm` count the calls out of WebAssembly on the page's thread, and hold the memories of all
 * instances. Runs in the page, before its scripts.
 */
export function watchWasm() {
  const wasm = (globalThis.wasm = { calls: 0, memories: new Set() });
  const { instantiate, instantiateStreaming, Instance } = WebAssembly;

  /** Import of a module; functions are wrapped to count calls. */
  const watched = (value) => {
    if (value instanceof WebAssembly.Memory) wasm.memories.add(value);
    if (typeof value !== "function") return value;
    return (...args) => {
      wasm.calls += 1;
      return value(...args);
    };
  };
  const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
  // What the parts of the main module import from each other, under the name "r", are no calls of JavaScript.
  const counting = (imports) => imports && mapped(imports, (module, name) => (name === "r" ? module : mapped(module, watched)));
  const seen = (instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) wasm.memories.add(value);
    return instance;
  };
  const wrapped = (start) => async (source, imports) => {
    const found = await start.call(WebAssembly, source, counting(imports));
    seen(found.instance ?? found);
    return found;
  };
  WebAssembly.instantiate = wrapped(instantiate);
  WebAssembly.instantiateStreaming = wrapped(instantiateStreaming);
  // A proxy in place of a subclass, so that the results of `instantiate` are instances of it too.
  WebAssembly.Instance = new Proxy(Instance, { construct: (Class, [module, imports]) => seen(new Class(module, counting(imports))) });
}
