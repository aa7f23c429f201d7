"""Picture on a board, its protected area and engravings."""
