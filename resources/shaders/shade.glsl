uniform vec3 eye, to_light, low, extent; uniform float reach, floor_z, soft, texel, spread;
uniform sampler2DShadow shadow; uniform sampler3D occlusion; uniform int taps; uniform mat4 light;
float lit_share(vec3 at, vec3 N) {
  vec3 c = (light * vec4(at + N * soft * 0.12, 1.0)).xyz * 0.5 + 0.5;
  if (c.x < 0.0 || c.y < 0.0 || c.x > 1.0 || c.y > 1.0 || c.z > 1.0) return 1.0;
  c.z -= 0.002;
  c.xy *= spread;
#ifdef QUICK
  return texture(shadow, c);
#else
  float sum = 0.0; float step_ = 1.6 * texel;
  for (int i = -taps; i <= taps; i++) for (int j = -taps; j <= taps; j++)
    sum += texture(shadow, c + vec3(float(i) * step_, float(j) * step_, 0.0));
  float n = float(2 * taps + 1);
  return sum / (n * n);
#endif
}
float near_material(vec3 at) { return texture(occlusion, (at - low) / extent).r; }
vec3 screen(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
