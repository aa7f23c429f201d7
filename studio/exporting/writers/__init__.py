"""Writers of files, one for each format. Only the painter of artwork is shared with the readers."""
