"""Stores of vectors that people use, behind one small protocol; one a file, each an extra."""
