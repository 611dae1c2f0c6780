"""Two runs of a battery held against each other, test by test."""
