"""Matches for tests: given, and made by hypothesis."""

import numpy as np
from hypothesis import strategies as st

from sensecheck.retrieval.match import Match

_TEXTS = st.text(alphabet="ab <&/é\n", max_size=6)
_CLOSENESS = st.sampled_from([-1.0, -0.25, 0.0, 0.3, 0.5, 0.5000000001, 0.9, 1.0])
"""Few values, so that there are ties."""
_VECTORS = st.tuples(st.integers(-2, 2), st.integers(-2, 2)).filter(any)
MATCHES = st.lists(
    st.builds(
        lambda text, closeness, direction, lang: Match(
            text, closeness, metadata=lang, vector=np.array(direction, np.float32)
        ),
        _TEXTS,
        _CLOSENESS,
        _VECTORS,
        st.sampled_from([{}, {"lang": "en"}, {"lang": "de"}]),
    ),
    max_size=9,
).map(tuple)


def match(text: str, closeness: float = 0.5, *direction: float, **metadata: object) -> Match:
    """A match, with a vector where a direction is given."""
    vector = np.array(direction, np.float32) if direction else None
    return Match(text, closeness, metadata=metadata, vector=vector)


def texts(matches: object) -> list[str]:
    """What they say, in order."""
    assert isinstance(matches, tuple)
    return [match.text for match in matches]
