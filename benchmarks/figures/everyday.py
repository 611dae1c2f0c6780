"""Answers as assistants write them: what our checks and the plain baselines say of them."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

WRITTEN_BY = (
    "These rows were written and labelled for this project by a large language model, not by people; words "
    "in common do not predict the label, on purpose."
)


def everyday(results: Results) -> str:
    """A row for each task and rule; under it, what came out by label."""
    head = ("question", "rule", "rows", "decided", "right of what is decided")
    rows = [
        (one["task"], f"`{one['rule']}`", one["n"], share(one["decided"]), _right(one))
        for one in results["measured"]
    ]
    return f"{table(head, rows)}\n\n{INTERVALS} {WRITTEN_BY}"


def everyday_labels(results: Results) -> str:
    """Shares of each outcome by label."""
    head = ("question", "rule", "label", "rows", "pass", "fail", "unsure", "error")
    rows = [
        (one["task"], f"`{one['rule']}`", label, said["n"], *_outcomes(said))
        for one in results["measured"]
        for label, said in one["labels"].items()
    ]
    return f"{table(head, rows)}\n\n{WRITTEN_BY}"


def everyday_ragtruth(results: Results) -> str:
    """Answers of RAGTruth by length, and its claims, under the policies of `grounded`."""
    head = ("question", "policy", "of these", "rows", "pass", "fail", "unsure", "error")
    rows = [
        (one["task"], f"`{one['rule']}`", name, said["n"], *_outcomes(said))
        for one in results["ragtruth"]
        for name, said in (one["labels"] | one["kinds"]).items()
    ]
    return f"{table(head, rows)}\n\nLabelled by people."


def _right(one: Results) -> str:
    right = one["right_of_decided"]
    return "nothing is decided" if right is None else share(right)


def _outcomes(said: Results) -> list[str]:
    return [f"{said[outcome]['share']:.0%}" for outcome in ("pass", "fail", "unsure", "error")]
