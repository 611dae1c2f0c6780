"""Answers from whole pages without a language model: `python benchmarks/quality/page_questions.py [--fit]`.

About half of the questions (`benchmarks/data/page_questions`) are not answered by their page. Those of each
page are judged by weights that were fitted on the other pages; what ships is fitted on all of them. The pages
of `LATER` were written when all else was done: they are also judged by what the pages before them had fitted.
`useful`: what is given holds the answer. `wrong`: something is given, and it does not.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
import numpy.typing as npt
from benchmarks.quality.shares import counted
from models.heads.public import ROOT, remembering_encoder

from sensecheck.checks.assess import Staircase, assess
from sensecheck.config import Settings, verifier
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.grounding.answer_search import (
    FEATURES,
    AnswerSearch,
    answer_search,
    answer_search_from,
    answering,
    left_to_extraction,
    word_features,
)
from sensecheck.grounding.extractive import answers_in, extraction, to_extract
from sensecheck.grounding.question import Quotable

DATA = ROOT / "benchmarks" / "data" / "page_questions"
RESULTS = ROOT / "benchmarks" / "results" / "page_questions.json"
RULE = ROOT / "src" / "sensecheck" / "grounding" / "answer_search.json"
EARLIER, LATER = ("questions", "more_development", "fresh"), ("later_a", "later_b")
WORDS = FEATURES.index("supported")
FIRST = (1.5, 1.5, 0.3, 0.5, -0.5)
"""The weights by which sentences are chosen before any are fitted."""
MARGIN, RIDGE, MAX_WRONG = 1.0, 8.0, 0.05
_ROUNDS, _DIGITS = 30, 3
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question about a page, and stretches of which an answer holds one; none where there is no answer."""

    part: str
    page: str
    question: str
    answers: tuple[str, ...]

    @property
    def sample(self) -> Sample:
        """What is searched."""
        sample = to_extract(self.question, (DATA / "pages" / self.page).read_text(encoding="utf-8"))
        assert sample is not None, self
        return sample

    def holds(self, text: str) -> bool:
        """Whether a text holds the answer."""
        return any(answer in text for answer in self.answers)


def main() -> None:
    """Measure; and ship the weights where that is wanted."""
    parser = argparse.ArgumentParser(description="Answers from whole pages without a language model.")
    parser.add_argument("--fit", action="store_true", help="ship the weights that were fitted")
    options = parser.parse_args()
    readers = Backends(remembering_encoder(), verifier(Settings.from_environment()))
    earlier, later = questions(*EARLIER), questions(*LATER)
    by_earlier, _ = fit(earlier, readers)
    rows = [*earlier, *later]
    rule, left_out = fit(rows, readers)
    if options.fit:
        RULE.write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
        answer_search.cache_clear()
    found = {
        "pages": len({one.page for one in rows}),
        "questions": len(rows),
        "extraction": measured(rows, extraction(), readers),
        "left_out": left_out,
        "shipped": measured(rows, answer_search(), readers),
        "later": {
            "extraction": measured(later, extraction(), readers),
            "by_earlier_pages": measured(later, answer_search_from(by_earlier), readers),
        },
    }
    print(json.dumps(found, indent=1))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def questions(*names: str) -> list[PageQuestion]:
    """The questions of these files."""
    lines = [line for name in names for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    rows = map(json.loads, lines)
    return [PageQuestion(**{**row, "answers": tuple(row["answers"])}) for row in rows]


def measured(rows: Sequence[PageQuestion], rule: Check, readers: Backends) -> dict[str, Any]:
    """How often the page's answer is given, and how often something else."""
    return _shares(rows, *_tally(rows, rule, readers))


def _tally(rows: Sequence[PageQuestion], rule: Check, readers: Backends) -> tuple[int, int, int]:
    """How many are useful, wrong, and shown without an answer in the page."""
    useful = wrong = shown = 0
    for row, verdict in zip(rows, assess([(one.sample, rule) for one in rows], readers), strict=True):
        passage = row.sample.passages[0]
        text = "\n".join(passage[start:end] for (start, end), _ in answers_in(verdict))
        useful += row.holds(text)
        wrong += bool(text) and not row.holds(text)
        shown += bool(text) and not row.answers
    return useful, wrong, shown


def _shares(rows: Sequence[PageQuestion], useful: int, wrong: int, shown: int) -> dict[str, Any]:
    answerable = sum(bool(row.answers) for row in rows)
    return {
        "useful": counted(useful, answerable),
        "wrong": counted(wrong, len(rows)),
        "shown_unanswerable": counted(shown, len(rows) - answerable),
    }


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What is seen of a question and its page."""

    row: PageQuestion
    words: Numbers
    """One row for each sentence."""
    right: Numbers
    """Which sentences hold the answer."""
    read: Numbers
    """All features, for the sentences that were read."""
    read_right: Numbers
    sentences: tuple[Quotable, ...]
    """Those that were read."""


def fit(rows: Sequence[PageQuestion], readers: Backends) -> tuple[dict[str, Any], dict[str, Any]]:
    """Weights by logistic regression and a cutoff by leaving out one page at a time, and what that gives."""
    search = AnswerSearch(FIRST, (0.0,) * (len(FEATURES) + 1), MARGIN, Cutoff(0.5, "above"))
    stairs = Staircase(readers)
    every = rows
    rows = [row for row in every if not left_to_extraction(row.question, row.sample.passages[0])]
    others = _tally([row for row in every if row not in rows], extraction(), readers)
    seen = [_seen(row, search, stairs) for row in rows]
    words, right = zip(*((one.words, one.right) for one in seen), strict=True)
    first = _logistic(np.concatenate(words), np.concatenate(right))
    weights = _fitted(seen)
    held_out = [
        (float(odds.max()), bool(one.read_right[answering(one.sentences, odds, MARGIN)].any()))
        for one in seen
        for odds in [_odds(one.read, _fitted([other for other in seen if other.row.page != one.row.page]))]
    ]  # right where one of the sentences that are given holds the answer
    cutoff = max(
        (odds for odds, _ in held_out if _wrong(held_out, odds) + others[1] <= MAX_WRONG * len(every)),
        key=lambda odds: sum(value >= odds and right for value, right in held_out),
    )
    mark = f"{readers.encoder and readers.encoder.fingerprint}+{readers.pairs and readers.pairs.fingerprint}"
    certificate = Certificate(
        f"page_questions, {len({one.page for one in every})} pages", mark, "leave one page out",
        f"wrong <= {MAX_WRONG:.0%} of {len(every)} questions, as counted and without a guarantee",
    )  # fmt: skip
    line = round(float(1 / (1 + np.exp(-cutoff))), _DIGITS)
    data = {
        "first": dict(zip(FEATURES[:WORDS], first[:-1].round(_DIGITS).tolist(), strict=True)),
        "weights": dict(zip((*FEATURES, "bias"), weights.round(_DIGITS).tolist(), strict=True)),
        "margin": MARGIN,
        "cutoff": Cutoff(line, "above", certificate=certificate).to_data(),
    }
    answer_search_from(data)  # what cannot be read again is not shipped
    shown_rows = [
        (right, bool(row.answers))
        for row, (odds, right) in zip(rows, held_out, strict=True)
        if odds >= cutoff
    ]
    shown = sum(not answerable for _, answerable in shown_rows)
    useful = sum(found for found, _ in shown_rows)
    tally = (useful, len(shown_rows) - useful, shown)
    return data, _shares(every, *(own + other for own, other in zip(tally, others, strict=True)))


def _seen(row: PageQuestion, search: AnswerSearch, stairs: Staircase) -> SeenPage:
    sample = row.sample
    space = stairs.climb([(sample, search)])
    passage = sample.passages[0]
    best = search._best(row.question, passage, space)  # the same that the rule reads
    assert best is not None, row
    found, chosen = best
    places = [(passage.find(answer), passage.find(answer) + len(answer)) for answer in row.answers]
    right = [float(any(one.start < end and start < one.end for start, end in places)) for one in found.each]
    return SeenPage(
        row,
        word_features(row.question, found, space),
        np.array(right),
        search.features(row.question, found, chosen, space),
        np.array([right[found.each.index(one)] for one in chosen]),
        chosen,
    )


def _fitted(seen: Sequence[SeenPage]) -> Numbers:
    read, right = zip(*((one.read, one.read_right) for one in seen), strict=True)
    return _logistic(np.concatenate(read), np.concatenate(right))


def _odds(rows: Numbers, weights: Numbers) -> Numbers:
    odds: Numbers = rows @ weights[:-1] + weights[-1]
    return odds


def _wrong(held_out: Sequence[tuple[float, bool]], cutoff: float) -> int:
    return sum(value >= cutoff and not right for value, right in held_out)


def _logistic(rows: Numbers, labels: Numbers) -> Numbers:
    """The weights, the bias last, by Newton's steps; features count alike, whatever their scale."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    seen = np.column_stack(((rows - mean) / spread, np.ones(len(rows))))
    weights = np.zeros(seen.shape[1])
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (sure - labels) + RIDGE * weights
        bend = (seen * (sure * (1 - sure))[:, None]).T @ seen + RIDGE * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    own = weights[:-1] / spread
    return np.append(own, weights[-1] - float((own * mean).sum()))


if __name__ == "__main__":
    main()
