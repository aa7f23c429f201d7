"""Search and proof that need no puzzle: matchings now, exact cover and loops with the kinds that need them."""
