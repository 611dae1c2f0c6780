"""The reader of sensecheck as an ONNX file, in a folder."""

from pathlib import Path

__all__ = ["__version__", "folder"]

__version__ = "2.0.0"


def folder() -> Path:
    """Return the model's folder."""
    return Path(__file__).parent / "model"
