"""The calendar puzzle: pieces that cover a board but for one date."""
