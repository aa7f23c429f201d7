in vec3 place; in vec2 at; uniform mat4 view; uniform vec3 shift; uniform float nearer; out vec2 spot;
void main() {
  spot = at; gl_Position = view * vec4(place + shift, 1.0); gl_Position.z -= nearer * gl_Position.w;
}
