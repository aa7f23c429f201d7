"""The puzzle cube: six flat pieces that assemble into a box, generated at random, verified, printed or cut."""
