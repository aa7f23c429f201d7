"""Fabrication of drawings: plan of the cuts, kerf, sheets, machines and materials; independent of puzzles."""
