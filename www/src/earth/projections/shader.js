// The GPU's program for maps in a projection: of each pixel the place on the Earth, its cell, and the value of that in a piece.
import { COLOURING } from "../../map/shaders.js";

/** Names of what the program is given. */
export const NAMES = ["projection", "frame", "turn", "box", "size", "west", "rows", "columns"];

/**
 * `frame` is the raw projection's x and y at the picture's left and top, and what it gains to the right and below; `turn`
 * leads from the turned frame to the Earth's. `rows` and `columns` are tables by latitude, and by longitude from `west`;
 * `box` has a piece's first and last row, and first and last column, and `size` the rows and columns of the grid.
 */
export const FRAGMENT = `${COLOURING}
uniform int projection;
uniform vec4 frame;
uniform mat3 turn;
uniform vec4 box;
uniform vec2 size;
uniform float west;
uniform highp sampler2D rows;
uniform highp sampler2D columns;
const float PI = 3.14159265358979;
float entry(highp sampler2D table, float part) {
  int last = textureSize(table, 0).x - 1;
  float at = clamp(part, 0.0, 1.0) * float(last);
  int first = min(int(at), last - 1);
  return mix(texelFetch(table, ivec2(first, 0), 0).r, texelFetch(table, ivec2(first + 1, 0), 0).r, at - float(first));
}
vec3 naturalEarth(vec2 p) {
  float phi = p.y;
  for (int n = 0; n < 12; n++) {
    float a = phi * phi;
    float b = a * a;
    float y = phi * (1.007226 + a * (0.015085 + b * (-0.044475 + 0.028874 * a - 0.005916 * b)));
    phi -= (y - p.y) / (1.007226 + a * (0.015085 * 3.0 + b * (-0.044475 * 7.0 + 0.028874 * 9.0 * a - 0.005916 * 11.0 * b)));
  }
  float a = phi * phi;
  float b = a * a;
  float lambda = p.x / (0.8707 - 0.131979 * a + b * (-0.013791 + b * (0.003971 * a - 0.001529 * b)));
  if (abs(phi) > PI / 2.0 || abs(lambda) > PI) discard;
  return vec3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi));
}
vec3 disc(vec2 p) {
  float far = dot(p, p);
  if (projection == 0) {
    if (far > 1.0) discard;
    return vec3(sqrt(1.0 - far), p);
  }
  if (far > 2.0) discard;
  return vec3(1.0 - far / 2.0, p * sqrt(1.0 - far / 4.0));
}
void main() {
  vec2 p = frame.xy + at * frame.zw;
  vec3 place = turn * (projection == 2 ? naturalEarth(p) : disc(p));
  float lat = atan(place.z, length(place.xy)) / PI * 180.0;
  float lon = atan(place.y, place.x) / PI * 180.0;
  vec2 cell = vec2(entry(rows, (lat + 90.0) / 180.0), entry(columns, fract((lon - west) / 360.0)));
  if (any(lessThan(cell, vec2(0.0))) || any(greaterThan(cell, size))) discard;
  cell = min(cell, size - 0.001);
  if (any(lessThan(cell, box.xz)) || any(greaterThanEqual(cell, box.yw))) discard;
  show(((cell - box.xz) / (box.yw - box.xz)).yx);
}`;
