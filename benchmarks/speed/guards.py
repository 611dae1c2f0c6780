"""Measure guards beside LangChain's and LlamaIndex's: `python benchmarks/speed/guards.py`.

The same queries, candidates, encoder and cutoff; who keeps something else is not compared.
Wants an environment with both of them: `just guards` makes it.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed import guard_peers as peers
from benchmarks.speed.guard_texts import Asked, all_distinct, near_each
from benchmarks.speed.measured import Goal, Measured, shown
from benchmarks.speed.rounds import paired, race

from sensecheck.config import Settings
from sensecheck.core.backends import Encoder
from sensecheck.core.loading import load_encoder

RESULTS = Path(__file__).resolve().parents[1] / "results" / "guards.json"
PACKAGES = ("sensecheck", "langchain-core", "langchain-classic", "langchain-community", "llama-index-core")
CUTOFF, CANDIDATES = 0.45, 20
NOISE = 1e-5
"""How near to the cutoff a similarity must lie for arithmetic to decide."""
OURS, ALONE = "ours", "the encoder alone"
THEIRS = ("EmbeddingsFilter", "SimilarityPostprocessor")
AS_IT_COMES = "each as it comes"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A guard, and what it is handed; one for each slice of the queries."""

    guard: peers.Guard
    prepared: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    queries: int
    slices: int
    distinct: int
    filtering: int
    """Rounds of filtering alone, which is quick."""


FULL, SHORT = Size(2000, 10, 60, 9), Size(60, 3, 12, 3)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure guards beside their peers, as ratios in one run.")
    parser.add_argument("--short", action="store_true", help="a minute, to see that it works; writes nothing")
    arguments = parser.parse_args()
    data = Settings.from_environment().data
    if not data:
        sys.exit("wanted: SENSECHECK_DATA as a folder of labelled public data")
    found = measure(Path(data), SHORT if arguments.short else FULL)
    for one in found["measured"]:
        goal = "" if one["goal"] is None else f"; goal {one['goal']}: {'met' if one['met'] else 'missed'}"
        print(f"{one['about']}: {shown(one['ratio'])} ({shown(one['low'])} to {shown(one['high'])}{goal})")
    if not arguments.short:
        RESULTS.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(data: Path, size: Size) -> dict[str, Any]:
    """Every ratio, with what was measured, as plain data."""
    encoder = load_encoder("minilm")
    shared = near_each(data, encoder, queries=size.queries, candidates=CANDIDATES)
    strangers = all_distinct(data, encoder, queries=size.distinct, candidates=CANDIDATES)
    measured = [
        *filtering(shared, size.filtering),
        *against(encoder, strangers, 3, cached=False, what="no candidate occurs twice"),
        *against(encoder, shared, size.slices, cached=True, what="theirs with their own caches in memory"),
        *against(encoder, shared, size.slices, cached=False, what=AS_IT_COMES, goal=Goal(2, "above")),
    ]
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "python": python_version(),
        "machine": machine(),
        "cutoff": CUTOFF,
        "candidates": CANDIDATES,
        "shared": about(shared),
        "strangers": about(strangers),
        "measured": [one.to_data() for one in measured],
    }


def about(asked: Sequence[Asked]) -> dict[str, object]:
    """What was asked, in numbers."""
    near = [closeness for one in asked for closeness in one.closeness]
    return {
        "queries": len(asked),
        "candidates": len(near),
        "distinct_candidates": len({text for one in asked for text in one.texts}),
        "kept": sum(closeness >= CUTOFF for closeness in near),
        "within_noise_of_the_cutoff": sum(abs(closeness - CUTOFF) <= NOISE for closeness in near),
    }


def against(
    encoder: Encoder,
    asked: Sequence[Asked],
    slices: int,
    *,
    cached: bool,
    what: str,
    goal: Goal | None = None,
) -> list[Measured]:
    """Everybody by ours, over the queries in slices, in which they take turns."""
    parts = [asked[at::slices] for at in range(slices)]
    documents = [peers.documents_of(part) for part in parts]
    nodes = [peers.nodes_of(part) for part in parts]
    contestants = {
        OURS: Contestant(peers.ours(encoder, CUTOFF), parts),
        "EmbeddingsFilter": Contestant(peers.embeddings_filter(encoder, CUTOFF, cached=cached), documents),
        "SimilarityPostprocessor": Contestant(
            peers.similarity_postprocessor(encoder, CUTOFF, cached=cached), nodes
        ),
    }
    if not cached:
        contestants["our compressor"] = Contestant(peers.our_compressor(encoder, CUTOFF), documents)
        contestants[ALONE] = Contestant(peers.alone(encoder), parts)
    spent, differ = taken(contestants, parts)
    return [
        total(name, what, spent, goal if name in THEIRS else None, differ) for name in spent if name != OURS
    ]


def taken(
    given: Mapping[str, Contestant], parts: Sequence[Sequence[Asked]]
) -> tuple[dict[str, list[float]], dict[str, int]]:
    """CPU seconds by contestant and slice; and how many decisions arithmetic made otherwise than for ours."""
    kept: dict[str, list[list[str]]] = {name: [] for name in given}

    def turn(name: str, one: Contestant) -> Callable[[], None]:
        slices = iter(one.prepared)
        return lambda: kept[name].extend(one.guard(next(slices)))

    spent = race({name: turn(name, one) for name, one in given.items()}, len(parts))
    asked = [one for part in parts for one in part]
    differ = {
        name: require_agreement(name, asked, found, kept[OURS])
        for name, found in kept.items()
        if name != ALONE
    }
    for name, seconds in spent.items():
        print(f"{name}: {sum(seconds):.1f} CPU s", file=sys.stderr)
    return spent, differ


def require_agreement(
    name: str, asked: Sequence[Asked], found: Sequence[Sequence[str]], ours: Sequence[Sequence[str]]
) -> int:
    """How many candidates are kept by one and not by ours; stop where more than arithmetic is the reason."""
    differing = 0
    for one, theirs, mine in zip(asked, found, ours, strict=True):
        closeness = dict(zip(one.texts, one.closeness, strict=True))
        for text in set(theirs) ^ set(mine):
            differing += 1
            if abs(closeness[text] - CUTOFF) > NOISE:
                sys.exit(f"{name} and ours do not keep the same at {closeness[text]}; nothing was written")
    return differing


def total(
    name: str, what: str, spent: Mapping[str, Sequence[float]], goal: Goal | None, differ: Mapping[str, int]
) -> Measured:
    """All that one took by all that ours took; the slices tell how far the ratio moves."""
    slices = paired(list(spent[name]), list(spent[OURS]))
    seconds = {"seconds": round(sum(spent[name]), 2), "our_seconds": round(sum(spent[OURS]), 2)}
    return Measured(
        f"{name}, {what}",
        f"CPU time of {name} by our chain, {what}",
        sum(spent[name]) / sum(spent[OURS]),
        min(slices),
        max(slices),
        len(slices),
        goal,
        {**seconds, **({"kept_otherwise": differ[name]} if name in differ else {})},
    )


def filtering(asked: Sequence[Asked], rounds: int) -> list[Measured]:
    """What a decision costs where the scores are given."""
    matches, nodes = peers.matches_of(asked), peers.nodes_of(asked)
    guards = peers.given_scores(CUTOFF)
    handed: Mapping[str, Sequence[Any]] = {name: matches if name == OURS else nodes for name in guards}
    kept = {name: [sorted(texts) for texts in guard(handed[name])] for name, guard in guards.items()}
    if any(found != kept[OURS] for found in kept.values()):
        sys.exit("with given scores, not all keep the same; nothing was written")
    spent = race({name: _turn(guard, handed[name]) for name, guard in guards.items()}, rounds)
    return [
        Measured.of(
            f"{name}, scores given",
            f"CPU time of {name} by our chain, scores given: filtering alone",
            ratios=paired(spent[name], spent[OURS]),
            notes={"microseconds_a_query": round(1e6 * min(spent[name]) / len(asked), 1)}
            | {"our_microseconds_a_query": round(1e6 * min(spent[OURS]) / len(asked), 1)},
        )
        for name in guards
        if name != OURS
    ]


def _turn(guard: peers.Guard, prepared: Sequence[Any]) -> Callable[[], object]:
    return lambda: guard(prepared)


if __name__ == "__main__":
    main()
