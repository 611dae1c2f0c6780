"""Settings: their ranges, and the environment."""

import math
from dataclasses import replace
from typing import Any

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.references import EmbeddingSettings
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.threshold import above


def test_no_guard_is_on_unless_it_is_set() -> None:
    assert EmbeddingSettings().min_reference_similarity == 0.0
    assert EmbeddingSettings().max_reference_chars_per_item == 0
    assert EmbeddingSettings().guards() == chain(top(2))


def test_the_guards_stand_in_the_order_of_the_document() -> None:
    chosen = EmbeddingSettings(
        top_k_references=3, min_reference_similarity=0.6, max_reference_chars_per_item=800
    )

    assert chosen.guards() == chain(above(0.6), top(3), within_chars(800))


@pytest.mark.parametrize(
    ("name", "found", "wanted"),
    [
        ("min_reference_similarity", -0.1, "a number from 0 to 1; got -0.1"),
        ("min_reference_similarity", 1.1, "a number from 0 to 1; got 1.1"),
        ("min_reference_similarity", math.nan, "a number from 0 to 1; got nan"),
        ("min_reference_similarity", True, "a number from 0 to 1; got True"),
        ("min_reference_similarity", "0.6", "a number from 0 to 1; got '0.6'"),
        ("max_reference_chars_per_item", -1, "a whole number, at least 0; got -1"),
        ("max_reference_chars_per_item", 0.5, "a whole number, at least 0; got 0.5"),
        ("max_reference_chars_per_item", None, "a whole number, at least 0; got None"),
        ("top_k_references", 0, "a whole number, at least 1; got 0"),
        ("top_k_references", True, "a whole number, at least 1; got True"),
        ("min_evidence_chars", -1, "a whole number, at least 0; got -1"),
        ("dimension", -1, "a whole number, at least 0; got -1"),
    ],
)
def test_a_number_out_of_its_range_is_named(name: str, found: Any, wanted: str) -> None:
    with pytest.raises(SpecError) as caught:
        EmbeddingSettings(**{name: found})

    assert str(caught.value) == f"`{name}` must be {wanted}"


@pytest.mark.parametrize("line", [0, 0.0, 1, 1.0, 0.5])
def test_the_ends_of_the_range_are_in_it(line: float) -> None:
    assert EmbeddingSettings(min_reference_similarity=line).min_reference_similarity == line


def test_every_field_can_be_set_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MIN_REFERENCE_SIMILARITY", "0.6")
    monkeypatch.setenv("EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM", "800")
    monkeypatch.setenv("EMBEDDING_DIMENSION", "384")
    monkeypatch.setenv("EMBEDDING_TOP_K_REFERENCES", "4")
    monkeypatch.setenv("EMBEDDING_MIN_EVIDENCE_CHARS", "20")

    assert EmbeddingSettings.from_environment() == EmbeddingSettings(
        dimension=384,
        top_k_references=4,
        min_evidence_chars=20,
        min_reference_similarity=0.6,
        max_reference_chars_per_item=800,
    )


def test_settings_that_are_not_given_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MIN_REFERENCE_SIMILARITY", "0.6")
    monkeypatch.setenv("EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM", "800")

    assert EmbeddingSettings().guards() == chain(above(0.6), top(2), within_chars(800))
    assert EmbeddingSettings(min_reference_similarity=0.0).guards() == chain(top(2), within_chars(800))
    assert EmbeddingSettings.from_environment({}).guards() == chain(top(2))


def test_each_settings_reads_the_environment_as_it_is_then(monkeypatch: pytest.MonkeyPatch) -> None:
    before = EmbeddingSettings()
    monkeypatch.setenv("EMBEDDING_TOP_K_REFERENCES", "7")

    assert (before.top_k_references, EmbeddingSettings().top_k_references) == (2, 7)
    assert replace(before, dimension=3).top_k_references == 2


def test_a_slip_in_the_environment_is_an_error_unless_all_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MIN_SIM", "0.6")

    with pytest.raises(SpecError, match="did you mean `EMBEDDING_MIN_REFERENCE_SIMILARITY`"):
        EmbeddingSettings()
    given = EmbeddingSettings(
        dimension=0,
        top_k_references=2,
        min_evidence_chars=8,
        min_reference_similarity=0.1,
        max_reference_chars_per_item=0,
    )
    assert given.min_reference_similarity == 0.1


def test_a_number_out_of_its_range_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MIN_REFERENCE_SIMILARITY", "60")

    with pytest.raises(SpecError, match="`min_reference_similarity` must be a number from 0 to 1; got 60"):
        EmbeddingSettings()


def test_an_environment_without_them_has_the_defaults() -> None:
    assert EmbeddingSettings.from_environment({}) == EmbeddingSettings(
        dimension=0,
        top_k_references=2,
        min_evidence_chars=8,
        min_reference_similarity=0.0,
        max_reference_chars_per_item=0,
    )
    assert EmbeddingSettings.from_environment({"PATH": "/bin"}) == EmbeddingSettings()


def test_small_letters_do_as_well_but_not_both() -> None:
    small, large = "embedding_top_k_references", "EMBEDDING_TOP_K_REFERENCES"

    assert EmbeddingSettings.from_environment({small: "5"}).top_k_references == 5
    with pytest.raises(SpecError, match=r"`EMBEDDING_TOP_K_REFERENCES` is set twice"):
        EmbeddingSettings.from_environment({small: "5", large: "5"})


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("EMBEDDING_MIN_REFERENCE_SIMILARTY", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MIN_SIMILARITY", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MAX_REFERENCE_CHARS", "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM"),
        ("EMBEDDING_MAX_REFERENCES_CHARS_PER_ITEM", "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM"),
        ("EMBEDDING_MIN_SIMILARTY", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MIN_SIM", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_SIMILARITY_THRESHOLD", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_THRESHOLD", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MIN_SCORE", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MAX_CHARS", "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM"),
        ("EMBEDDING_CHAR_BUDGET", "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM"),
        ("EMBEDDING_TOP_K", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_TOPK", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_K", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_MAX_REFERENCES", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_MIN_EVIDENCE", "EMBEDDING_MIN_EVIDENCE_CHARS"),
        ("embedding_top_k", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_TOP_REFERENCES", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_MAX_REFS", "EMBEDDING_TOP_K_REFERENCES"),
        ("EMBEDDING_MAX_REFS_CHARS", "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM"),
        ("EMBEDDING_MIN_CLOSENESS", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MIN_CLOSENES", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MIN_COSINE", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_DISTANCE", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
        ("EMBEDDING_MAX_DISTANCE", "EMBEDDING_MIN_REFERENCE_SIMILARITY"),
    ],
)
def test_a_variable_about_what_we_guard_is_an_error(slip: str, meant: str) -> None:
    with pytest.raises(SpecError, match=f"`{slip}` is not a known setting; did you mean `{meant}`"):
        EmbeddingSettings.from_environment({slip: "1"})


@pytest.mark.parametrize(
    "variable",
    [
        "EMBEDDING_MODEL",
        "EMBEDDING_API_KEY",
        "EMBEDDING_BATCH_SIZE",
        "EMBEDDING_PROVIDER",
        "EMBEDDING_DIMENSIONS",
        "EMBEDDING_DIM",
        "EMBEDDING_MAX_TOKENS",
        "EMBEDDING_MAX_RETRIES",
        "EMBEDDING_MAX_LENGTH",
        "EMBEDDING_MIN_INTERVAL",
        "EMBEDDING_CHUNK_SIZE",
        "EMBEDDING_STORE",
        "EMBEDDING_CACHE_DIR",
        "EMBEDDING_TIMEOUT",
        "EMBEDDING_BASE_URL",
        "EMBEDDING_NORMALIZE",
        "EMBEDDING_DEVICE",
        "EMBEDDING_STOP",
        "EMBEDDING_TOP_P",
        "EMBEDDING_SIMD",
        "EMBEDDING_PREFS",
        "EMBEDDING_INSTANCE",
        "EMBEDDING_CORE",
        "EMBEDDING_",
        "EMBEDDINGS",
    ],
)
def test_a_variable_of_another_program_is_left_alone(variable: str) -> None:
    assert EmbeddingSettings.from_environment({variable: "theirs"}) == EmbeddingSettings()


@pytest.mark.parametrize(
    ("variable", "text", "wanted"),
    [
        (
            "EMBEDDING_MIN_REFERENCE_SIMILARITY",
            "high",
            "`EMBEDDING_MIN_REFERENCE_SIMILARITY` must be a number",
        ),
        ("EMBEDDING_MIN_REFERENCE_SIMILARITY", "", "`EMBEDDING_MIN_REFERENCE_SIMILARITY` must be a number"),
        (
            "EMBEDDING_MIN_REFERENCE_SIMILARITY",
            "60",
            "`min_reference_similarity` must be a number from 0 to 1",
        ),
        (
            "EMBEDDING_MIN_REFERENCE_SIMILARITY",
            "nan",
            "`min_reference_similarity` must be a number from 0 to 1",
        ),
        (
            "EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM",
            "8.5",
            "`EMBEDDING_MAX_REFERENCE_CHARS_PER_ITEM` must be a whole",
        ),
    ],
)
def test_a_variable_that_cannot_be_read_is_an_error(variable: str, text: str, wanted: str) -> None:
    with pytest.raises(SpecError, match=wanted):
        EmbeddingSettings.from_environment({variable: text})
