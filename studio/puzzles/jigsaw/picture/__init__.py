"""The picture on a board, its protected area, relief and engravings."""
