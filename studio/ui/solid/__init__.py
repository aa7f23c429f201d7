"""The 3-D view of pieces: the camera, the scene, two renderers behind one interface, and the widget."""
