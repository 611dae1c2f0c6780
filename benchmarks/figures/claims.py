"""What claims nothing: how much of it is recognised, and how many claims are taken for it."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

WRITTEN_BY = (
    "The rows of `everyday` and `everyday_train` were written and labelled for this project by a large "
    "language model, not by people; BEGIN was labelled by people. The rules were written while reading "
    "errors on these rows."
)


def claims(results: Results) -> str:
    """A row for each set and label."""
    head = ("set", "label", "rows", "classified as no claim", "as", "rejected")
    rows = [
        (f"`{one['set']}`", one["label"], one["n"], share(one["recognised"]), _kinds(one), _rejected(one))
        for one in results["measured"]
    ]
    return f"{table(head, rows)}\n\n{INTERVALS} {WRITTEN_BY}"


def _kinds(one: Results) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in one["kinds"].items()) or "–"


def _rejected(one: Results) -> str:
    return "not measured" if one["rejected"] is None else share(one["rejected"])
