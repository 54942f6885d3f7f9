/** Calls that wait for parts of the main module, and the first read, after which all parts load. */
import { partsOfRead } from "./foresight.js";
import { PARTS, isWhole, parts, unlessLost, whenWhole, whole } from "./parts.js";

/** Parts that a call needs, by the names of methods of arrays that return promises. */
const READS = {
  get: partsOfRead,
  getChunk: (_, options) => partsOfRead(null, options),
  getEncoded: () => PARTS,
  getPoints: () => PARTS,
  prefetch: () => PARTS,
  refresh: () => PARTS,
  decodeTime: () => PARTS,
  sel: () => PARTS,
  openStream: () => PARTS,
};

/** Loads all parts; a failure is reported where a call needs them. */
const soon = () => void whole("low").catch(() => {});

/** Makes the methods of a class wait for the parts that they need, until all are there. */
export function waitingForParts({ prototype }) {
  if (isWhole()) return;
  const methods = Object.keys(READS).map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)]);
  for (const [name, { value: method }] of methods) {
    prototype[name] = async function (...given) {
      const read = (array) => {
        const reading = unlessLost(Promise.resolve(method.apply(array, given)));
        reading.then(soon, soon);
        return reading;
      };
      const loading = parts(READS[name](...given));
      if (!loading) return read(this);
      // `hold` may refuse first.
      loading.catch(() => {});
      // The caller may free the array while its call waits.
      const held = this.hold();
      try {
        await loading;
        return await read(held);
      } finally {
        held.free();
      }
    };
  }
  whenWhole(() => Object.defineProperties(prototype, Object.fromEntries(methods)));
}
