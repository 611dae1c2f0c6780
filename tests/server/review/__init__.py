"""Tests of figures and fitted policies."""
