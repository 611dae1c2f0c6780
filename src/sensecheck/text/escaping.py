"""The texts of strangers in Markdown: they stay texts, on one line."""

import re

_SIGNS = re.compile(r"[\\`*_{}\[\]()<>#+|~&$^=\"]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What could begin markup, a formula or a link; a character's number cannot."""
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits, and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def plain(text: str, most: int) -> str:
    """As much of the text as is wanted: no markup, no link, and nobody is called by an `@`."""
    shown = cut(" ".join(text[: 4 * most].split()), most)
    safe = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", shown)
    return _SIGNS.sub(lambda found: f"&#{ord(found[0])};", safe).replace("@", "@<!-- -->")
