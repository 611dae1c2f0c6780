"""Tests of the middleware."""
