"""What cutoffs on similarity do to retrieved references, and how often a fitted one breaks its promise."""

from collections.abc import Iterator, Mapping

from benchmarks.figures.tables import INTERVALS, Results, share, table

_MIXES = {"drawn": "drawn", "retrieved": "the 20 nearest"}


def lines(results: Results) -> str:
    """A row for each cutoff: what it loses, and what it lets in."""
    head = (
        *("references", "cutoff", "at least", "relevant ones lost"),
        *(f"irrelevant ones kept, {said}" for said in _MIXES.values()),
    )
    rows = (tuple(_line(row)) for row in results["measured"] if row["table"] == "lines" and not _is_twin(row))
    held = f"Counted on the questions about the other half of {results['groups']} paragraphs, one of each."
    return f"{table(head, rows)}\n\n{held} {INTERVALS}"


def promise(results: Results) -> str:
    """A row for each kind of references and each promise."""
    head = (
        *("references", "irrelevant ones", "promise"),
        "fits that break it",
        "errors, on average",
        "fits that other paragraphs contradict",
        "fits that other articles contradict",
    )
    rows = (
        (
            f"{row['unit']}s",
            _MIXES[row["mix"]],
            _promised(row["target"]),
            share(row["broken"]),
            f"{row['mean']:.1%}",
            *(share(row[key]["broken"]) for key in ("other_groups", "other_articles")),
        )
        for row in results["measured"]
        if row["table"] == "promise"
    )
    said = f"{results['rounds']:,} fits of each, on half of the paragraphs or articles. {INTERVALS}"
    return f"{table(head, rows)}\n\n{said}"


def _line(row: Results) -> Iterator[str]:
    yield f"{row['unit']}s"
    card = row["by"] == "card"
    mix = f", fitted on {_MIXES[row['fitted_on']]}" if card and "fpr" in row["target"] else ""
    yield f"card, {_promised(row['target'])}{mix}" if card else "picked by hand"
    yield f"{row['line']:.3g}"
    yield share(row["relevant_lost"])
    for kind in _MIXES:
        broken = card and "fpr" in row["target"] and row["promise"][kind] == "broken"
        yield share(row["irrelevant_kept"][kind]) + (", **broken**" if broken else "")


def _is_twin(row: Results) -> bool:
    """Whether the cutoff was fitted on relevant references alone, which are the same in either mix."""
    return bool(row["by"] == "card" and "fnr" in row["target"] and row["fitted_on"] != "drawn")


def _promised(target: Mapping[str, float]) -> str:
    if "fpr" in target:
        return f"at most {target['fpr']:.0%} of irrelevant ones kept"
    return f"at most {target['fnr']:.0%} of relevant ones lost"
