"""Solid pieces seen in space: the camera, the scene, two renderers behind one interface, and the widget."""
