"""Extensions of the window by a kind's abilities."""
