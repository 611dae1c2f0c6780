"""The recipes for vector stores, run as they stand on the page, and what they must come to."""

import re
from typing import Any

import numpy as np
import pytest

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import StaleCutoff
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.indexes.index import Reference, Retriever
from sensecheck.retrieval.indexes.memory import MemoryIndex
from sensecheck.retrieval.match import Match, Scale, closeness_from
from sensecheck.retrieval.stages.threshold import above
from tests.adapters.guards import FITTED
from tests.adapters.pages import HOW_TO, code_of

PAGE = "guard-other-vector-stores.md"


def recipe_must_hold(mentions: str, capsys: pytest.CaptureFixture[str]) -> list[Match]:
    """Run the opening of the page and one recipe after it; what it found is what our own index finds."""
    text = (HOW_TO / PAGE).read_text()
    (opening, *_) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (shown, *_) = re.findall(r'^```text title="prints"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL)
    page: dict[str, Any] = {}
    exec(opening, page)
    capsys.readouterr()
    del page["found"]
    exec(code_of(PAGE, mentions), page)

    assert capsys.readouterr().out == shown
    found: list[Match] = page["found"]
    _assert_as_in_memory(page, found)
    with pytest.raises(StaleCutoff):
        chain(above(FITTED))(found)
    return found


def _assert_as_in_memory(page: dict[str, Any], found: list[Match]) -> None:
    references = [Reference(f"{at}", text) for at, text in enumerate(page["texts"])]
    retriever = Retriever(page["encoder"], MemoryIndex.of(references, page["encoder"]))
    wanted = retriever.retrieve(page["query"], 20).matches
    assert [(match.text, match.encoder) for match in found] == [(one.text, one.encoder) for one in wanted]
    closeness = [match.closeness for match in found]
    assert closeness == pytest.approx([match.closeness for match in wanted], abs=1e-5)


def unit_rows() -> Vectors:
    """Vectors of length 1 in all directions; the first one is asked for, and its opposite is the last."""
    rows = np.random.default_rng(7).normal(size=(12, 8)).astype(np.float32)
    rows[-1] = -rows[0]
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def scores_must_be_on(scale: Scale, scores: dict[int, float]) -> None:
    """What a store gave for each row of `unit_rows`, asked for the first, is its cosine on this scale."""
    rows = unit_rows()
    cosines = dict(enumerate((rows @ rows[0]).tolist()))
    read = {at: closeness_from(score, scale) for at, score in scores.items()}
    assert read == pytest.approx(cosines, abs=1e-5)
