"""The jigsaw in the window: a tool for corners and tongues, tables of them, an inspector."""
