/** A page's worker file: it registers codecs, and tells which of them decoded. */
import { codecs, decoder } from "/pkg/worker.js";

const told = new BroadcastChannel("decoded");

/** Codecs by name, most of them of bytes to bytes: `x ^ 0x5a` in their ways. */
const flip = (bytes) => bytes.map((byte) => byte ^ 0x5a);
const never = () => new Promise(() => {});

decoder("my.flip", (bytes) => (told.postMessage("my.flip"), flip(bytes)));
decoder("my.late", async (bytes) => {
  told.postMessage("my.late");
  // The first byte says how long it takes.
  await new Promise((done) => setTimeout(done, bytes[0] % 7));
  return flip(bytes);
});
decoder("my.hung", (bytes) => (told.postMessage("my.hung"), bytes[0] === 0x5a ? never() : flip(bytes)));
decoder("my.wrong", (bytes) => (told.postMessage("my.wrong"), bytes.subarray(1)));
decoder("my.negate", ({ data, ...about }) => (told.postMessage("my.negate"), { ...about, data: data.map((item) => -item) }), { kind: "array_to_array" });
codecs.set("my.items", () => ({
  fromConfig: ({ step }, { shape }) => ({
    kind: "array_to_bytes",
    decode: ([first]) => (told.postMessage("my.items"), Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => first + step * (i % 3))),
  }),
}));
// Messages of the page's own are nobody's business.
postMessage({ hello: "page" });
addEventListener("message", ({ data }) => data === "ping" && postMessage("pong"));
