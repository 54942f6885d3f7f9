/** A page that knows what its WebAssembly does: its calls to JavaScript, and its memories. */

/**
 * In the page, before its scripts: has `globalThis.wasm` count the calls out of WebAssembly on the page's own thread, and
 * hold the memories of all instances there.
 */
export function watchWasm() {
  const wasm = (globalThis.wasm = { calls: 0, memories: new Set() });
  const { instantiate, instantiateStreaming, Instance } = WebAssembly;

  /** One import: a function that counts, or the value as it is. */
  const watched = (value) => {
    if (value instanceof WebAssembly.Memory) wasm.memories.add(value);
    if (typeof value !== "function") return value;
    return (...args) => {
      wasm.calls += 1;
      return value(...args);
    };
  };
  const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
  const counting = (imports) => imports && mapped(imports, (module) => mapped(module, watched));
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
  // A proxy and no subclass: what `instantiate` gives is an instance of it too.
  WebAssembly.Instance = new Proxy(Instance, { construct: (Class, [module, imports]) => seen(new Class(module, counting(imports))) });
}
