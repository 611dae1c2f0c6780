"""A question about a passage: an answer is written, held back, checked, and released or not."""
