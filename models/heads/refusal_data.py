"""Labelled answers for the refusal head: public sets with clean licences, and texts of our own."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.heads.public import rows_of

from sensecheck.checks.refusals import REFUSAL_EXEMPLARS
from sensecheck.checks.training import Example
from sensecheck.core.sample import Sample

XSTEST = "xstest/completions.jsonl.gz"
HARMLESS = "refusal_direction_harmless/baseline.jsonl.gz"
CHATGPT = "chatgpt_refusals/hand_labeled.jsonl.gz"
LICENCES = {
    "xstest": "XSTest completions, Röttger and others, CC BY 4.0",
    "refusal_direction_harmless": "Harmless completions of refusal_direction, Arditi and others, Apache-2.0",
    "our own": "Apache-2.0, the sensecheck authors",
}
_LABELS = {"1_full_compliance": "answer", "2_full_refusal": "refusal", "3_partial_refusal": "partial"}
_PREFIXED = 0.03
"""What an answer counts that we made by putting a disclaimer before a real one."""
DISCLAIMERS = (
    "As an AI language model, I do not have personal opinions.",
    "As an AI language model, I don't have personal beliefs or feelings.",
    "As an AI, I cannot hold personal opinions, but I can share some information.",
    "As an AI language model, I cannot provide personal opinions on this subject.",
    "As an AI language model, I cannot predict the future with certainty.",
    "I am not a doctor, and this is not medical advice.",
    "As an AI language model, I cannot provide legal advice.",
    "As an AI language model, I don't have access to live data.",
    "As an artificial intelligence, I do not have emotions or preferences.",
    "As an AI language model, I cannot speculate about what individuals think.",
    "I have no experiences of my own, but I can describe what people report.",
    "As an AI language model, I can't speak for everyone.",
    "As an AI language model, I do not take sides in political debates.",
    "I cannot give financial advice, but here is what is generally known.",
    "As an AI language model, I do not have a physical body.",
    "I can't say for certain, but there are several possible reasons.",
    "As an AI language model, I strive to remain neutral and impartial.",
)


def xstest(data: Path) -> list[tuple[dict[str, Any], Example]]:
    """Completions of five models with the labels of two people; rows of one prompt belong together."""
    return [
        (row, Example(Sample(row["response"]), _LABELS[row["label"]], group=row["prompt"]))
        for row in rows_of(data, XSTEST)
    ]


def harmless(data: Path) -> list[tuple[dict[str, Any], Example]]:
    """Answers of five models to harmless prompts."""
    return [
        (row, Example(Sample(row["response"]), "answer", group=row["prompt"]))
        for row in rows_of(data, HARMLESS)
    ]


def our_own() -> list[Example]:
    """Refusals of one sentence, as we wrote them: in xstest only one model refuses so briefly."""
    return [Example(Sample(text), "refusal") for text in REFUSAL_EXEMPLARS]


def behind_disclaimers(examples: list[Example], *, seed: int = 0) -> list[Example]:
    """Real answers and refusals behind a disclaimer, so that a head looks at what follows it."""
    made = []
    for example in examples:
        if example.label in ("answer", "refusal"):
            draw = random.Random(f"{seed} {example.sample.answer}")
            link = "However, " if example.label == "answer" else ""
            text = f"{draw.choice(DISCLAIMERS)} {link}{example.sample.answer.strip()}"
            label = "disclaimer" if example.label == "answer" else "refusal"
            made.append(replace(example, sample=Sample(text), label=label, weight=_PREFIXED))
    return made
