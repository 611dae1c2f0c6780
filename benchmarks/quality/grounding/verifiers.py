"""The verifier that ships, and those that were trained beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from benchmarks.quality.grounding.rows import SHIPPED
from models.heads.public import ROOT
from models.minilm.build import CACHE
from models.minilm.source import from_package
from models.verifier.build import model_files

from sensecheck.core.encoder import PairScorer
from sensecheck.core.verifying import load_verifier
from sensecheck.encoders.verifier import OnnxVerifier

PACKAGE = "sensecheck_verifier"
TRAINED = ROOT / ".cache" / "verifier"


@dataclass(frozen=True)
class Verifiers:
    """Those that are there, by the fold that each has not seen."""

    held_out: Mapping[int, PairScorer] = field(default_factory=dict)

    @classmethod
    def trained(cls) -> "Verifiers":
        """The one that ships, where it is installed."""
        return cls({SHIPPED: load_verifier("minilm")} if find_spec(PACKAGE) else {})

    def unseen_by(self, fold: int | None) -> PairScorer | None:
        """Who has not seen a row; a set that nobody was trained on is the shipped one's."""
        return self.held_out.get(SHIPPED if fold is None else fold)

    @cached_property
    def missing(self) -> list[str]:
        """What cannot be measured without it."""
        return [] if SHIPPED in self.held_out else [f"the verifier: `{PACKAGE}` is not installed"]


def loaded(folder: Path) -> PairScorer:
    """The verifier of trained weights, by way of the same bytes and graph as the shipped one."""
    weights, model = folder / "weights.pt", folder / "model"
    bytes_ = folder / "verifier.safetensors"
    graph = model / "onnx" / "model.onnx"
    if not graph.is_file() or graph.stat().st_mtime < weights.stat().st_mtime:
        import torch  # only those who have trained need it
        from models.verifier.export import exported

        bytes_.write_bytes(exported(torch.load(weights, map_location="cpu", weights_only=True)))
        for name, content in model_files(bytes_, from_package(CACHE)).items():
            (model / name).parent.mkdir(parents=True, exist_ok=True)
            (model / name).write_bytes(content)
    return OnnxVerifier.from_folder(model)
