"""Checks that return findings; they never show, log or raise."""
