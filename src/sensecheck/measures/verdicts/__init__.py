"""Verdicts that a text states: in JSON however broken, by marks, by labels, or alone."""
