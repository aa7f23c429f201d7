"""Interlock of pieces, false fits, and tongues that fit in a single place."""
