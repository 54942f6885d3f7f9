/**
 * Worker script with custom codecs. A worker file of the page imports it and registers codecs; by itself it has those
 * that have an address.
 */
import { refusal } from "../codecs/stages.js";
import { customCodec } from "../codecs/custom.js";
import { asStage, loaded } from "../codecs/custom-stages.js";
import { loaderOf } from "../codecs/registry.js";
import { bringCodecs } from "./decode-worker.js";

export { codecs, decoder } from "../codecs/registry.js";

/** The most arrays whose codecs are kept. */
const MOST_ARRAYS = 64;

/** Promises of the codecs of arrays, by the number that the page gives an array. */
const opened = new Map();

async function decoderOf({ name, names, url, isOurs, configuration, array }) {
  const load = url ? new URL(url) : loaderOf(names, undefined, isOurs);
  if (!load) throw new Error(`the worker file has not registered the codec "${name}"`);
  return customCodec(await loaded(load, name), configuration, array);
}

bringCodecs(({ id, codecs }) => {
  let found = opened.get(id);
  if (!found) {
    if (opened.size === MOST_ARRAYS) opened.delete(opened.keys().next().value);
    found = Promise.all(codecs.map(decoderOf)).then(asStage);
    opened.set(id, found);
  }
  // The page decodes what is refused here.
  return found.catch(({ message }) => (opened.delete(id), { decodeStage: () => refusal("a codec in a worker", message) }));
});
