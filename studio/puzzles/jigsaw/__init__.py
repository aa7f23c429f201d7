"""The jigsaw: a board cut along an irregular grid of tongues, each editable."""
