/** Errors of calls on freed objects, in place of wasm-bindgen's "null pointer passed to rust". */

/** Makes `free()` do nothing for a class whose objects belong to other objects, which return the same one each time. */
export function keptAlive(owned) {
  owned.prototype.free = () => {};
  if (Symbol.dispose) owned.prototype[Symbol.dispose] = owned.prototype.free;
}

/** Methods that return a promise, and so reject in place of throwing. */
const PROMISING = ["array", "decodeTime", "get", "getChunk", "getEncoded", "getPoints", "group", "openBeside", "openStream", "prefetch", "refresh", "refs", "snapshots"];

/** Error of a call on a freed object. */
export function freedError(message, options) {
  return Object.assign(new Error(message, options), { name: "FreedError" });
}

/**
 * Makes every call on a freed object of a class fail with a FreedError, including a second `free()`.
 *
 * @param {any} opened the class
 * @param {string} name name of the class, which a minifier may change in the class itself
 */
export function namingFreed(opened, name) {
  const { free, ...methods } = Object.getOwnPropertyDescriptors(opened.prototype);
  const promising = PROMISING.filter((method) => method in methods);
  const refuse = () => {
    throw freedError(`this ${name} was freed, by free() or at the end of its using declaration; open it again`);
  };
  opened.prototype.free = function () {
    free.value.call(this);
    // Every method reads the pointer first, and so do methods of other objects that take this one.
    Object.defineProperty(this, "__wbg_ptr", { get: refuse });
    for (const method of promising) this[method] = async () => refuse();
  };
  if (Symbol.dispose) opened.prototype[Symbol.dispose] = opened.prototype.free;
}
