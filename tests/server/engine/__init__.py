"""Tests of the engine processes."""
