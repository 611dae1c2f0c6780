"""Metrics of answers beside expected ones: how well each follows what people say."""

from collections.abc import Iterator

from benchmarks.figures.groundedness import figure
from benchmarks.figures.tables import Results, table

_WAYS = {"auroc": "AUROC", "joined": "separator not named", "references": "longer reference"}
_DRAWN = "In brackets: 95% intervals from resampling complete {what}."


def answers(results: Results) -> str:
    """A row for each metric: its AUROC over all answers, where less is given, and system by system."""
    rows = _of(results, "answers")
    systems = list(rows[0]["systems"]) if rows else []
    lines = (
        (
            row["metric"],
            *(figure(row[key]) for key in _WAYS),
            *(f"{row['systems'][name]['value']:.3f}" for name in systems),
        )
        for row in rows
    )
    head = ("metric", *_WAYS.values(), *systems)
    return f"{table(head, lines)}\n\n{_sizes(results)} {_DRAWN.format(what='questions')}"


def pairs(results: Results) -> str:
    """A row for each metric: how it follows the scores of pairs of sentences."""
    by_metric: dict[str, dict[str, Results]] = {}
    for row in _of(results, "pairs"):
        by_metric.setdefault(row["metric"], {})[row["set"]] = row
    lines = ((metric, *_followed(sets)) for metric, sets in by_metric.items())
    head = ("metric", "stsb, Spearman", "sick, Spearman", "sick, AUROC of entailment against contradiction")
    return f"{table(head, lines)}\n\n{_DRAWN.format(what='pairs')}"


def _sizes(results: Results) -> str:
    longer = results["references"]
    return (
        f"{results['rows']:,} answers to {results['questions']:,} questions, {results['correct']:,} of them "
        f"correct; {results['left_out']} with a text that the encoder cannot read are left out. "
        f"For {results['several']:,} of the answers, alternatives are expected. A longer reference "
        f"exists for {longer['rows']:,} answers, {longer['correct']:,} of them correct."
    )


def _followed(sets: dict[str, Results]) -> Iterator[str]:
    yield figure(sets["stsb"]["spearman"])
    yield figure(sets["sick"]["spearman"])
    yield figure(sets["sick"]["auroc"])


def _of(results: Results, name: str) -> list[Results]:
    return [row for row in results["measured"] if row["table"] == name]
