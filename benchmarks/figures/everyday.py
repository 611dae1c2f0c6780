"""Answers as assistants write them: what our checks and the plain baselines say of them."""

from itertools import pairwise

from benchmarks.figures.tables import INTERVALS, Results, share, table

WRITTEN_BY = (
    "These rows were written and labelled for this project by a large language model, not by people; words "
    "in common do not predict the label, on purpose."
)
WRITTEN_BY_BUT_RAGTRUTH = (
    "All but the last were written and labelled for this project by a large language model, not by people, "
    "so that words in common do not predict the label; nothing was trained on them."
)


def everyday(results: Results) -> str:
    """A row for each task and rule; under it, what came out by label."""
    head = ("question", "rule", "rows", "decided", "right of what is decided")
    rows = [
        (one["task"], f"`{one['rule']}`", one["n"], share(one["decided"]), _right(one))
        for one in results["measured"]
    ]
    return f"{table(head, rows)}\n\n{INTERVALS} {WRITTEN_BY}"


def sentences(results: Results) -> str:
    """What `means` makes of answers with a second sentence."""
    head = (
        "",
        "right ones that pass",
        "right ones that fail",
        "wrong ones that pass",
        "wrong ones that fail",
    )
    rows = [
        (
            one["rule"],
            *(
                share(one["labels"][label][outcome])
                for label in ("same", "different")
                for outcome in ("pass", "fail")
            ),
        )
        for one in results["measured"]
    ]
    return f"{results['rows']} answers of one sentence.\n\n{table(head, rows)}\n\n{INTERVALS} {WRITTEN_BY}"


def claim_odds(results: Results) -> str:
    """How well the reader, the words and both tell supported claims from others."""
    head = ("claims of", "claims", "weight in the fit", "by the reader", "by words", "by both")
    rows = [
        (
            f"`{one['set']}`", one["claims"], f"{one['share']:.0%}",
            *(f"{one[by]:.3f}" for by in ("reader", "words", "both")),
        )
        for one in results["measured"]
    ]  # fmt: skip
    return (
        f"{table(head, rows)}\n\nAUROC of supported claims. Those of `everyday` were written and labelled by "
        "a language model, the others by people."
    )


FACTS = ("number", "date", "unit", "name", "negation", "opposite", "quantifier", "derived_number", "nothing")


def facts(results: Results) -> str:
    """Of what the reader finds so probable, and in which something differs, how much is right."""
    edges = [*results["edges"], 1]
    head = ("check", "what differs", *(f"{low:.0%} to {high:.0%}" for low, high in pairwise(edges)))
    rows = [
        (
            f"`{check}`",
            kind.replace("derived_number", "a number, but it can be calculated"),
            *(f"{good} of {whole}" if whole else "" for good, whole in found[kind]),
        )
        for check, found in results["checks"].items()
        for kind in dict.fromkeys((*FACTS, *found))
        if kind in found and sum(whole for _, whole in found[kind]) >= 20
    ]
    return f"{table(head, rows)}\n\nWritten and labelled by a language model, not by people."


def trials(results: Results) -> str:
    """What the reader makes of answers that others tried, and what the one before it made of them."""
    head = (
        "check",
        "reader",
        "rows",
        "decided",
        "right of what is decided",
        "good that fail",
        "bad that pass",
    )
    measured = list(results["readers"].values())[-2:]
    names = ("the one before", "the one that ships")[-len(measured) :]
    rows = [
        (
            f"`{check}`",
            name,
            found["n"],
            share(found["decided"]),
            _right(found),
            share(found["labels"]["good"]["fail"]),
            share(found["labels"]["bad"]["pass"]),
        )
        for check in ("means", "grounded")
        for name, found in zip(names, (one[check] for one in measured), strict=True)
    ]
    return f"{table(head, rows)}\n\n{INTERVALS} Written and labelled by a language model, not by people."


SUMMARY = (
    ("Does it mean the same as the expected answer?", "means", "means", "cosine 0.7"),
    ("Is each claim supported by the passages?", "grounded: claims", "default", None),
    ("Is the whole answer supported?", "grounded: answers", "default", "cosine 0.7"),
    ("Is it a refusal?", "refusals: English", "not_a_refusal", None),
    ("Is the whole answer supported? RAGTruth, labelled by people", "RAGTruth: answers", "default", None),
)
"""What the README shows: a question, a task, our rule and what people use instead."""


def everyday_summary(results: Results) -> str:
    """A row for each question: how much our check decides, how much of it is right, and a plain rule."""
    found = {(one["task"], one["rule"]): one for one in (*results["measured"], *results["ragtruth"])}
    head = ("question", "rows", "decided", "right of what is decided", "a cosine of at least 0.7 is right")
    rows = [
        (
            asked,
            found[task, ours]["n"],
            f"{found[task, ours]['decided']['share']:.0%}",
            _right(found[task, ours]),
            "" if plain is None else _right(found[task, plain]),
        )
        for asked, task, ours, plain in SUMMARY
    ]
    return f"{table(head, rows)}\n\nWhat is not decided is `unsure`. {INTERVALS} {WRITTEN_BY_BUT_RAGTRUTH}"


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
