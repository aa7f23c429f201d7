"""What the abilities of a kind add to its window, a module for each ability that adds something."""
