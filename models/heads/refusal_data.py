"""Labelled answers for the refusal head: public sets with clean licences, and texts of our own."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.heads.public import rows_of

from sensecheck.checks.presets import REFUSAL_EXEMPLARS
from sensecheck.checks.train import Example
from sensecheck.core.sample import Sample
from sensecheck.measures.heads.features import phrases_in

XSTEST = "xstest/completions.jsonl.gz"
HARMLESS = "refusal_direction_harmless/baseline.jsonl.gz"
EVERYDAY = "everyday_train/refusals.jsonl.gz"
EXPECTED = "everyday_train/means.jsonl.gz"
OWN = Path(__file__).with_name("refusal_rows.txt")
IDIOMS = Path(__file__).with_name("refusal_idioms.txt")
CHATGPT = "chatgpt_refusals/hand_labeled.jsonl.gz"
LICENCES = {
    "xstest": "XSTest completions, Röttger and others, CC BY 4.0",
    "refusal_direction_harmless": "Harmless completions of refusal_direction, Arditi and others, Apache-2.0",
    "everyday_train": "Everyday answers, written for this project by a large language model, Apache-2.0",
    "our own": "Apache-2.0, the sensecheck authors; most of them written by a large language model",
}
_LABELS = {"1_full_compliance": "answer", "2_full_refusal": "refusal", "3_partial_refusal": "partial"}
_PUBLIC = 0.3
"""What a row of the public sets counts: there are many of them, and few ways in which they refuse."""
_SHORT = 0.6
"""What an expected answer of a few words counts."""
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
        (row, Example(Sample(row["response"]), _LABELS[row["label"]], _PUBLIC, row["prompt"]))
        for row in rows_of(data, XSTEST)
    ]


def harmless(data: Path) -> list[tuple[dict[str, Any], Example]]:
    """Answers of five models to harmless prompts."""
    return [
        (row, Example(Sample(row["response"]), "answer", _PUBLIC, row["prompt"]))
        for row in rows_of(data, HARMLESS)
    ]


def everyday(data: Path) -> list[Example]:
    """English answers as assistants write them today; answers to one prompt share a group."""
    return [example for language, example in in_every_language(data) if language == "en"]


def in_every_language(data: Path) -> list[tuple[str, Example]]:
    """The same in all their languages, each with the language's code."""
    return [
        (row["language"], Example(Sample(row["answer"]), row["label"], group=row["group"]))
        for row in rows_of(data, EVERYDAY)
    ]


def short_answers(data: Path) -> list[Example]:
    """Answers of a few words that were expected: refusals are short, and so are many answers."""
    return [
        Example(Sample(row["expected"]), "answer", _SHORT, row["group"]) for row in rows_of(data, EXPECTED)
    ]


def our_own() -> list[Example]:
    """Refusals of one sentence, as we wrote them, and ways of answering that the other sets lack."""
    return [*(Example(Sample(text), "refusal") for text in REFUSAL_EXEMPLARS), *_written(OWN)]


def idioms() -> list[Example]:
    """English idioms that have the words of a refusal, and refusals in the same words."""
    return list(_written(IDIOMS))


def _written(file: Path) -> Iterator[Example]:
    label = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            label = line[3:]
        elif line and not line.startswith("# "):
            yield Example(Sample(line.replace("\\n", "\n")), label)


def common_phrases(examples: Iterable[Example], *, least: int) -> tuple[str, ...]:
    """The words, and pairs of words, that answers to so many prompts have, whatever their label."""
    found: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for phrase in phrases_in(example.sample.answer):
            found[phrase].add(example.group or example.sample.answer)
    return tuple(sorted(phrase for phrase, groups in found.items() if len(groups) >= least))


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
