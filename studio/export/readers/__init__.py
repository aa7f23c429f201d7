"""Readers that prove written files, a module for each format, which share no code with the writers but the painter of artwork."""
