"""The work of a large run, here or on a cluster."""

from typing import Literal

On = Literal["inline", "processes", "ray"]
"""Who works: this process, several on this machine, or a Ray cluster."""
