in vec3 place; in vec3 normal;
uniform mat4 view; uniform vec3 shift; uniform vec2 nudge; uniform float nearer; uniform vec4 cut;
out vec3 world, facing;
void main() {
  world = place + shift;
  facing = normal;
  gl_ClipDistance[0] = cut.w - dot(cut.xyz, world);
  gl_Position = view * vec4(world, 1.0);
  gl_Position.xy += nudge * gl_Position.w;
  gl_Position.z -= nearer * gl_Position.w;
}
