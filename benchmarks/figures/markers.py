"""Which marker shows which figures."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.figures import (
    answers,
    costs,
    defaults,
    evals,
    groundedness,
    promise,
    refusals,
    relevance,
    verdicts,
)
from benchmarks.figures.tables import Results


class NoFigures(Exception):
    """A page asks for figures that are not there."""


def figures(name: str, results: Path) -> str:
    """The Markdown for a marker, from the folder of results."""
    if name not in FIGURES:
        raise NoFigures(f"`{name}` names no figures; known: {', '.join(FIGURES)}")
    file, write = FIGURES[name]
    path = results / f"{file}.json"
    if not path.is_file():
        raise NoFigures(f"the figures `{name}` want `{path.name}`, which nobody has measured yet")
    return write(json.loads(path.read_bytes()))


FIGURES: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "speed": ("speed", costs.speed),
    "weight": ("weight", costs.weight),
    "promptfoo": ("promptfoo", costs.promptfoo),
    "guards": ("guards", costs.guards),
    "pgvector": ("pgvector", costs.pgvector),
    "lexical": ("lexical", costs.lexical),
    "defaults": ("defaults", defaults.defaults),
    **{f"defaults_{family}": ("defaults", defaults.of_family(family)) for family in defaults.FAMILIES},
    "promise": ("promise", promise.promise),
    "groundedness": ("groundedness", groundedness.ranking),
    "groundedness_detecting": ("groundedness", groundedness.detecting),
    "groundedness_trained": ("groundedness", groundedness.trained),
    "groundedness_telling": ("groundedness", groundedness.telling),
    "groundedness_domains": ("groundedness", groundedness.domains),
    "groundedness_changes": ("groundedness", groundedness.changes),
    "groundedness_decided": ("groundedness", groundedness.decided),
    "verifier_training": ("verifier_training", groundedness.trainings),
    "groundedness_accepted": ("groundedness", groundedness.accepted),
    "groundedness_contrast": ("groundedness", groundedness.contrast),
    "refusals": ("refusals", refusals.xstest),
    "refusals_shipped": ("refusals", refusals.shipped),
    "refusals_chatgpt": ("refusals", refusals.chatgpt),
    "relevance": ("relevance", relevance.lines),
    "relevance_promise": ("relevance", relevance.promise),
    "evals_100k": ("evals_100k", evals.many_pairs),
    "rag_peers": ("rag_peers", evals.peers),
    "rag_peers_variants": ("rag_peers", evals.peers_variants),
    "answers": ("answers", answers.answers),
    "answers_pairs": ("answers", answers.pairs),
    "verdicts": ("verdicts", verdicts.verdicts),
    "cascade": ("cascade", verdicts.cascade),
}
"""By marker: the file of results, and who writes the Markdown."""
