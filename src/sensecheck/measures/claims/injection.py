"""Text in a passage that speaks to the model that reads it.

`injections` finds what is plain, and hardly ever anything else. `wide_injections` also looks into markup that
a page does not show, and behind disguises, for those who would rather lose a sentence than obey it. It is
slower, and takes harmless sentences along, on pages about prompts and models above all.
"""

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from sensecheck.measures.claims.grammar import PhrasePattern, bare_words
from sensecheck.measures.claims.instructions import ORDER, orders, speaks_to_someone
from sensecheck.text.wordlists import read_lines
from sensecheck.text.words import UNSEEN

Found = tuple[int, int, str]
"""Where something stands, from start to end, and why it was found."""
_Letters = list[tuple[str, int]]

ROLE_TAG = "a role tag"
HIDDEN_MARKUP = "hidden markup that speaks"

_TAGS = re.compile(r"(?<![\U0001F3F4\U000E0000-\U000E007F])[\U000E0000-\U000E007F]+")
"""Invisible copies of ASCII; after a black flag they are part of a picture, such as the flag of Wales."""
_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000E0100-\U000E01EF]{3,}")
"""One of these chooses the form of the character before it; a row of them can only hide bytes."""
_OVERRIDES = re.compile(r"[\u202d\u202e][^\u202c\n]*\u202c?")
_EMBEDDINGS = re.compile(r"[\u202a\u202b\u2066-\u2068]+")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_HIDING = "\u200b\u2060-\u2064\u180e"
_WITHIN_WORDS = re.compile(rf"(?:[a-zA-Z][{_HIDING}\u200c\u200d\u00ad]+){{3,}}[a-zA-Z]")
"""Letters kept apart: `i·g·n·o·r·e`. One break within a word only says where a line may end."""
_ROW = re.compile(rf"[{_HIDING}\u200c\u200d]{{4,}}")
_BITS = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u180e")

_ROLE_TAG = re.compile(
    r"<\|/?\s*(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id"
    r"|begin_of_text|end_of_text|endoftext|endofprompt|start|channel|message)\s*\|>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>"
    r"|</?system[_ -]?(?:prompt|message|instructions?)>"
    r"|^[ \t]{0,8}#{2,6}[ \t]{0,8}(?:instruction|system(?: prompt| message| instructions?)?)"
    r"[ \t]?:?[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED = (
    r"system|assistant|admin|developer|instructions?|prompt|tool|function|answer|passage|document|context"
)
_ENDED = r"text|passage|context|data|document|system|prompt|instructions?|override"
_WIDE_ROLE_TAG = re.compile(
    r"<\|/?\s*(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id"
    r"|begin_of_text|end_of_text|endoftext|endofprompt|start|end|channel|message)\s*\|>"
    r"|\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>"
    rf"|</?(?:{_TAGGED}|selected[_ -]text)(?:[_ -](?:prompt|message|instructions?|results?|text))?>|^</text>"
    rf"|\[/(?:{_TAGGED}|task)\]|(?-i:\[(?:SYSTEM|ASSISTANT|ADMIN|INSTRUCTIONS?|PROMPT|CONTEXT|TASK)\])"
    rf"|\{{\{{[#/]?(?:system|assistant|user)\b[^{{}}\n]{{0,20}}\}}\}}"
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

_INSIDE = r"(?s:.){0,1500}?"
_REGIONS = re.compile(
    rf"<!--{_INSIDE}-->|\{{#{_INSIDE}#\}}|%%{_INSIDE}%%"
    r"|^\[(?://|comment)\]:[^\n]{0,1500}"
    r"|<[a-z]{1,12}\b[^<>]{0,200}\b(?:hidden|display:\s?none|visibility:\s?hidden|opacity:\s?0|color:\s?white"
    r"|font-size:\s?[01](?:px|pt|em)?|size=\"?0)[^<>]{0,500}>(?:[^<]{0,1500}</[a-z]{1,12}>)?"
    r"|<(?:template|noscript|details)\b[^<>]{0,100}>(?:(?!</(?:template|noscript|details)).){0,1500}"
    r"|<(?:meta|img|input)\b[^<>]{0,800}>|!\[[^\]\n]{12,800}\]\([^)\n]{0,400}\)",
    re.IGNORECASE | re.MULTILINE,
)

_SUSPECT = re.compile(
    r"&#|[^\W\d_][0134579@$]+[^\W\d_][^\0]{0,200}?[^\W\d_][0134579@$]+[^\W\d_]"
    f"|[{UNSEEN}\uff21-\uff5a\U0001d400-\U0001d7ff\u0370-\u0556]"
)
"""Most texts have nothing of this, and are not looked at letter by letter."""
_ALIKE = dict(
    zip(
        "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧοα",
        "aeopcyxijshdqwABEKMHOPCTXISJABEZHIKMNOPTYXoa",
        strict=True,
    )
)
_SIGNS = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"})
_ENTITY = re.compile(r"&#x?[0-9a-fA-F]{1,6};")
_UNSEEN = re.compile(f"[{UNSEEN}]")
_MIXED = re.compile(r"\b(?=\w{0,30}[A-Za-z])(?=[\w@$]{0,30}[0-9@$])[\w@$]{3,30}\b")
_APART = re.compile(r"(?<!\w)[^\W\d_]([ .\-_*])[^\W\d_](?:\1[^\W\d_])+(?!\w)")
_DOT = re.compile(r"(?<=\w\s)[.·•|](?=\s\w)")
_HUMPS = re.compile(r"\b[A-Z]?[a-z]+(?:[A-Z][a-z]+){2,}\b")
_SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+){2,}\b", re.IGNORECASE)


def injections(text: str) -> list[Found]:
    """Where a text speaks to a model, as (start, end, why); of two that overlap, the first and longest."""
    return _first_of_overlapping(_plain_injections(text))


def wide_injections(text: str) -> list[Found]:
    """Where a text may speak to a model, as (start, end, why); of two that overlap, the first and longest."""
    findings = [*_hidden_markup(text), *_readable_injections(text)]
    if plain := _unveiled(text):
        findings += ((*plain.place(start, end), why) for start, end, why in _readable_injections(plain.text))
    exact_places = _Places.of((start, end) for start, end, why in findings if why != ORDER)
    return _first_of_overlapping(
        finding for finding in findings if finding[2] != ORDER or not exact_places.touch(*finding[:2])
    )


def _first_of_overlapping(findings: Iterable[Found]) -> list[Found]:
    """Of those that overlap, the first and longest."""
    selected: list[Found] = []
    for finding in sorted(findings, key=lambda finding: (finding[0], -finding[1])):
        if not selected or finding[0] >= selected[-1][1]:
            selected.append(finding)
    return selected


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
        """Whether any of them is in this stretch, if only in part."""
        before = bisect_left(self.starts, end)
        return before > 0 and self.furthest[before - 1] > start


def _plain_injections(text: str) -> Iterator[Found]:
    """Hidden characters, role tags and phrases, as they come."""
    yield from _hidden_characters(text)
    yield from _role_tags(text, _ROLE_TAG)
    yield from _phrases(text, "injections.txt")


def _readable_injections(text: str) -> Iterator[Found]:
    """What anybody can read as it stands."""
    yield from injections(text)
    yield from _role_tags(text, _WIDE_ROLE_TAG)
    yield from _phrases(text, "wide_injections.txt")
    yield from orders(text)


def _role_tags(text: str, pattern: re.Pattern[str]) -> Iterator[Found]:
    for match in pattern.finditer(text):
        tag = match[0]
        if tag.strip():
            yield match.start() + len(tag) - len(tag.lstrip()), match.start() + len(tag.rstrip()), ROLE_TAG


def _phrases(text: str, file: str) -> Iterator[Found]:
    text_words = bare_words(text)
    for why, phrase in _phrases_of(file):
        yield from ((start, end, why) for start, end in phrase.places(text, text_words))


@cache
def _phrases_of(file: str) -> tuple[tuple[str, PhrasePattern], ...]:
    """The phrases of a list next to this file, each with why it is on it."""
    lines = (line.partition(":") for line in read_lines(file, __package__))
    return tuple((why, PhrasePattern.of(phrase, gap=4)) for why, _, phrase in lines)


def _hidden_characters(text: str) -> Iterator[Found]:
    """Where hidden characters stand, and what they are; ordinary uses of such characters are left out."""
    if text.isascii():
        return
    for pattern, why in (
        (_TAGS, "hidden tag characters"),
        (_SELECTORS, "hidden variation selectors"),
        (_OVERRIDES, "text shown in reverse order"),
        (_WITHIN_WORDS, "words broken by hidden characters"),
    ):
        yield from ((match.start(), match.end(), why) for match in pattern.finditer(text))
    for match in _ROW.finditer(text):
        if len(_BITS.intersection(match[0])) > 1:  # a row of one kind is padding, two kinds can be bits
            yield match.start(), match.end(), "a row of hidden characters"
    if not _RIGHT_TO_LEFT.search(text):
        for match in _EMBEDDINGS.finditer(text):
            yield match.start(), match.end(), "a change of direction where nothing runs from right to left"


def _hidden_markup(text: str) -> Iterator[Found]:
    """Comments, elements that are not shown, and descriptions of pictures that tell someone something."""
    for match in _REGIONS.finditer(text):
        if speaks_to_someone(match[0]):
            yield match.start(), match.end(), HIDDEN_MARKUP


@dataclass(frozen=True, slots=True)
class _Unveiled:
    """A text that a machine may read out of another, and where each of its characters stands there."""

    text: str
    places: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of it stands in the text as written."""
        return self.places[start], self.places[end - 1] + 1


def _unveiled(text: str) -> _Unveiled | None:
    """The text without its disguise; None when it has none."""
    if not any(pattern.search(text) for pattern in (_SUSPECT, _APART, _HUMPS, _SNAKE)):
        return None
    letters = list(_letters(text))
    for step in (_with_letters_for_signs, _with_letters_together, _with_words_apart):
        letters = step(letters)
    plain = _joined(letters)
    return None if plain == text else _Unveiled(plain, tuple(at for _, at in letters))


def _letters(text: str) -> Iterator[tuple[str, int]]:
    entities = {match.start(): match for match in _ENTITY.finditer(text)} if "&#" in text else {}
    until = 0
    for at, letter in enumerate(text):
        if at < until:
            continue
        if at in entities:
            until = entities[at].end()
            yield from ((character, at) for character in html.unescape(entities[at][0]))
        elif letter.isascii():
            yield letter, at
        elif not _UNSEEN.match(letter):
            plain = _ALIKE.get(letter) or unicodedata.normalize("NFKC", letter)
            yield (plain if plain.isascii() and len(plain) == 1 else letter), at


def _with_letters_for_signs(letters: _Letters) -> _Letters:
    """`1gn0r3` as `ignore`: only in words that have letters too."""
    text, changed = _joined(letters), list(letters)
    for match in _MIXED.finditer(text):
        for at, letter in enumerate(match[0].translate(_SIGNS), match.start()):
            changed[at] = letter, letters[at][1]
    return changed


def _with_letters_together(letters: _Letters) -> _Letters:
    """`i g n o r e` as `ignore`."""
    gone = {
        at for match in _APART.finditer(_joined(letters)) for at in range(match.start() + 1, match.end(), 2)
    }
    remaining = [pair for at, pair in enumerate(letters) if at not in gone]
    if gone:  # then dots may keep the words apart
        for match in _DOT.finditer(_joined(remaining)):
            remaining[match.start()] = " ", remaining[match.start()][1]
    return remaining


def _with_words_apart(letters: _Letters) -> _Letters:
    """`IgnoreAllRules` and `ignore_all_rules` as words."""
    text, changed = _joined(letters), list(letters)
    for match in _SNAKE.finditer(text):
        for at in range(match.start(), match.end()):
            changed[at] = (" ", letters[at][1]) if text[at] == "_" else letters[at]
    humps = {
        at
        for match in _HUMPS.finditer(text)
        for at in range(match.start() + 1, match.end())
        if text[at].isupper()
    }
    return [
        pair
        for at, letter in enumerate(changed)
        for pair in ([(" ", letter[1]), letter] if at in humps else [letter])
    ]


def _joined(letters: _Letters) -> str:
    return "".join(letter for letter, _ in letters)
