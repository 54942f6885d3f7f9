/** Errors of calls on freed objects, in place of wasm-bindgen's "null pointer passed to rust". */

/** Makes `free()` do nothing for a class whose objects belong to other objects, which return the same one each time. */
export function keptAlive(owned) {
  owned.prototype.free = () => {};
  if (Symbol.dispose) owned.prototype[Symbol.dispose] = owned.prototype.free;
}

/** Methods that throw where their object was freed. Others return a promise, and reject. */
const THROWING = /^(free|hold|is|namesBeside|plan|timeSpan|tree)$/;

/** Members that stay as they are: they use the others, or are for people. */
const LEFT = /^(constructor|stream|toJSON|toString)$/;

/** Error of a call on a freed object. */
export function freedError(message, options) {
  return Object.assign(new Error(message, options), { name: "FreedError" });
}

/**
 * Makes every call on a freed object of a class fail with a FreedError, including a second `free()`: such an object gets
 * another prototype.
 *
 * @param {any} opened the class
 * @param {string} name name of the class, which a minifier may change in the class itself
 */
export function namingFreed({ prototype }, name) {
  const freed = Object.create(prototype);
  const refuse = () => {
    throw freedError(`this ${name} was freed, by free() or at the end of its using declaration; open it again`);
  };
  const { free } = prototype;
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const fails = get ? { get: refuse } : { value: THROWING.test(key) ? refuse : async () => refuse() };
    if (!LEFT.test(key)) Object.defineProperty(freed, key, fails);
  }
  prototype.free = function () {
    free.call(this);
    Object.setPrototypeOf(this, freed);
  };
  if (Symbol.dispose) {
    prototype[Symbol.dispose] = function () {
      this.free();
    };
  }
}
