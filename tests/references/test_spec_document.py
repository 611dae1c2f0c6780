"""The tests that the specification asks for, as they stand there, against our names."""

import asyncio
import re
import textwrap
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from sensecheck.config import Settings
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.references import EmbeddingService, EmbeddingSettings, SimilarityMatch, TranscriptChunk
from sensecheck.retrieval.indexes.memory import MemoryIndex

NAMES = (
    "test_reference_threshold_filters_low_similarity",
    "test_reference_budget_limits_included_matches",
    "test_defaults_preserve_existing_selection",
)
PHQ8Item = Enum("PHQ8Item", ["SLEEP"])


@pytest.fixture
def written() -> dict[str, Any]:
    """What the document's code defines; its markers, which want a plugin, are left out."""
    data = Settings.from_environment().data
    document = Path(data).parent / "specs" / "retrieval-guardrails.md"
    if not data or not document.is_file():
        pytest.skip("the specification is not beside the folder that SENSECHECK_DATA names")
    blocks = re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)
    (tests,) = (block for block in blocks if f"def {NAMES[0]}(" in block)
    names: dict[str, Any] = {
        "EmbeddingService": EmbeddingService,
        "EmbeddingSettings": EmbeddingSettings,
        "MagicMock": MagicMock,
        "PHQ8Item": PHQ8Item,
        "SimilarityMatch": SimilarityMatch,
        "TranscriptChunk": TranscriptChunk,
        "pytest": pytest,
    }
    code = textwrap.dedent(tests).replace("@pytest.mark.asyncio\n", "")
    exec(compile(code, str(document), "exec"), names)
    return names


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_with_a_real_encoder_and_a_real_index(
    name: str, written: dict[str, Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = HashingEncoder(256)

    asyncio.run(written[name](None, encoder, MemoryIndex.of([], encoder), monkeypatch))
