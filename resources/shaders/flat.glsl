in vec3 world, facing; out vec4 result; uniform vec3 colour;
void main() { result = vec4(colour, 1.0); }
