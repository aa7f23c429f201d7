"""Writes drawings as files that laser cutters take, and proves each file by reading it back."""
