"""English words that carry grammar rather than content."""

from functools import cache

from sensecheck.measures.text.lists import read_words

_PARTS = frozenset(("n't", "ca", "wo", "sha", "'s", "'re", "'ve", "'ll", "'d", "'m"))
"""What tokenisers make of `can't`, `won't` and `it's`."""


@cache
def stop_words() -> frozenset[str]:
    """The usual list of 179 English stop words, `don't` and `should've` among them."""
    return frozenset(read_words("stopwords.txt"))


def is_stop_word(word: str) -> bool:
    """Whether a lowercase word is on the list, also contracted or a part of that: `they're`, `n't`."""
    return word in stop_words() or word in _PARTS or ("'" in word and set(word.split("'")) <= stop_words())
