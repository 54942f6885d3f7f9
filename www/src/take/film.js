// Makes a film of a playback: each step's picture, with its title, date and colours, is one frame of a WebM file.
import { webmOf } from "./webm.js";

const CODECS = [["vp09.00.51.08", "V_VP9"], ["vp8", "V_VP8"]];
const KEY = 30; // frames from one that needs no other to the next, less than half a minute at the least rate
const WAITING = 4; // frames that the encoder may have before it, as each is a picture
const BITS = 0.2; // of the file for a pixel of a frame, at most about: maps have sharp edges
const MOST_STEPS = 5000;

/** Why this browser makes no films, or "". */
export const whyNone = () => (globalThis.VideoEncoder && globalThis.VideoFrame ? "" : "This browser has no encoder of films (WebCodecs): Chromium, Edge and Firefox have one. Pictures can be saved here, one by one.");

async function encodingOf(size) {
  for (const [codec, name] of CODECS) {
    const config = { ...size, codec, latencyMode: "quality" };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({}));
    if (supported) return { config, name };
  }
  throw new Error(`this browser's encoder makes no WebM of ${size.width} × ${size.height} pixels; ask for a smaller width`);
}

/**
 * A film of the steps `from` to `to` along an axis, `rate` a second, as the parts of a file. `go(at)` draws a step and
 * resolves once it stands, `picture()` gives its canvas, `onProgress(words)` hears how far it is. Steps are drawn twice
 * where `isSpanned`, as the range of the colours spans them all.
 */
export async function filmOf({ from, to, rate, title, isSpanned, go, picture, signal, onProgress }) {
  const count = to - from + 1;
  if (!(count > 0)) throw new RangeError("the last step lies before the first");
  if (count > MOST_STEPS) throw new RangeError(`it would have ${count} steps, more than ${MOST_STEPS}`);
  for (let n = 0; isSpanned && n < count; n++) {
    onProgress(`Looks for the range of the colours: step ${n + 1} of ${count}`);
    await go(from + n);
    signal.throwIfAborted();
  }
  const frames = [];
  let canvas; // of all frames, as large as the first picture
  let encoding;
  let encoder;
  let failure;
  try {
    for (let n = 0; n < count; n++) {
      onProgress(`Frame ${n + 1} of ${count}`);
      await go(from + n);
      const shown = await picture();
      signal.throwIfAborted();
      if (!encoder) {
        const even = { width: shown.width & ~1, height: shown.height & ~1 }; // pixels of colour are two by two
        encoding = await encodingOf({ ...even, bitrate: Math.max(1e6, Math.round(even.width * even.height * rate * BITS)), framerate: rate });
        canvas = new OffscreenCanvas(even.width, even.height);
        encoder = new VideoEncoder({
          error: (error) => (failure = error),
          output(chunk) {
            const data = new Uint8Array(chunk.byteLength);
            chunk.copyTo(data);
            frames.push({ at: Math.round(chunk.timestamp / 1000), isKey: chunk.type === "key", data });
          },
        });
        encoder.configure(encoding.config);
      }
      canvas.getContext("2d").drawImage(shown, 0, 0);
      const frame = new VideoFrame(canvas, { timestamp: Math.round((n * 1e6) / rate), duration: Math.round(1e6 / rate) });
      encoder.encode(frame, { keyFrame: n % KEY === 0 });
      frame.close();
      while (encoder.encodeQueueSize > WAITING && !failure) await new Promise((resolve) => setTimeout(resolve, 5));
      if (failure) throw failure;
    }
    await encoder.flush();
    if (failure) throw failure;
  } finally {
    if (encoder?.state === "configured") encoder.close();
  }
  const { width, height } = canvas;
  return { parts: webmOf({ width, height, codec: encoding.name, title, duration: (count * 1000) / rate, apart: 1000 / rate, frames }), count, width, height };
}
