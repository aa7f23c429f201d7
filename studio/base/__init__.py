"""Foundations of every room: errors, texts, units, numbers, progress, threads, parameters and user files."""
