"""Inference in processes of its own, behind a bounded queue."""
