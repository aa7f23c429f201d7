in vec3 place; in vec2 at; uniform mat4 view; uniform vec3 shift; uniform float nearer; uniform vec4 cut; out vec2 spot;
void main() {
  gl_ClipDistance[0] = cut.w - dot(cut.xyz, place + shift);
  spot = at; gl_Position = view * vec4(place + shift, 1.0); gl_Position.z -= nearer * gl_Position.w;
}
