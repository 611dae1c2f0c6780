"""The three retrieval tests that the specification names, and the fields of the service that it names.

`test_spec_document.py` runs the specification's own code where it lies beside the data; these are always run.
"""

import pytest

from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.references import EmbeddingService, EmbeddingSettings
from tests.references.given import EmptyStore, Item, bundled, kept, match


def test_reference_threshold_filters_low_similarity() -> None:
    slept_badly, took_the_train = match("I slept badly.", 0.9), match("I took the train.", 0.1)
    half = EmbeddingSettings(min_reference_similarity=0.5)

    assert kept(half, [slept_badly, took_the_train]) == [slept_badly]
    assert kept(half, [took_the_train]) == []


@pytest.mark.parametrize(("budget", "included"), [(13, 0), (14, 1), (27, 1), (28, 2), (42, 3)])
def test_reference_budget_limits_included_matches(budget: int, included: int) -> None:
    fourteen_each = [match("I slept badly.", similarity) for similarity in (0.9, 0.8, 0.7)]
    settings = EmbeddingSettings(top_k_references=3, max_reference_chars_per_item=budget)

    assert kept(settings, fourteen_each) == fourteen_each[:included]


def test_defaults_preserve_existing_selection() -> None:
    third, first, second = match("third", 0.2), match("first", 0.9), match("second", 0.5)
    as_before = EmbeddingSettings(
        top_k_references=2, min_reference_similarity=0.0, max_reference_chars_per_item=0
    )

    bundle = bundled(as_before, [third, first, second])

    assert bundle.item_references[Item.SLEEP] == [first, second]
    assert [gone.stage for gone in bundle.selections[Item.SLEEP].dropped] == ["top"]


def test_the_service_has_the_fields_that_the_specification_names() -> None:
    settings = EmbeddingSettings(
        top_k_references=4, min_reference_similarity=0.6, max_reference_chars_per_item=800
    )
    service = EmbeddingService(HashingEncoder(), EmptyStore(), settings)

    assert service._min_reference_similarity == 0.6
    assert service._max_reference_chars_per_item == 800
    assert service._top_k == 4


def test_the_fields_are_what_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    near, far = match("near", 0.9), match("far", 0.1)
    service = EmbeddingService(HashingEncoder(), EmptyStore(), EmbeddingSettings(min_reference_similarity=0))
    monkeypatch.setattr(service, "_min_reference_similarity", 0.5)

    guarded, _ = service._guarded([near, far], "evidence")

    assert guarded == [near]
