"""Solid bodies, and the camera in front of them."""
