in vec3 world, facing; out vec4 result;
uniform vec3 colour, plate_colour, plate_line, plate_rim; uniform vec4 plate; uniform vec3 middle; uniform float radius, pool;

float inside(vec2 p, vec4 box, float feather) {
  vec2 low_ = smoothstep(box.xy - feather, box.xy + feather, p);
  vec2 high_ = 1.0 - smoothstep(box.zw - feather, box.zw + feather, p);
  return low_.x * low_.y * high_.x * high_.y;
}
// Interleaved gradient noise (Jimenez 2014), up to half a step of a channel: what fades slowly shows no bands.
float grain() { return (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0; }
void main() {
  float away = length(world.xy - middle.xy) / radius;
  vec3 c = colour;
  c += c * pool * exp(-away * away * 0.9) * (1.0 - smoothstep(2.0, 3.2, away));
  if (plate.z > plate.x) {
    float pixel = max(fwidth(world.x), fwidth(world.y));
    float on = inside(world.xy, plate, max(pixel, 0.01));
    vec2 g = abs(fract((world.xy - plate.xy) / 10.0 + 0.5) - 0.5) * 10.0 / max(fwidth(world.xy), vec2(1e-5));
    float line = 1.0 - min(min(g.x, g.y), 1.0);
    c = mix(c, mix(plate_colour, plate_line, line * 0.55), on);
    vec2 e = min(abs(world.xy - plate.xy), abs(world.xy - plate.zw)) / max(fwidth(world.xy), vec2(1e-5));
    float near_ = inside(world.xy, vec4(plate.xy - 2.0 * pixel, plate.zw + 2.0 * pixel), pixel);
    c = mix(c, plate_rim, clamp(1.6 - min(e.x, e.y), 0.0, 1.0) * near_);
  }
#ifdef FAR
  float shade = 1.0;
#else
  vec3 N = vec3(0.0, 0.0, 1.0);
  float fade = 1.0 - smoothstep(1.2, 3.2, away);
  float lit_ = mix(1.0, lit_share(world, N), fade);
  float open_ = 1.0 - smoothstep(0.02, 0.75, near_material(world + N * reach * 0.9)) * 0.50 * fade;
  float shade = mix(0.50, 1.0, lit_) * open_;
#endif
  result = vec4(screen(c * shade) + grain() * step(away, 3.0), 1.0);
}
