"""The slitherlink in the window."""
