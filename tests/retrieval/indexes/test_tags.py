"""Tags mean what a filter means."""

from hypothesis import given
from hypothesis import strategies as st

from sensecheck.retrieval.indexes.tags import tags_of, wanted_tags
from sensecheck.retrieval.wanted import Scalar, alternatives, missing

keys = st.sampled_from(["a", "b", "a.b", ""]) | st.text(max_size=2)
alike: st.SearchStrategy[Scalar] = st.sampled_from(
    [0, 1, True, False, 1.0, 0.0, -0.0, "1", "true", "", 1e300]
)
values = (
    alike
    | st.text(max_size=2)
    | st.integers(-(2**64) + 1, 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)


@given(
    st.dictionaries(keys, values), st.dictionaries(keys, st.lists(values, min_size=1, max_size=3), max_size=2)
)
def test_a_reference_has_the_wanted_tags_exactly_if_it_has_what_is_wanted(
    metadata: dict[str, Scalar], wanted: dict[str, list[Scalar]]
) -> None:
    tags = tags_of(metadata)
    tagged = all(any(tag in tags for tag in some) for some in wanted_tags(wanted))

    assert tagged == (missing(metadata, alternatives(wanted)) is None)


@given(st.dictionaries(keys, values))
def test_tags_are_letters_and_digits(metadata: dict[str, Scalar]) -> None:
    assert all(tag.isascii() and tag.isalnum() and len(tag) == 33 for tag in tags_of(metadata))
