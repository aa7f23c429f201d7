"""What every room uses: errors, words, units, numbers, progress, threads, parameters, and files of makers' own."""
