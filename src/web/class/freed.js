/** Names the error of a call on an object whose memory was given back: WebAssembly alone says "null pointer passed to rust". */

/** Makes `free()` do nothing for a class whose objects belong to others, which hand out the same one each time. */
export function keptAlive(owned) {
  owned.prototype.free = () => {};
  if (Symbol.dispose) owned.prototype[Symbol.dispose] = owned.prototype.free;
}

/** The methods that give a promise: they reject where others throw. */
const PROMISING = ["array", "decodeTime", "get", "getChunk", "getPoints", "group", "openBeside", "prefetch", "refresh", "refs", "snapshots"];

/** The error of a call on an object that was freed. */
export function freedError(message, options) {
  return Object.assign(new Error(message, options), { name: "FreedError" });
}

/**
 * Has every call on a freed object of a class fail with a FreedError, a second `free()` too.
 *
 * @param {any} opened the class
 * @param {string} name the class's name, which a minifier may change in the class itself
 */
export function namingFreed(opened, name) {
  const { free, ...methods } = Object.getOwnPropertyDescriptors(opened.prototype);
  const promising = PROMISING.filter((method) => method in methods);
  const refuse = () => {
    throw freedError(`this ${name} was freed, by free() or at the end of its using declaration; open it again`);
  };
  opened.prototype.free = function () {
    free.value.call(this);
    // Every method reads the pointer first, and so does that of another object that this one is given to.
    Object.defineProperty(this, "__wbg_ptr", { get: refuse });
    for (const method of promising) this[method] = async () => refuse();
  };
  if (Symbol.dispose) opened.prototype[Symbol.dispose] = opened.prototype.free;
}
