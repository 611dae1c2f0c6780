"""`assess` with nothing cached, against the bare engine on the same texts."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.speed.bare import Encode, bare_loop, batches_of_32, sentence_transformers_loop, torch_folder
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired, race
from benchmarks.speed.texts import answers

from sensecheck.checks.assess import assess
from sensecheck.checks.presets import REFUSAL_EXEMPLARS, refusal_cluster
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.transformer import by_length


class NotTheSameWork(Exception):
    """Two contestants give different vectors: their times may not be compared."""


def measure(data: Path, *, full: bool) -> list[Measured]:
    """How much of the bare engine's throughput is left after all that a verdict is more than a vector."""
    folder = ModelFolder.at(packaged(MINILM))
    tokenizer = folder.tokenizer()
    texts = answers(data, 300 if full else 50, tokenizer=tokenizer, limit=folder.max_tokens)
    encoded = list(dict.fromkeys([*texts, *REFUSAL_EXEMPLARS]))
    encoder, check = load_encoder("minilm"), refusal_cluster()
    weights = torch_folder() if full else None
    loops: dict[str, Encode] = {
        "loop": bare_loop(tokenizer, batches_of_32),
        "engine": bare_loop(tokenizer, by_length),
        **({"peer": sentence_transformers_loop(weights)} if weights else {}),
    }
    _require_agreement(encoder, loops.values(), encoded[:40])
    contestants: dict[str, Callable[[], object]] = {
        "assess": lambda: list(assess(((Sample(text), check) for text in texts), Backends(encoder))),
        **{name: partial(loop, encoded) for name, loop in loops.items()},
    }
    spent = race(contestants, 5 if full else 3)
    notes = {
        "answers": len(texts),
        "tokens": sum(len(tokenizer.encode(text).ids) + 2 for text in encoded),
    }
    return [
        Measured.of(name, about, ratios=paired(spent[other], spent["assess"]), goal=goal, notes=notes)
        for other, name, about, goal in _AGAINST
        if other in spent
    ]


def _require_agreement(encoder: Encoder, loops: Iterable[Encode], texts: Sequence[str]) -> None:
    wanted = np.stack([placement.vector for placement in encoder.encode(texts)])
    for loop in loops:
        if np.abs(loop(texts) - wanted).max() > 1e-4:
            raise NotTheSameWork("the contestants' vectors differ by more than 1e-4")


_AGAINST = (
    (
        "loop",
        "assess against a bare ONNX Runtime loop",
        "throughput of `assess`, nothing cached, by that of a loop over the same texts, "
        "sorted by length, in batches of 32",
        Goal(0.95, "above"),
    ),
    (
        "engine",
        "assess against the same batches, bare",
        "throughput of `assess`, nothing cached, by that of a loop over exactly our batches",
        Goal(0.95, "above"),
    ),
    (
        "peer",
        "assess against sentence-transformers",
        "throughput of `assess`, nothing cached, by that of `SentenceTransformer.encode` on one thread",
        None,
    ),
)
