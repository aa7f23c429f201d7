"""Extensions of the window by a kind's abilities, a module for each ability that adds something."""
