"""The zigzaw: pieces of one form that must meet as pictures of cubes."""
