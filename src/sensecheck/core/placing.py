"""Giving texts to an encoder: each distinct one once, in canonical form, with offsets into the original."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

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
        if text.isascii() and text[:1].isalnum() and len(text) <= MAX_CHARS:  # as most are: nothing is wrong
            forms[text] = text
        elif (refusal := _refusal(text)) is None:
            forms[text] = canonical(text)
        else:
            failed[text] = refusal
    distinct = list(dict.fromkeys(forms.values()))
    found = placed_by(encoder, distinct, tokens=tokens)
    unusable = _unusable(found, encoder.name)
    placed: dict[str, Placement] = {}
    for text, form in forms.items():
        if form in unusable:
            failed[text] = unusable[form]
        else:
            placed[text] = found[form] if text == form else _in_the_original(text, found[form])
    return placed, failed


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


def _unusable(found: Mapping[str, Placement], encoder: str) -> dict[str, str]:
    """Texts whose placement says nothing of them, and why."""
    unusable = dict.fromkeys(_not_finite(found), f"the encoder `{encoder}` gave numbers that are not finite")
    for text, placement in found.items():
        unread = placement.unread_chars
        if unread > 0 and text not in unusable and unread * 2 > sum(not char.isspace() for char in text):
            known = f"unknown characters {unread} of {len(text)}"
            unusable[text] = f"the encoder `{encoder}` cannot read this text: {known}"
    return unusable


def _not_finite(found: Mapping[str, Placement]) -> list[str]:
    """The texts whose vectors hold a number that is none: rare, so many vectors are looked at together."""
    broken: list[str] = []
    stream = iter(found.items())
    while some := list(islice(stream, _LOOKED_AT_ONCE)):
        if not np.isfinite(np.concatenate([placed.vector for _, placed in some])).all():
            broken += [text for text, placed in some if not np.isfinite(placed.vector).all()]
    return broken


def _in_the_original(text: str, placement: Placement) -> Placement:
    """A placement of the canonical form as one of the text itself."""
    offsets, tokens = original_offsets(text), placement.tokens
    moved = replace(tokens, spans=_moved(tokens.spans, offsets)) if tokens else None
    return replace(placement, spans=_moved(placement.spans, offsets), tokens=moved)


def _moved(spans: Spans, offsets: list[int]) -> Spans:
    return tuple((offsets[start], offsets[end]) for start, end in spans)


_NOTHING = " \ufffd"
"""Printable, and yet nothing to read."""
_LOOKED_AT_ONCE = 1024
"""Vectors; so many of them fit into a processor's own memory."""
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")
