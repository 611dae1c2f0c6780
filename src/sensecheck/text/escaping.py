"""Texts and figures as people read them.

Texts are cut to a length, and those of strangers stay texts, on one line, also in Markdown.
"""

import re
from itertools import islice
from math import floor

NA = "n/a"
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
    shortened = cut(" ".join(text[: 4 * most].split()), most)
    safe = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", shortened)
    return _SIGNS.sub(lambda match: f"&#{ord(match[0])};", safe).replace("@", "@<!-- -->")


def number(value: float | None, digits: int = 3, *, sign: bool = False) -> str:
    """A figure; what there is none of is `n/a`."""
    return NA if value is None else f"{value:{'+' if sign else ''}.{digits}f}"


def interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """From where to where; empty where that is not known."""
    return "" if low is None or high is None else f"{number(low, sign=sign)} to {number(high, sign=sign)}"


def p_value(p: float | None) -> str:
    """A p as people read it."""
    if p is None:
        return NA
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def share(value: float | None) -> str:
    """A share in percent."""
    return NA if value is None else f"{value:.0%}"


def counted(count: int, noun: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def with_encoder(metric: str, encoder: str, *, several: bool) -> str:
    """A metric, with its encoder where that is needed to tell it from another."""
    return f"{metric} ({encoder})" if several and encoder else metric


def truncate_to_tokens(text: str, max_tokens: int = MAX_TOKENS) -> str:
    """The beginning of the text with as many words as fit, as it stands: lines and code keep their gaps.

    A word counts 1.3 tokens. A gap at the very beginning counts as if an empty word came before it.
    """
    words = floor(max_tokens / TOKENS_PER_WORD)
    if words < 1:
        return ""
    gap = next(islice(_GAP.finditer(text), words - 1, None), None)
    return text if gap is None else text[: gap.start()]
