"""Text in a passage that may speak to the model that reads it, for those who would rather lose it than obey.

Wider than `injection`, and slower: it takes harmless sentences along, on pages about prompts and models above
all.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from sensecheck.measures.claims.grammar import bare_words
from sensecheck.measures.claims.injection import ROLE_TAG, injections, phrases_in
from sensecheck.measures.claims.markup import hidden_markup
from sensecheck.measures.claims.ordering import WHY as ORDER
from sensecheck.measures.claims.ordering import orders
from sensecheck.measures.claims.unveiling import unveiled

Found = tuple[int, int, str]
_TAGGED = (
    r"system|assistant|admin|developer|instructions?|prompt|tool|function|answer|passage|document|context"
)
_ENDED = r"text|passage|context|data|document|system|prompt|instructions?|override"
_ROLE_TAG = re.compile(
    r"<\|/?\s*(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id"
    r"|begin_of_text|end_of_text|endoftext|endofprompt|start|end|channel|message)\s*\|>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>"
    rf"|</?(?:{_TAGGED}|selected[_ -]text)(?:[_ -](?:prompt|message|instructions?|results?|text))?>|^</text>"
    rf"|\[/(?:{_TAGGED}|task)\]|(?-i:\[(?:SYSTEM|ASSISTANT|ADMIN|INSTRUCTIONS?|PROMPT|CONTEXT|TASK)\])|\{{\{{[#/]?(?:system|assistant|user)\b[^{{}}\n]{{0,20}}\}}\}}"
    r"|[\"']role[\"']\s?:\s?[\"'](?:system|assistant|developer|tool)[\"']|\bsystem_prompt\b\s?[:=]"
    r"|(?:^|(?<=[.!?\]]\s)|(?<=\\n))[ \t>*_]{0,8}(?:assistant|ai|bot|chatbot|llm|completion)\s?:(?=\s)"
    r"|^[\W_]{0,8}(?:end|begin|start|beginning) (?:of )?(?:the )?(?:selected |new )?"
    rf"(?:{_ENDED})\b[^\n.]{{0,20}}$"
    rf"|^\W{{2,8}}(?:end|start|begin)\W{{2,8}}$|\b(?:selected )?(?:{_ENDED}) (?:ends|is over)\b"
    r"|https?://[^\s()<>\"]{1,200}?\{{1,2}\w{1,40}\}"
    r"|^[ \t]{0,8}#{2,6}[ \t]{0,8}(?:instruction|system(?: prompt| message| instructions?)?)"
    r"[ \t]?:?[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)


def wide_injections(text: str) -> list[Found]:
    """Where a text may speak to a model, as (start, end, why); of two that overlap, the first and longest."""
    found: list[Found] = []
    everything = list(_all(text))
    named = _Places.of((start, end) for start, end, why in everything if why != ORDER)
    each = [one for one in everything if one[2] != ORDER or not named.touch(one[0], one[1])]
    for start, end, why in sorted(each, key=lambda one: (one[0], -one[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end, why))
    return found


@dataclass(frozen=True, slots=True)
class _Places:
    """Where something more exact was found than a sentence; there may be thousands."""

    starts: tuple[int, ...]
    furthest: tuple[int, ...]
    """For each, how far it or any before it reaches."""

    @classmethod
    def of(cls, places: Iterable[tuple[int, int]]) -> "_Places":
        ordered = sorted(places)
        return cls(tuple(start for start, _ in ordered), tuple(accumulate((end for _, end in ordered), max)))

    def touch(self, start: int, end: int) -> bool:
        """Whether any of them lies in this stretch, if only in part."""
        before = bisect_left(self.starts, end)
        return before > 0 and self.furthest[before - 1] > start


def _all(text: str) -> Iterator[Found]:
    yield from hidden_markup(text)
    yield from _open(text)
    if plain := unveiled(text):
        for start, end, why in _open(plain.text):
            yield *plain.place(start, end), why


def _open(text: str) -> Iterator[Found]:
    """What anybody can read as it stands."""
    yield from injections(text)
    for match in _ROLE_TAG.finditer(text):
        tag = match[0]
        if tag.strip():
            yield match.start() + len(tag) - len(tag.lstrip()), match.start() + len(tag.rstrip()), ROLE_TAG
    said = bare_words(text)
    for why, phrase in phrases_in("wide_injections.txt"):
        yield from ((start, end, why) for start, end in phrase.places(text, said))
    yield from orders(text)
