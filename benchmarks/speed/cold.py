"""`assess` with nothing cached, against the bare engine on the same texts."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.speed.bare import bare_loop, sentence_transformers_loop
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired, race
from benchmarks.speed.texts import answers
from sensecheck.checks.assess import assess
from sensecheck.checks.presets import refusal_cluster
from sensecheck.checks.refusals import REFUSAL_EXEMPLARS
from sensecheck.core.encoder import Answerers
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.encoders.folder import ModelFolder
from sensecheck.encoders.weights import MINILM, packaged


class NotTheSameWork(Exception):
    """Two contestants give different vectors: their times may not be compared."""


def measure(data: Path, *, full: bool) -> list[Measured]:
    """How much of the bare engine's throughput is left after everything that a verdict is more than a vector."""
    folder = ModelFolder.at(packaged(MINILM))
    tokenizer = folder.tokenizer()
    texts = answers(data, 400 if full else 120, tokenizer=tokenizer, limit=folder.max_tokens)
    encoded = list(dict.fromkeys([*texts, *REFUSAL_EXEMPLARS]))
    encoder, bare, peer = load_encoder("minilm"), bare_loop(tokenizer), sentence_transformers_loop()
    check = refusal_cluster()
    contestants: dict[str, Callable[[], object]] = {
        "assess": lambda: list(assess(((Sample(text), check) for text in texts), Answerers(encoder))),
        "bare": lambda: bare(encoded),
    }
    few = encoded[:40]
    wanted = np.stack([placement.vector for placement in encoder.place(few)])
    for other in (bare, peer):
        if other is not None and np.abs(other(few) - wanted).max() > 1e-4:
            raise NotTheSameWork("the contestants' vectors differ by more than 1e-4")
    spent = race(contestants, 7 if full else 3)
    notes: dict[str, object] = {
        "answers": len(texts),
        "tokens": sum(len(tokenizer.encode(text).ids) + 2 for text in encoded),
    }
    found = [
        Measured.of(
            "assess against a bare ONNX Runtime loop",
            "throughput of `assess`, nothing cached, by that of the loop on the same texts",
            ratios=paired(spent["bare"], spent["assess"]),
            goal=Goal(0.95, "above"),
            notes=notes,
        )
    ]
    if peer is not None and full:
        again = race({"assess": contestants["assess"], "peer": lambda: peer(encoded)}, 3)
        found.append(
            Measured.of(
                "assess against sentence-transformers",
                "throughput of `assess`, nothing cached, by that of `SentenceTransformer.encode`, one thread",
                ratios=paired(again["peer"], again["assess"]),
                notes=notes,
            )
        )
    return found
