"""Results of large runs: read where they lie, never loaded whole."""
