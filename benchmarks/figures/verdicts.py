"""Verdicts in judges' texts, what a cascade asks of a judge, and what its second opinion changes."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

_WRITTEN_BY = (
    "The rows were written and labelled for this project by a large language model, and so were the judge's "
    "replies, without sight of the labels; not by people."
)


def verdicts(results: Results) -> str:
    """A row for each rule."""
    rows = (
        (row["rule"], _right(row["right"]), share(row["unsure"]), row["errors"])
        for row in results["measured"]
    )
    head = ("rule", "right, of what it decides", "unsure", "errors")
    return f"{table(head, rows)}\n\n{results['rows']} judgements, half of them passes. {INTERVALS}"


def cascade(results: Results) -> str:
    """A row for each way of deciding, and whether the goal is met."""
    rows = (
        (
            row["way"],
            f"{row['asked_share']:.1%}",
            share(row["accuracy"]),
            _difference(row["against_always"]) if row["asked"] < results["rows"] else "",
        )
        for row in results["measured"]
    )
    head = ("way", "judge asked", "accuracy", "compared with always asking, in points")
    goal = results["goal"]
    met = "met" if goal["met"] else "**not met**"
    said = f"Goal: ask about at most {goal['most_asked']:.0%} of the answers, without loss: {met}."
    answers = f"{results['rows']:,} answers, {results['refusals']:,} of them refusals."
    return f"{table(head, rows)}\n\n{said} {answers} {INTERVALS}"


def second_opinion(results: Results) -> str:
    """A row for each task and way of deciding; what the judge was asked, and what became of that."""
    rows = (
        (
            row["task"],
            row["way"],
            row["rows"],
            share(row["decided"]),
            _right(row["right_of_decided"]),
            *_became(row["judge"]),
        )
        for row in results["measured"]
    )
    head = (
        "question",
        "way",
        "rows",
        "decided",
        "right, of what it decides",
        "judge asked",
        "from unsure to pass",
        "from unsure to fail",
        "no usable reply",
    )
    return f"{table(head, rows)}\n\n{INTERVALS} {_WRITTEN_BY}"


def _became(judge: Results | None) -> tuple[object, ...]:
    if judge is None:
        return ("",) * 4
    moved = (f"{judge[to]['n']}, {judge[to]['right']} of them right" for to in ("to_pass", "to_fail"))
    return judge["asked"], *moved, judge["errors"]


def _right(found: Results | None) -> str:
    return "decides nothing" if found is None else f"{share(found)} of {found['n']}"


def _difference(found: Results) -> str:
    points = (f"{100 * found[key]:+.1f}" for key in ("difference", "low", "high"))
    return "{} ({} to {})".format(*points)
