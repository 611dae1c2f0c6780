"""Giving texts to an encoder: each distinct one once, in canonical form, with offsets into the original."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from sensecheck.core.canonical import canonical, original_offsets
from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.errors import EncoderError

MAX_CHARS = 1_000_000
"""The longest text that is read; a longer one is an error, never cut."""

EMPTY = "the text is empty"
"""Why a text without anything to read is not placed."""

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
    found = placed_by(encoder, distinct, tokens=tokens)
    for text, form in list(forms.items()):
        refusal = _unusable(form, found[form], encoder.name)
        if refusal is not None:
            failed[text] = refusal
            del forms[text]
    return {text: _in_the_original(text, form, found[form]) for text, form in forms.items()}, failed


def placed_by(encoder: Encoder, texts: Sequence[str], *, tokens: bool = False) -> dict[str, Placement]:
    """What an encoder gives for distinct texts, once it is sure that there is one placement for each."""
    placements = encoder.place(texts, tokens=tokens) if texts else ()
    if len(placements) != len(texts):
        raise EncoderError(
            f"the encoder `{encoder.name}` gave {len(placements)} placements for {len(texts)} texts"
        )
    return dict(zip(texts, placements, strict=True))


def _refusal(text: str) -> str | None:
    if not any(char.isprintable() and char not in _NOTHING for char in text):
        return EMPTY
    if len(text) > MAX_CHARS:
        return f"the text has {len(text)} characters; at most {MAX_CHARS} are read"
    broken = None if text.isascii() else _HALF_A_PAIR.search(text)
    return f"the text holds half a surrogate pair at character {broken.start()}" if broken else None


def _unusable(text: str, placement: Placement, encoder: str) -> str | None:
    if not np.isfinite(placement.vector).all():
        return f"the encoder `{encoder}` gave numbers that are not finite"
    unread = placement.unread_chars
    if unread > 0 and unread * 2 > sum(not char.isspace() for char in text):
        return f"the encoder `{encoder}` cannot read this text: unknown characters {unread} of {len(text)}"
    return None


def _in_the_original(text: str, form: str, placement: Placement) -> Placement:
    if text == form:
        return placement
    offsets, tokens = original_offsets(text), placement.tokens
    moved = replace(tokens, spans=_moved(tokens.spans, offsets)) if tokens else None
    return replace(placement, spans=_moved(placement.spans, offsets), tokens=moved)


def _moved(spans: Spans, offsets: list[int]) -> Spans:
    return tuple((offsets[start], offsets[end]) for start, end in spans)


_NOTHING = " \ufffd"
"""Printable, and yet nothing to read."""
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
