"""The page on which a kind is played."""
