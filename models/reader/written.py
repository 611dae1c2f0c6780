"""Answers and `means` pairs that were written for this project, in the plain form that people can read.

The files lie in `answers`, `longer`, `short`, `repeated`, `for_cards`, `means`, `near` and `questions` of
`everyday`; each says what it is by its lines:

    == domain                            E: the expected text, behind `Q: question` if there is one
    P: passage, one or several           = an answer of the same meaning      #kind
    Q: question                          x an answer of another one           #kind
    + a sentence that is supported
    - one that is contradicted  #kind
    ? one that is not stated    #kind
    . one that claims nothing
    --                                   (the next answer to the same question)

`* ` before a sentence makes it a point of a list. In `questions`, a page is a line `== title`, its sentences
(`S: `), and questions with the numbers of the sentences each of which answers alone, or `-` where none does:
`Q: can i pay by card ^3,7`. `python models/reader/written.py` counts what is there.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

EVERYDAY = Path(__file__).resolve().parent / "everyday"
LONGER = EVERYDAY / "longer"
"""Answers over longer passages, by seven writers of whom one is kept for choices: see `mix.py`."""
SHORT = EVERYDAY / "short"
"""Sentences over passages of a few facts: cheap to read, about what readers mistook in them."""
REPEATED = EVERYDAY / "repeated"
"""Sentences that repeat a passage nearly word for word, true and false alike."""
NEAR = EVERYDAY / "near"
"""Expected texts with answers in nearly the same words, of the same meaning and of another one alike."""
FOR_CARDS = EVERYDAY / "for_cards"
"""Answers that no reader learns from: cutoffs are fitted on them."""
SENTENCES = {"+": "supported", "-": "contradicted", "?": "unsupported", ".": "no_claim"}
ANSWERS = {"=": "same", "x": "different"}
Row = dict[str, Any]


def answers(folder: Path = EVERYDAY / "answers") -> list[Row]:
    """Whole answers over passages, every sentence labelled: the shape of `everyday_train/answers`."""
    return [row for path in sorted(folder.glob("*.txt")) for row in answers_of(_lines(path), path.stem)]


def means(folder: Path = EVERYDAY / "means") -> list[Row]:
    """Expected texts, each with several answers: the shape of `everyday_train/means`."""
    return [row for path in sorted(folder.glob("*.txt")) for row in means_of(_lines(path), path.stem)]


def questions(folder: Path = EVERYDAY / "questions") -> list[Row]:
    """Pages as lists of sentences, with questions and the sentences that answer each of them."""
    return [row for path in sorted(folder.glob("*.txt")) for row in questions_of(_lines(path), path.stem)]


def agreement(path: Path = EVERYDAY / "labelled-again.jsonl") -> dict[str, tuple[int, int]]:
    """How many labels were given a second time, blind, and how many of them are the same; by set."""
    first = {
        kind: {(row["id"], one["text"]): one["label"] for row in rows for one in row[inner]}
        for kind, rows, inner in (
            ("written_answers", answers(), "sentences"),
            ("written_longer", answers(LONGER), "sentences"),
            ("written_short", answers(SHORT), "sentences"),
            ("written_repeated", answers(REPEATED), "sentences"),
            ("written_near", means(NEAR), "answers"),
            ("for_cards", answers(FOR_CARDS), "sentences"),
            ("written_means", means(), "answers"),
        )
    }
    again = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = {}
    for kind, labels in first.items():
        same = [
            labels[row["id"], row["text"]] == row["label"]
            for row in again
            if (row["id"], row["text"]) in labels
        ]
        found[kind] = (len(same), sum(same))
    return found


def answers_of(lines: Iterable[tuple[str, str]], name: str) -> Iterator[Row]:
    """The answers of one file; `lines` are pairs of a place and a line."""
    group, domain, question = 0, "", ""
    passages: list[str] = []
    told: list[Row] = []
    number = 0

    def ended() -> Iterator[Row]:
        nonlocal number, told
        if told:
            number += 1
            bad = any(one["label"] in {"contradicted", "unsupported"} for one in told)
            yield {
                "id": f"{name}-{number:03}", "group": f"{name}-g{group:02}", "domain": domain,
                "passages": passages, "question": question, "answer": _joined(told),
                "sentences": [{key: one[key] for key in ("text", "label", "kind")} for one in told],
                "label": "unsupported" if bad else "supported",
            }  # fmt: skip
        told = []

    for place, line in lines:
        mark, _, rest = line.partition(" ")
        if mark == "==":
            yield from ended()
            group, domain, question, passages = group + 1, rest, "", []
        elif mark == "P:":
            passages = [*passages, rest]
        elif mark == "Q:":
            yield from ended()
            question = rest
        elif mark == "--":
            yield from ended()
        elif mark in SENTENCES and passages and question:
            text, kind = _kind(rest)
            point = text.startswith("* ")
            told.append(
                {"text": text[2:] if point else text, "label": SENTENCES[mark], "kind": kind, "point": point}
            )
        else:
            raise ValueError(f"{place} must be a line of an answer behind `P:` and `Q:`; got {line!r}")
    yield from ended()


def means_of(lines: Iterable[tuple[str, str]], name: str) -> Iterator[Row]:
    """The expected texts of one file with their answers."""
    row: Row | None = None
    question, number = "", 0
    for place, line in lines:
        mark, _, rest = line.partition(" ")
        if mark == "Q:":
            question = rest
        elif mark == "E:":
            if row:
                yield row
            number += 1
            row = {
                "id": f"{name}-{number:03}", "group": f"{name}-g{number:03}", "question": question,
                "expected": rest, "answers": [],
            }  # fmt: skip
            question = ""
        elif mark in ANSWERS and row:
            text, kind = _kind(rest)
            row["answers"].append({"text": text, "label": ANSWERS[mark], "kind": kind})
        else:
            raise ValueError(f"{place} must be a line of an entry that starts with `E:`; got {line!r}")
    if row:
        yield row


def questions_of(lines: Iterable[tuple[str, str]], name: str) -> Iterator[Row]:
    """The pages of one file with their questions; sentences are counted from 0."""
    row: Row | None = None
    number = 0
    for place, line in lines:
        mark, _, rest = line.partition(" ")
        asked = re.fullmatch(r"(.+?)\s+\^(-|\d+(?:,\d+)*)", rest)
        if mark == "==":
            if row:
                yield row
            number += 1
            row = {"group": f"{name}-g{number:02}", "title": rest, "sentences": [], "questions": []}
        elif mark == "S:" and row:
            row["sentences"].append(rest)
        elif mark == "Q:" and row and asked:
            answers = [] if asked[2] == "-" else [int(one) - 1 for one in asked[2].split(",")]
            if not all(0 <= at < len(row["sentences"]) for at in answers):
                raise ValueError(f"{place} must name sentences of its page; got {line!r}")
            row["questions"].append({"text": asked[1], "answers": answers})
        else:
            raise ValueError(f"{place} must be a line of a page that starts with `==`; got {line!r}")
    if row:
        yield row


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that say something, each with its place."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            yield f"{path.name}:{number}", line.strip()


def _kind(text: str) -> tuple[str, str]:
    """The sentence, and the kind that stands behind it."""
    found = re.fullmatch(r"(.*?)\s+#([a-z_-]+)", text)
    return (found[1], found[2]) if found else (text, "")


def _joined(told: Iterable[Row]) -> str:
    """The answer as it is shown: points of a list on lines of their own."""
    whole = ""
    for one in told:
        listed = whole.rpartition("\n")[2].startswith("- ")
        if one["point"]:
            whole += ("\n" if whole else "") + f"- {one['text']}"
        else:
            whole += ("\n\n" if listed else " " if whole else "") + one["text"]
    return whole


def main() -> None:
    """Count what is there."""
    rows, pairs = answers(), means()
    labels = Counter(one["label"] for row in rows for one in row["sentences"])
    print(f"{len({row['group'] for row in rows})} groups, {len(rows)} answers; sentences: {dict(labels)}")
    print(f"{sum(row['label'] == 'supported' for row in rows)} answers are supported")
    told = Counter(one["label"] for row in pairs for one in row["answers"])
    print(f"{len(pairs)} expected texts; answers: {dict(told)}")
    pages = questions()
    asked = [question for page in pages for question in page["questions"]]
    answered = sum(bool(question["answers"]) for question in asked)
    print(f"{len(pages)} pages with {len(asked)} questions, {answered} of them answered")
    print(f"labelled again, and the same: {agreement()}")


if __name__ == "__main__":
    main()
