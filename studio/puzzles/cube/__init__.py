"""The puzzle cube: six flat pieces that go together to a box, dealt by chance, proven, printed or cut."""
