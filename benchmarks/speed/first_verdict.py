"""From nothing to the first verdict, in a fresh process."""

from benchmarks.speed.bare import torch_folder
from benchmarks.speed.children import alternate
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired

OURS = """
from sensecheck import Sense
print(Sense.load().means("The shop closes at five.", "The shop shuts at five."))
"""
PEER = """
import sys
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu")
one, other = model.encode(["The shop closes at five.", "The shop shuts at five."], normalize_embeddings=True)
print(float(one @ other) >= 0.6)
"""


def measure(*, full: bool) -> list[Measured]:
    """How much CPU time the first verdict takes, as a share of what sentence-transformers takes."""
    folder = torch_folder()
    if folder is None:
        return []
    spent = alternate({"ours": ("-c", OURS), "peer": ("-c", PEER, str(folder))}, 7 if full else 2)
    return [
        Measured.of(
            "first verdict of a fresh process",
            "CPU time of load and one `means`, by that of load and one cosine with sentence-transformers",
            ratios=paired(spent["ours"], spent["peer"]),
            goal=Goal(1 / 8, "below"),
        )
    ]
