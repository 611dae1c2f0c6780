"""Text in a passage that speaks to the model that reads it."""

import re
from collections.abc import Iterator
from functools import cache

from sensecheck.measures.claims.grammar import Phrase, bare_words
from sensecheck.measures.claims.hidden import hidden
from sensecheck.text.wordlists import read_lines

ROLE_TAG = "a role tag"
_ROLE_TAG = re.compile(
    r"<\|/?\s*(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id"
    r"|begin_of_text|end_of_text|endoftext|endofprompt|start|channel|message)\s*\|>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>"
    r"|</?system[_ -]?(?:prompt|message|instructions?)>"
    r"|^[ \t]{0,8}#{2,6}[ \t]{0,8}(?:instruction|system(?: prompt| message| instructions?)?)"
    r"[ \t]?:?[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)


def injections(text: str) -> list[tuple[int, int, str]]:
    """Where a text speaks to a model, as (start, end, why); of two that overlap, the first and longest."""
    found: list[tuple[int, int, str]] = []
    for start, end, why in sorted(_all(text), key=lambda each: (each[0], -each[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end, why))
    return found


def _all(text: str) -> Iterator[tuple[int, int, str]]:
    yield from hidden(text)
    for match in _ROLE_TAG.finditer(text):
        tag = match[0]
        yield match.start() + len(tag) - len(tag.lstrip()), match.start() + len(tag.rstrip()), ROLE_TAG
    said = bare_words(text)
    for why, phrase in phrases_in("injections.txt"):
        yield from ((start, end, why) for start, end in phrase.places(text, said))


@cache
def phrases_in(file: str) -> tuple[tuple[str, Phrase], ...]:
    """The phrases of a list beside this file, each with why it is on it."""
    lines = (line.partition(":") for line in read_lines(file, __package__))
    return tuple((why, Phrase.of(phrase, gap=4)) for why, _, phrase in lines)
