in vec3 world, facing; out vec4 result;
uniform vec3 colour, accent; uniform float glow, alpha; uniform vec4 cut;

void main() {
  vec3 at = world, N = normalize(facing), V = normalize(eye - world);
  bool is_cut = !gl_FrontFacing;
  if (is_cut) {
    // The inside of a body is seen through the plane that cuts it: its face is there, and solid.
    N = cut.xyz;
    at = world + V * ((cut.w - dot(N, world)) / max(dot(N, V), 1e-4));
  }
  vec3 H = normalize(to_light + V);
  float open_ = 1.0 - smoothstep(0.06, 0.78, near_material(at + N * reach * 1.15)) * 0.80;
  open_ *= 1.0 - 0.45 * max(0.0, 0.5 - 0.5 * N.z) * exp(-max(at.z - floor_z, 0.0) / (reach * 6.0));
  float d = max(dot(N, to_light), 0.0);
  float sun = d > 0.0 ? d * lit_share(at, N) : 0.0;
  float sky = 0.5 + 0.5 * N.z;
  vec3 c = colour;
  if (is_cut) c = mix(c, vec3(1.0), 0.18);
  vec3 ambient = mix(vec3(0.25, 0.245, 0.24), vec3(0.50, 0.51, 0.53), sky) * open_;
  float fill = 0.16 * max(dot(N, V), 0.0) * open_;
  float shine = (pow(max(dot(N, H), 0.0), 28.0) * 0.10 * step(0.001, sun) * sun + pow(1.0 - max(dot(N, V), 0.0), 4.0) * 0.05 * open_);
  vec3 o = c * (ambient + fill + sun * vec3(0.80, 0.785, 0.76)) + shine;
  o *= 1.0 + 2.2 * glow;
  result = vec4(screen(o), alpha);
}
