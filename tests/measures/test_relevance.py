"""How near a reference lies to its query."""

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.similarity import Relevance
from sensecheck.retrieval import matched

QUERY = "How long may a tent be returned?"
REFERENCE = "A tent may come back to the shop for thirty days."


def placed(sample: Sample, encoder: Encoder) -> Space:
    return Space.of(Relevance().needs(sample).texts, encoder)


def test_it_is_the_closeness_that_a_match_has(minilm: Encoder) -> None:
    sample = Sample(REFERENCE, question=QUERY)
    reading = Relevance().read(sample, placed(sample, minilm))
    (match,) = matched(QUERY, [REFERENCE], minilm)

    assert reading.value == pytest.approx(match.closeness, abs=1e-6)
    assert match.encoder == minilm.fingerprint


def test_it_reads_what_answers_as_nearer_than_what_does_not(minilm: Encoder) -> None:
    near, far = (
        Relevance().read(sample, placed(sample, minilm)).value
        for sample in (Sample(REFERENCE, question=QUERY), Sample("Dogs may swim.", question=QUERY))
    )

    assert near > 0.5 > far


def test_the_evidence_is_both_texts() -> None:
    sample = Sample(REFERENCE, question=QUERY)

    (pair,) = Relevance().read(sample, placed(sample, HashingEncoder())).evidence

    assert pair.answer is not None
    assert pair.source is not None
    assert pair.answer.text == REFERENCE
    assert (pair.source.where, pair.source.text) == ("question", QUERY)


def test_without_a_query_nothing_can_be_read() -> None:
    with pytest.raises(MissingInput, match="no `question`: the query that the reference was found for"):
        Relevance().needs(Sample(REFERENCE))
