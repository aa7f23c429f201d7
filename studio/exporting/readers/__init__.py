"""Readers that prove written files, one for each format. Only the painter of artwork is shared with the writers."""
