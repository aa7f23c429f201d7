"""The jigsaw: a board cut along a wiggled grid of tongues, every one of which can be shaped by hand."""
