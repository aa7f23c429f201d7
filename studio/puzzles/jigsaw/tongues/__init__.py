"""Tongues: profiles, styles, numbers, handles and necks."""
