"""Judges' feedback for the verdict head: a public set with a clean licence, and texts of our own."""

from pathlib import Path
from typing import Any

from models.heads.public import rows_of

from sensecheck.checks.train import Example
from sensecheck.core.sample import Sample

PROMETHEUS = "judge_prometheus/gpt4_feedback.jsonl.gz"
LICENCES = {
    "judge_prometheus": "Feedback of the Prometheus evaluations, Kim and others, Apache-2.0",
    "our own": "Apache-2.0, the sensecheck authors",
}
PASSES = (
    "The answer is correct and complete.",
    "This passes validation.",
    "The tool call is correct.",
    "Everything the rubric asks for is there.",
    "The response fully answers the question and invents nothing.",
    "All claims are supported by the passage.",
    "I find no mistakes; the output meets every criterion.",
    "The summary is faithful to the source.",
    "The code runs and gives the expected result.",
    "It follows the instructions exactly.",
    "The reply is relevant, accurate and polite.",
    "The response matches the reference answer in meaning.",
    "Nothing is missing, and nothing is wrong.",
    "The right function is called with the right arguments.",
    "The assistant did what was asked, and did it well.",
    "A clear and accurate explanation that satisfies the rubric.",
)
FAILS = (
    "The answer is wrong.",
    "This fails validation.",
    "The tool call is incorrect.",
    "The response does not address the question.",
    "Several claims are not supported by the passage.",
    "The output contradicts the reference answer.",
    "The summary invents facts that the source does not have.",
    "The code does not run.",
    "It ignores the instructions.",
    "The reply is off topic and of no use to the user.",
    "The date is wrong, so the answer cannot be accepted.",
    "The wrong function is called, or with the wrong arguments.",
    "The assistant refused although the request was harmless.",
    "Important parts are missing, and what is there is inaccurate.",
    "The number in the answer is not the one in the source.",
    "The response misunderstands what was asked.",
)


def feedback(data: Path) -> list[tuple[dict[str, Any], Example]]:
    """What a judge wrote: 4 or 5 points is a pass, 1 or 2 a fail; rows of one prompt belong together."""
    return [
        (row, Example(Sample(row["text"]), "pass" if int(row["score"]) >= 4 else "fail", group=row["idx"]))
        for row in rows_of(data, PROMETHEUS)
        if int(row["score"]) != 3
    ]


def our_own() -> list[Example]:
    """Short judgements, as we wrote them."""
    return [
        *(Example(Sample(text), "pass") for text in PASSES),
        *(Example(Sample(text), "fail") for text in FAILS),
    ]
