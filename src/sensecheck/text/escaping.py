"""Texts cut to a length, and texts of strangers in Markdown: they stay texts, on one line."""

import re
from itertools import islice
from math import floor

MAX_TOKENS = 2000
TOKENS_PER_WORD = 1.3
_GAP = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
"""What JavaScript takes for white space; Python's own set is another."""
_SIGNS = re.compile(r"[\\`*_{}\[\]()<>#+|~&$^=\"]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What could begin markup, a formula or a link; a character's number cannot."""
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits, and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def plain(text: str, most: int) -> str:
    """As much of the text as is wanted: no markup, no link, and no one is called by an `@`."""
    shown = cut(" ".join(text[: 4 * most].split()), most)
    safe = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", shown)
    return _SIGNS.sub(lambda found: f"&#{ord(found[0])};", safe).replace("@", "@<!-- -->")


def truncate_to_tokens(text: str, max_tokens: int = MAX_TOKENS) -> str:
    """The beginning of the text with as many words as fit, as it stands: lines and code keep their gaps.

    A word counts 1.3 tokens. A gap at the very beginning counts as if an empty word came before it.
    """
    words = floor(max_tokens / TOKENS_PER_WORD)
    if words < 1:
        return ""
    gap = next(islice(_GAP.finditer(text), words - 1, None), None)
    return text if gap is None else text[: gap.start()]
