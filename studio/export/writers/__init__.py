"""Writers of files, a module for each format, which share no code with the readers but the painter of artwork."""
