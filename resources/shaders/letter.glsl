in vec2 spot; out vec4 result; uniform sampler2D letters; uniform vec3 colour; uniform float alpha;
void main() { result = vec4(colour, alpha * texture(letters, spot).r); }
