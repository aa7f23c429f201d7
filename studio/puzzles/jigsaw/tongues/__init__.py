"""Tongues: profiles, styles, values, handles and necks."""
