"""Which marker shows which figures."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.figures import (
    answers,
    claims,
    costs,
    defaults,
    evals,
    everyday,
    groundedness,
    house,
    languages,
    parts,
    peers,
    precision,
    promise,
    promises,
    refusals,
    relevance,
    scale,
    serving,
    tests,
    verdicts,
    walk,
)
from benchmarks.figures.tables import Results


class NoFigures(Exception):
    """A page asks for figures that are not there."""


def figures(name: str, results: Path) -> str:
    """The Markdown for a marker, from the folder of results."""
    if name not in FIGURES:
        raise NoFigures(f"`{name}` names no figures; known: {', '.join(FIGURES)}")
    files, write = FIGURES[name]
    if isinstance(files, str):
        return write(_results(name, results, files))
    return write({file: _results(name, results, file) for file in files})


def _results(name: str, results: Path, file: str) -> Results:
    path = results / f"{file}.json"
    if not path.is_file():
        raise NoFigures(f"the figures `{name}` want `{path.name}`, which nobody has measured yet")
    found: Results = json.loads(path.read_bytes())
    return found


FIGURES: Mapping[str, tuple[str | tuple[str, ...], Callable[[Results], str]]] = {
    "speed": ("speed", costs.speed),
    "weight": ("weight", costs.weight),
    "check_times": ("check_times", costs.check_times),
    "before_and_after": ("before_and_after", costs.before_and_after),
    "house": ("house", house.house),
    "house_packages": ("house", house.house_packages),
    "files_executed": ("files_executed", house.files_executed),
    "run_family": ("run_family", house.run_family),
    "sdk_size": ("sdk_size", costs.sdk_size),
    "promptfoo": ("promptfoo", costs.promptfoo),
    "guards": ("guards", costs.guards),
    "pgvector": ("pgvector", costs.pgvector),
    "lexical": ("lexical", costs.lexical),
    "readers_speed": ("readers_speed", costs.readers_speed),
    "parts": ("parts", parts.parts),
    "parts_messages": ("parts", parts.parts_messages),
    "parts_limits": ("parts", parts.parts_limits),
    "parts_msgspec": ("parts", parts.parts_msgspec),
    "defaults": ("defaults", defaults.defaults),
    **{f"defaults_{family}": ("defaults", defaults.of_family(family)) for family in defaults.FAMILIES},
    "claims": ("claims", claims.claims),
    "everyday": ("everyday", everyday.everyday),
    "everyday_summary": ("everyday", everyday.everyday_summary),
    "everyday_labels": ("everyday", everyday.everyday_labels),
    "sentences": ("sentences", everyday.sentences),
    "trials": ("trials", everyday.trials),
    "facts": ("facts", everyday.facts),
    "claim_odds": ("claim_odds", everyday.claim_odds),
    "everyday_ragtruth": ("everyday", everyday.everyday_ragtruth),
    "languages": ("languages", languages.languages),
    "promise": ("promise", promise.promise),
    "verdict_promise": ("verdict_promise", promise.verdict_promise),
    "peers_behind": ("peers", peers.peers_behind),
    "peers_costs": ("peers", peers.peers_costs),
    "peers_quality": ("peers", peers.peers_quality),
    "promises": (promises.FILES, promises.promises),
    "promises_short": (promises.FILES, promises.promises_short),
    "precision": ("precision", precision.precision),
    "groundedness_sets": ("groundedness", groundedness.sets),
    "groundedness": ("groundedness", groundedness.ranking),
    "groundedness_detecting": ("groundedness", groundedness.detecting),
    "groundedness_telling": ("groundedness", groundedness.telling),
    "groundedness_domains": ("groundedness", groundedness.domains),
    "groundedness_changes": ("groundedness", groundedness.changes),
    "groundedness_decided": ("groundedness", groundedness.decided),
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
    "serving": ("serving", serving.load),
    "serving_cost": ("cost", serving.cost),
    "serving_attack": ("attack", serving.attack),
    "serving_core": ("serving", serving.core),
    "serving_capacity": ("serving", serving.capacity),
    "serving_faults": ("serving_faults", serving.faults),
    "extractive": ("extractive", serving.extractive),
    "related": ("related", serving.related),
    "page_questions": ("page_questions", serving.page_questions),
    "scale_overhead": ("scale_overhead", scale.overhead),
    "scale_null_rows": ("scale_null_rows", scale.null_rows),
    "scale_simulated": ("scale_simulated", scale.simulated),
    "scale_identical": ("scale_identical", scale.identical),
    "scale_throughput": ("scale_throughput", scale.throughput),
    "scale_compare": ("scale_compare", scale.compared),
    "scale_distinct": ("scale_distinct", scale.distinct),
    "scale_killed": ("scale_killed", scale.killed),
    "scale_core": ("scale_cost", scale.core),
    "scale_published": ("scale_cost", scale.published),
    "scale_cost": ("scale_cost", scale.cost),
    "scale_storage": ("scale_cost", scale.storage),
    "scale_limits": ("scale_cost", scale.limits),
    "scale_failures": ("scale_cost", scale.failures),
    "verdicts": ("verdicts", verdicts.verdicts),
    "cascade": ("cascade", verdicts.cascade),
    "coverage_core": ("coverage_core", tests.coverage_core),
    "coverage_lines": ("coverage_lines", tests.coverage_lines),
    "mutation": ("mutation", tests.mutation),
    "walk": ("walk", walk.walk),
    "second_opinion": ("second_opinion", verdicts.second_opinion),
}
"""By marker: the file of results, or several by their names, and who writes the Markdown."""
