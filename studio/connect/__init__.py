"""Connections to other programs on this computer. They carry bytes and names, and know no puzzle."""
