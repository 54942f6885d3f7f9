// Draws pieces of a plane on the GPU: their values are textures of floats, looked up in a table of colours.
import { colouring, opaque } from "../model/colormap.js";
import { layersOf } from "../reading/layers.js";
import { scaleOf } from "../reading/scale.js";
import { FRAGMENT, VERTEX } from "./shaders.js";

const KINDS = { linear: 0, log: 1, symlog: 2 };
const MOST_SPARE = 16; // textures kept for pieces to come
/** A GPU that the processor plays is slower than a canvas. */
const OPTIONS = { antialias: false, depth: false, powerPreference: "low-power", failIfMajorPerformanceCaveat: true };

function shader(gl, type, text) {
  const made = gl.createShader(type);
  gl.shaderSource(made, text);
  gl.compileShader(made);
  return made;
}

function programOf(gl, fragment) {
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl, gl.VERTEX_SHADER, VERTEX));
  gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : undefined;
}

export function texture(gl, [height, width], [inside, format, type], data, old) {
  const made = old ?? gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  if (old) {
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, format, type, data);
    return old;
  }
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, height, 0, format, type, data);
  return made;
}

/**
 * Values as float32, less the piece's least one where they are wider, so that large integers keep their differences; of
 * flags and labels, the middles of their entries in the table.
 */
function floatsOf({ values, range }, look) {
  if (look.isNamed) {
    const { entry } = colouring(look);
    return { base: 0, floats: Float32Array.from(values, (v) => (Number.isNaN(v) ? NaN : entry(v) + 0.5)) };
  }
  if (values instanceof Float32Array) return { floats: values, base: 0 };
  const base = range && Math.abs(range[0]) > 2 ** 20 ? range[0] : 0;
  return { base, floats: base ? Float32Array.from(values, (v) => v - base) : new Float32Array(values) };
}

/**
 * A painter on WebGL 2; undefined where there is none. `onLost()` hears when the GPU goes. A `fragment` program of another
 * kind gets its uniforms, by their `names`, from `before(gl, uniform)` for a picture and `each(gl, uniform, piece)` for a piece.
 */
export function createGpuPainter(canvas, onLost, { fragment = FRAGMENT, names = [], before, each } = {}) {
  const gl = canvas.getContext("webgl2", OPTIONS);
  const program = gl && programOf(gl, fragment);
  if (!program) return undefined;
  const uniform = Object.fromEntries(["place", "range", "kind", "curve", "cells", "colours", ...names].map((name) => [name, gl.getUniformLocation(program, name)]));
  const textures = new Map(); // piece -> { texture, base }
  const spare = []; // { size, texture } of pieces that went
  const tables = new Map(); // name of a colour map, or flags -> texture
  canvas.addEventListener("webglcontextlost", onLost);

  /** A texture of a piece of the same size that went. */
  function spareOf({ counts }) {
    const nth = spare.findIndex(({ size }) => size === `${counts}`);
    return nth < 0 ? undefined : spare.splice(nth, 1)[0].texture;
  }

  function cellsOf(piece, look) {
    if (!textures.has(piece)) {
      const { floats, base } = floatsOf(piece, look);
      textures.set(piece, { base, texture: texture(gl, piece.counts, [gl.R32F, gl.RED, gl.FLOAT], floats, spareOf(piece)) });
    }
    return textures.get(piece);
  }

  function tableOf(look) {
    const name = look.labels ?? look.flags ?? look.colourMap;
    if (!tables.has(name)) {
      const colours = opaque(colouring(look).table);
      tables.set(name, texture(gl, [1, colours.length / 4], [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE], colours));
    }
    return tables.get(name);
  }

  /** Draws a piece, or a channel of it, at its place. */
  function draw(piece, look, place) {
    const { texture: cells, base } = cellsOf(piece, look);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, tableOf(look));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, cells);
    const { kind, low, high, unit, from, to } = scaleOf(look.isNamed ? { range: [0, look.labels ? colouring(look).table.length / 3 : 256] } : look);
    gl.uniform1i(uniform.kind, KINDS[kind]);
    gl.uniform2f(uniform.range, low - base, high - base);
    gl.uniform4f(uniform.curve, unit, base, from, to);
    gl.uniform4f(uniform.place, ...place);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  return {
    kind: "webgl2",
    /** Draws pieces, each with its edges in the picture as parts of it: left, top, right, bottom, flipped where they are. */
    paint(pieces, placeOf, look, { width, height }) {
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      Object.assign(canvas.style, { width: "100%", height: "100%", left: "0", top: "0" });
      gl.viewport(0, 0, width, height);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.useProgram(program);
      gl.uniform1i(uniform.cells, 0);
      gl.uniform1i(uniform.colours, 1);
      gl.blendFunc(gl.ONE, gl.ONE);
      before?.(gl, uniform);
      for (const piece of pieces) {
        each?.(gl, uniform, piece);
        for (const [nth, [layer, own]] of layersOf(piece, look).entries()) {
          gl[nth ? "enable" : "disable"](gl.BLEND); // channels add up over what lies below
          draw(layer, own, placeOf(piece));
        }
      }
    },
    prepare(piece, look) {
      for (const [layer, own] of layersOf(piece, look)) cellsOf(layer, own);
    },
    drop(piece) {
      for (const layer of piece.layers ?? [piece]) {
        const held = textures.get(layer);
        textures.delete(layer);
        if (held && spare.push({ size: `${layer.counts}`, texture: held.texture }) > MOST_SPARE) gl.deleteTexture(spare.shift().texture);
      }
    },
  };
}
