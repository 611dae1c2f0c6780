"""English words that carry grammar rather than content."""

from functools import cache

from sensecheck.measures.text.lists import read_words


@cache
def stop_words() -> frozenset[str]:
    """The usual list of 179 English stop words, `don't` and `should've` among them."""
    return frozenset(read_words("stopwords.txt"))


def is_stop_word(word: str) -> bool:
    """Whether a lowercase word is on the list, also when it is contracted: `they're`, `we'll`."""
    return word in stop_words() or ("'" in word and set(word.split("'")) <= stop_words())
