/** Options of calls to a store. Most stores never read the signal, which takes longer to create than a small chunk. */

const REASON = "the request is no longer needed";

/** Options of a call. The store gets a proxy for them, which creates the signal when it is first read. */
export class CallOptions {
  signal = undefined;
  #controller;
  #isAborted = false;

  /** The options as the store gets them. An object with a getter of its own takes eight times as long to create. */
  static proxy(options) {
    return new Proxy(options, HANDLER);
  }

  /** Aborts the call that has these options. */
  static abort(options) {
    options.#isAborted = true;
    options.#controller?.abort(REASON);
  }

  /** Creates the signal, unless there is one: the store may have set or deleted it. */
  static addSignal(options) {
    if (options.#controller || options.signal || !("signal" in options)) return;
    options.#controller = new AbortController();
    options.signal = options.#controller.signal;
    if (options.#isAborted) CallOptions.abort(options);
  }
}

/** Handler of the proxies: whoever reads the signal, or copies the options' properties, finds it. */
const HANDLER = {
  get(options, name) {
    if (name === "signal") CallOptions.addSignal(options);
    return options[name];
  },
  getOwnPropertyDescriptor(options, name) {
    if (name === "signal") CallOptions.addSignal(options);
    return Reflect.getOwnPropertyDescriptor(options, name);
  },
};
