"""The design of a jigsaw, and the shapes made of it."""
