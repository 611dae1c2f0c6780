"""What the guards of all frameworks are tested with, and what their examples print."""

import os
import subprocess
import sys
from pathlib import Path

from sensecheck.core.cutoff import Certificate, Cutoff

ROOT = Path(__file__).parents[2]
QUERY = "How long may I keep a tablet?"
TEXTS = (
    "Tablets are lent for three weeks.",
    "A tablet may be kept for three weeks.",
    "The canteen opens at noon.",
    "Late tablets cost one euro a day.",
    "Bicycles are parked behind the library.",
)
KEPT = [TEXTS[1], TEXTS[0], TEXTS[3]]
"""Those that lie nearer to the query than 0.3, the closest first."""
FITTED = Cutoff(0.3, "above", certificate=Certificate("some labels", encoder="another encoder"))


NOWHERE = "onnx:/no/such/folder"
"""An encoder that cannot be loaded: who does not ask it does not notice."""


def printed_by(example: str, **settings: str) -> str:
    """What an example prints, run as its first line says."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example)],
        env=os.environ | {"SENSECHECK_CACHE": "off"} | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
