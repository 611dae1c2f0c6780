"""Which guards there were, as data and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.effects import guards_as_data, guards_in_words
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.spec import chain_from_data
from sensecheck.retrieval.stage import StageContext
from sensecheck.retrieval.stages.threshold import above


@dataclass(frozen=True)
class Own:
    """A stage of somebody's own."""

    name: str = "own"

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        return Step(tuple(matches))


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ({"above": 0.5}, "above 0.5"),
        ("distinct", "distinct 0.95"),
        ({"top": 4}, "top 4"),
        ({"within_chars": 800}, "within_chars 800"),
        ({"within_chars": {"chars": 30, "over": "truncate"}}, "within_chars 30 (over truncate)"),
        ({"tagged": {"lang": "en", "kind": ["a", "b"]}}, "tagged (lang en, kind a or b)"),
        ("rerank", "rerank"),
        (
            {"within_tokens": {"tokens": 300, "counter": "minilm"}},
            "within_tokens (tokens 300, counter minilm)",
        ),
    ],
)
def test_each_stage_is_told_with_what_it_was_told(stage: object, words: str) -> None:
    read = chain_from_data([stage])

    assert guards_in_words(read) == (words,)
    assert guards_as_data(read) == (stage,)


def test_a_fitted_line_names_its_data() -> None:
    line = Cutoff(0.61234, "above", (0.5, 0.7), Certificate("some.jsonl"))

    assert guards_in_words(chain(above(line, unsure="keep"))) == (
        "above 0.61234 (fitted on some.jsonl) (unsure from 0.5 to 0.7: keep)",
    )


def test_a_stage_of_ones_own_is_known_by_its_name() -> None:
    guards = Chain((Own(),))

    assert guards_as_data(guards) == ("own",)
    assert guards_in_words(guards) == ("own",)
