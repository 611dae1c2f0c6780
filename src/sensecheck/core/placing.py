"""Giving texts to an encoder: each distinct one once, in canonical form, with offsets into the original."""

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from sensecheck.core.canonical import canonical, original_offset
from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.errors import EncoderError

MAX_CHARS = 1_000_000
"""The longest text that is read; a longer one is an error, never cut."""

Spans = tuple[tuple[int, int], ...]


def place_each(
    texts: Iterable[str], encoder: Encoder, *, tokens: bool = False
) -> tuple[dict[str, Placement], dict[str, str]]:
    """Where each text lies; and of those that could not be read, why."""
    failed: dict[str, str] = {}
    forms: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        refusal = _refusal(text)
        if refusal is None:
            forms[text] = canonical(text)
        else:
            failed[text] = refusal
    distinct = list(dict.fromkeys(forms.values()))
    found = dict(zip(distinct, encoder.place(distinct, tokens=tokens), strict=True)) if distinct else {}
    if not all(np.isfinite(placement.vector).all() for placement in found.values()):
        raise EncoderError(f"the encoder `{encoder.name}` gave numbers that are not finite")
    for text in [text for text, form in forms.items() if _mostly_unread(form, found[form])]:
        failed[text] = (
            f"the encoder `{encoder.name}` cannot read this text: "
            f"{found[forms.pop(text)].unread_chars} of its {len(text)} characters are unknown to it"
        )
    return {text: _in_the_original(text, form, found[form]) for text, form in forms.items()}, failed


def _refusal(text: str) -> str | None:
    if not text.strip():
        return "the text is empty"
    if len(text) > MAX_CHARS:
        return f"the text has {len(text)} characters; at most {MAX_CHARS} are read"
    broken = None if text.isascii() else _HALF_A_PAIR.search(text)
    return f"the text holds half a surrogate pair at character {broken.start()}" if broken else None


def _mostly_unread(text: str, placement: Placement) -> bool:
    unread = placement.unread_chars
    return unread > 0 and unread * 2 > sum(not char.isspace() for char in text)


def _in_the_original(text: str, form: str, placement: Placement) -> Placement:
    if text == form:
        return placement
    tokens = placement.tokens
    moved = replace(tokens, spans=_moved(text, tokens.spans)) if tokens else None
    return replace(placement, spans=_moved(text, placement.spans), tokens=moved)


def _moved(text: str, spans: Spans) -> Spans:
    return tuple((original_offset(text, start), original_offset(text, end)) for start, end in spans)


_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
