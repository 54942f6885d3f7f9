/** Decodes chunks whose codecs are in several modules: bytes pass from one stage to the next. */

/** Name of a stage that is an error in place of a module. */
const FAILED = "!";

/** Name of a stage that is a choice: each chunk says by its first bytes which stages are in its place. */
const CHOICE = "?";

/** Bytes of a number in messages. */
const NUMBER = 8;

/** Offset of the first answer's kind in packed answers: after the head's length and the number of answers. */
const KIND = 2 * NUMBER;

const text = new TextDecoder();
const viewed = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const numberAt = (bytes, at) => Number(viewed(bytes).getBigUint64(at, true));
export const setNumber = (bytes, at, number) => viewed(bytes).setBigUint64(at, BigInt(number), true);
/** The bytes of a number. */
function numbered(number) {
  const bytes = new Uint8Array(NUMBER);
  setNumber(bytes, 0, number);
  return bytes;
}
const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));

/** Whether the only answer is an error. */
const isError = (answers) => numberAt(answers, KIND) > 0;

/** Name of the module that a message is handed over to: it stands in place of answers. */
const handedTo = (answers) => (numberAt(answers, NUMBER) === 0 ? text.decode(answers.subarray(KIND)) : undefined);

/** Reads packed numbers and parts one after the other. */
export function reader(bytes) {
  let at = 0;
  const number = () => numberAt(bytes, (at += NUMBER) - NUMBER);
  const part = (length = number()) => bytes.subarray(at, (at += length));
  return { number, part };
}

/** Bytes from one item to the next along each axis, of the only answer. */
function stridesOf(answers) {
  const IS_WHOLE = 1;
  const head = reader(answers.subarray(KIND + NUMBER * (1 + IS_WHOLE)));
  return Array.from({ length: head.number() }, head.number);
}

/** Packs one answer: an error of a codec. */
export function failure(codec, got, expected) {
  const [CODEC, WORDS] = [1, 2];
  const hint = "the stored chunk is damaged or was written with other metadata";
  const numbers = [0, 1, CODEC];
  const parts = [];
  const add = (number) => parts.push(numbered(number));
  const say = (words) => {
    const bytes = new TextEncoder().encode(words);
    add(bytes.length);
    parts.push(bytes);
  };
  numbers.forEach(add);
  [codec, hint].forEach(say);
  for (const words of [got, expected]) {
    add(WORDS);
    say(words);
  }
  say("");
  add(0);
  const answers = joined(parts);
  setNumber(answers, 0, answers.length - NUMBER);
  return answers;
}

/** Packs one answer: what is not supported, and why. */
export function refusal(feature, reason) {
  const UNSUPPORTED = 3;
  const parts = [feature, reason].map((words) => new TextEncoder().encode(words)).flatMap((words) => [numbered(words.length), words]);
  const answers = joined([numbered(0), numbered(1), numbered(UNSUPPORTED), ...parts]);
  setNumber(answers, 0, answers.length - NUMBER);
  return answers;
}

/** One array with the bytes of these: in `buffer`, if it is large enough. */
export function joined(parts, buffer) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = buffer?.length >= length ? buffer.subarray(0, length) : new Uint8Array(length);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/**
 * Functions of a module that takes and gives bytes only, over its exports: wasm-bindgen's glue for one that has no
 * values of JavaScript. A module that trapped is made again.
 *
 * @param {WebAssembly.Module} module
 */
export function bytesModule(module) {
  let exports;
  const begin = () => {
    const imports = {};
    // The only import would fill a table of JavaScript's values, which such a module never uses.
    for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => {};
    exports = new WebAssembly.Instance(module, imports).exports;
    exports.__wbindgen_start();
  };
  const call = (name, bytes) => {
    if (!exports) begin();
    try {
      const at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
      new Uint8Array(exports.memory.buffer).set(bytes, at);
      const [start, length] = exports[name](at, bytes.length);
      const reply = new Uint8Array(exports.memory.buffer, start >>> 0, length).slice();
      exports.__wbindgen_free(start, length, 1);
      return reply;
    } catch (error) {
      exports = undefined;
      throw error;
    }
  };
  return {
    supportReply: (message) => call("supportReply", message),
    planParcel: (head) => call("planParcel", head),
    chooseStages: (message) => call("chooseStages", message),
    decodeParcel: (message) => call("decodeParcel", message),
  };
}

/** Memory for answers of the main module, which are copied or decoded further before it answers again. */
let scratch;

/** The head of a message, with these bytes after it. */
function message(head, content) {
  const whole = joined([head, content]);
  setNumber(whole, head.length - NUMBER, content.length);
  return whole;
}

/** Reads stages, in the order of decoding: each the name of its module and the head of a message. */
function stagesOf(plan) {
  const stages = [];
  while (plan.number()) stages.unshift([text.decode(plan.part()), plan.part()]);
  return stages;
}

/** The stages that a chunk chooses by its header, and what follows that. */
function chosen(own, head, content) {
  const length = numberAt(head, head.length - 2 * NUMBER);
  const asked = joined([head, content.subarray(0, length)]);
  setNumber(asked, head.length - NUMBER, content.length);
  return { stages: stagesOf(reader(own.chooseStages(asked))), rest: content.subarray(length) };
}

/** These stages, with all that a choice may choose in its place. */
export const everyStage = (own, stages) => stages.flatMap(([name, head]) => (name === CHOICE ? everyStage(own, stagesOf(reader(own.chooseStages(head)))) : [[name, head]]));

/** The jobs in a batch: their bytes, and in the order of decoding the stages by name of module and head of a message. */
export function planned(own, parcel) {
  const end = NUMBER + numberAt(parcel, 0);
  const plan = reader(own.planParcel(parcel.subarray(NUMBER, end)));
  const jobs = [];
  let at = end;
  while (plan.number()) {
    const encoded = parcel.subarray(at, (at += plan.number()));
    jobs.push({ encoded, stages: stagesOf(plan) });
  }
  return jobs;
}

/**
 * Decodes a batch; returns its packed answers, or a promise of them where a module answers by one.
 *
 * @param {any} own the module that plans, and decodes the stages without a module
 * @param {Record<string, any>} modules functions of each module: `decodeParcel`, or `decodeStage` of custom codecs
 * @param {Uint8Array} parcel
 * @param {(name: string) => Promise<any>} more loads a module that another one hands a message to
 * @param {Uint8Array} [buffer] memory for the answers
 */
export function decoded(own, modules, parcel, more, buffer) {
  const guarded = (name, decode) => {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      return failure(name || "bytes", `a decoder that failed: ${error.message}`, "a chunk that decodes");
    }
  };
  /** Sends a message to a module, and to the one that this hands it over to. */
  const sent = (name, message) => {
    const answers = guarded(name, () => modules[name].decodeParcel(message));
    const next = handedTo(answers);
    if (next === undefined || modules[next]) return next === undefined ? answers : sent(next, message);
    const found = (functions) => ((modules[next] = functions), sent(next, message));
    return more(next).then(found, ({ message }) => refusal("a package with missing or mixed files", message));
  };
  const decode = (name, head, content, strides) => {
    if (name === FAILED) return head;
    // A custom codec may keep what it is given, so its bytes are no part of a message.
    if (modules[name]?.decodeStage) return guarded(name, () => modules[name].decodeStage(head, content, strides));
    if (name) return sent(name, message(head, content));
    return guarded(name, () => {
      const answers = own.decodeParcel(message(head, content), scratch);
      scratch = new Uint8Array(answers.buffer);
      return answers;
    });
  };
  /** Sends a chunk through stages; `strides` are those of its items, where it has been decoded to items. */
  const follow = (stages, content, strides) => {
    const [[name, head], ...rest] = stages;
    if (name === CHOICE) {
      const choice = chosen(own, head, content);
      return follow([...choice.stages, ...rest], choice.rest);
    }
    return then(decode(name, head, content, strides), (answers) => {
      if (rest.length === 0 || isError(answers)) return name ? answers : answers.slice();
      return follow(rest, answers.subarray(NUMBER + numberAt(answers, 0)), stridesOf(answers));
    });
  };
  const done = planned(own, parcel).map(({ encoded, stages }) => follow(stages, encoded));
  if (done.length === 1 && !buffer) return done[0];
  return done.some((answers) => answers instanceof Promise) ? Promise.all(done).then((done) => together(done, buffer)) : together(done, buffer);
}

/** The answers to several jobs as one: their heads, then their contents. */
function together(done, buffer) {
  const cut = (answers) => NUMBER + numberAt(answers, 0);
  const heads = done.map((answers) => answers.subarray(KIND, cut(answers)));
  const counted = new Uint8Array(KIND);
  const all = joined([counted, ...heads, ...done.map((answers) => answers.subarray(cut(answers)))], buffer);
  setNumber(all, 0, heads.reduce((sum, head) => sum + head.length, NUMBER));
  setNumber(all, NUMBER, done.length);
  return all;
}
