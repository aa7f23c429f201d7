"""What kinds of puzzle may be able to do beside being drawn, checked and saved: one small module for each ability."""
