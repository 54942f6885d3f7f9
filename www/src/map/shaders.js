// The GPU's programs: a piece's rectangle, and the colour of each of its values by a scale and a table.

/** `place` is left, top, right and bottom in the picture, from 0 to 1. Comments stand out here, as pages load the texts. */
export const VERTEX = `#version 300 es
uniform vec4 place;
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = corner;
  vec2 to = mix(place.xy, place.zw, corner);
  gl_Position = vec4(to.x * 2.0 - 1.0, 1.0 - to.y * 2.0, 0.0, 1.0);
}`;

/**
 * `kind` is that of the scale: even, a logarithm, or one on both sides of zero; `curve` has its unit, what the cells are
 * less, and its function's values at the ends. `log1p` keeps the figures that log(1.0 + x) loses of small numbers. Missing
 * values are NaN, which comparisons of some drivers do not see.
 */
export const COLOURING = `#version 300 es
precision highp float;
uniform highp sampler2D cells;
uniform sampler2D colours;
uniform vec2 range;
uniform int kind;
uniform vec4 curve;
in vec2 at;
out vec4 colour;
float log1p(float x) {
  return abs(x) < 1e-3 ? x * (1.0 - 0.5 * x) : log(1.0 + x);
}
float along(float v) {
  if (kind == 0) return (v - range.x) / (range.y - range.x);
  float t = kind == 1 ? log1p(max((v - range.x) / curve.x, -0.999999)) : sign(v + curve.y) * log1p(abs(v + curve.y) / curve.x);
  return (t - curve.z) / (curve.w - curve.z);
}
void show(vec2 part) {
  ivec2 size = textureSize(cells, 0);
  float v = texelFetch(cells, min(ivec2(part * vec2(size)), size - 1), 0).r;
  if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) discard;
  int entries = textureSize(colours, 0).x;
  colour = texelFetch(colours, ivec2(clamp(int(floor(clamp(along(v), 0.0, 1.0) * float(entries))), 0, entries - 1), 0), 0);
}`;

/** Shows what lies at the same part of a piece. */
export const FRAGMENT = `${COLOURING}
void main() {
  show(at);
}`;
