"""The canvas: a drawing on a board, shown and handled with the mouse; knows no kind of puzzle."""
