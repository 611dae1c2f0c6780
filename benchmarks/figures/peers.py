"""What people use instead, beside ours."""

from collections.abc import Iterator

from benchmarks.figures.tables import INTERVALS, Results, share, table

OURS = "sensecheck"
TASKS = {
    "means": "Does it mean the same as the expected answer?",
    "grounded": "Is the whole answer supported by its passages?",
    "ragtruth": "The same on RAGTruth, labelled by people",
    "refusals": "Is it a refusal?",
}


def peers_costs(results: Results) -> str:
    """A row for each package; ours is 1."""
    rows = [
        (
            f"{one['package']} {results['versions'][one['package']]}",
            one["distributions"],
            f"{one['megabytes']:g} MB",
            f"{one['weight']:g}",
            f"{one['import']:g}",
            f"{one['first']:g}",
            "<br>".join(f"{rule} {value:g}" for rule, value in one["pair"].items()),
        )
        for one in results["costs"]
    ]
    head = (
        "package",
        "distributions",
        "on disk",
        "disk / ours",
        "import / ours",
        "first / ours",
        "a pair / ours",
    )
    skipped = [f"{name} was skipped: {reason}" for name, reason in results["skipped"].items()]
    return "\n\n".join([table(head, rows), *skipped])


def peers_quality(results: Results) -> str:
    """A table for each task, the rule with most right rows first."""
    return (
        "\n\n".join(
            f"### {about}\n\n{_task(results, task)}"
            for task, about in TASKS.items()
            if any(one["task"] == task for one in results["quality"])
        )
        + f"\n\n{INTERVALS}"
    )


def _task(results: Results, task: str) -> str:
    found = sorted(_of(results, task), key=lambda one: -one["right"]["share"])
    rows = [
        (
            f"**{one['rule']}**" if one["rule"] == OURS else one["rule"],
            share(one["right"]),
            share(one["wrong"]),
            f"{one['undecided']['share']:.1%}",
            f"{one['auroc']:.2f}" if "auroc" in one else "",
        )
        for one in found
    ]
    return table(("rule", "right", "wrong", "not decided", "AUROC"), rows)


def _of(results: Results, task: str) -> list[Results]:
    return [one for one in results["quality"] if one["task"] == task]


def peers_behind(results: Results) -> str:
    """Where others are ahead of ours, in every respect that was measured."""
    rows = [*_behind_in_quality(results), *_behind_in_cost(results)]
    return table(("where", "who is ahead of sensecheck"), rows)


def _behind_in_quality(results: Results) -> Iterator[tuple[str, str]]:
    for task, about in TASKS.items():
        found = {one["rule"]: one for one in _of(results, task)}
        if not found:
            continue
        ours = found.pop(OURS)
        right = [name for name, one in found.items() if one["right"]["share"] > ours["right"]["share"]]
        wrong = [name for name, one in found.items() if one["wrong"]["share"] < ours["wrong"]["share"]]
        yield f"{about} More rows right, of all", ", ".join(right) or "none"
        yield f"{about} Fewer rows wrong, of all", ", ".join(wrong) or "none"


def _behind_in_cost(results: Results) -> Iterator[tuple[str, str]]:
    for key, about in (
        ("weight", "Less on disk"),
        ("import", "A faster import"),
        ("first", "A faster first score"),
    ):
        yield about, ", ".join(one["package"] for one in results["costs"] if one[key] < 1) or "none"
    faster = [
        f"{one['package']}: {rule}"
        for one in results["costs"]
        for rule, value in one["pair"].items()
        if value < 1
    ]
    yield "Less CPU time for a pair", ", ".join(faster) or "none"
