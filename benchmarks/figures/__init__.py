"""Measured figures as Markdown, for the markers that a page may hold."""

from benchmarks.figures.markers import FIGURES, NoFigures, figures

__all__ = ["FIGURES", "NoFigures", "figures"]
