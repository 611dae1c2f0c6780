"""Texts to vectors: one file for each way of getting them."""
