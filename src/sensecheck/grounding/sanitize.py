"""Passages made safe to read: without hidden characters, and without instructions to the model.

`clean` takes out what a reader does not see and a model does; `without_orders` blanks every sentence that
speaks to the model, with what it wants said: in the sentence itself, before it, or after it.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sensecheck.measures.claims.grammar import has_verb
from sensecheck.measures.claims.injection import HIDDEN_MARKUP, ROLE_TAG, wide_injections
from sensecheck.measures.claims.instructions import pieces_of, says_what
from sensecheck.text.words import (
    BRAILLE_BLANK,
    DIRECTIONS,
    MONGOLIAN_SELECTORS,
    NO_WIDTH,
    SELECTORS,
    SOFT_HYPHEN,
    TAGS,
    UNSEEN,
)

Kind = Literal["zero-width", "bidi", "tag", "variation", "control"]

_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Scripts whose letters change with a joiner between them: Arabic, Syriac, those of India, Mongolian."""
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Scripts that have no other space between words than one of no width: Thai, Lao, Burmese, Khmer."""
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u27ff\u2900-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_CJK = "\u3001-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_MONGOLIAN = "\u1820-\u18af"
_REGIONS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct", "gbwls")
)

_HIDDEN = re.compile(
    rf"\U0001F3F4(?:{_REGIONS})\U000E007F"
    rf"|(?P<zero_width>[{NO_WIDTH}{SOFT_HYPHEN}{BRAILLE_BLANK}])"
    rf"|(?P<bidi>[{DIRECTIONS}])"
    rf"|(?P<tag>[{TAGS}])"
    rf"|(?P<variation>[{SELECTORS}{MONGOLIAN_SELECTORS}])"
    r"|(?P<control>[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f])"
)
"""What stands before the named groups is kept: the flags of England, Scotland and Wales."""
_THEN = f"(?![{UNSEEN}])"
_NEEDED = re.compile(
    rf"[{_JOINING}][\u200c\u200d]{_THEN}[{_JOINING}]"
    rf"|[{_SPACELESS}]\u200b{_THEN}[{_SPACELESS}]"
    rf"|[{_PICTURE}\ufe0f\u20e3]\u200d[{_PICTURE}]"
    rf"|[^\W\d_]{SOFT_HYPHEN}{_THEN}[^\W\d_]"
    rf"|[\u2801-\u28ff]{BRAILLE_BLANK}"
    rf"|[{_PICTURE}{_CJK}][{SELECTORS}]|[0-9#*]\ufe0f\u20e3"
    rf"|[{_MONGOLIAN}][{MONGOLIAN_SELECTORS}]"
)
"""What is kept too, with the character before it and after it: joiners in pictures and between letters that
they join, one soft hyphen within a word, a blank in Braille, one selector after a picture, an ideograph or a
Mongolian letter."""
_BREAKS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x85", "\n"))
"""Controls that end a line, which stay ends of lines."""
_KINDS: dict[str, Kind] = {
    "zero_width": "zero-width",
    "bidi": "bidi",
    "tag": "tag",
    "variation": "variation",
    "control": "control",
}

_FEW = 3
"""So many words after a colon are what it announced; fewer, and that comes in the next sentence."""
_SAID = re.compile(r"[:：\"“「>]|\bthat\b(?! (?:you|may|is|it|was|must)\b)")
_WORD = re.compile(r"\w+")
_ENDS_SO = re.compile(r"\b(?:so|it|this|them|x)\W*$", re.IGNORECASE)
_SAYS = re.compile(r"\b(?:say|tell|repeat|pass|write|print|copy|join)\b", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this|it|so|them)\b", re.IGNORECASE)
_AHEAD = re.compile(r"\b(?:following|next|below)\b", re.IGNORECASE)
_PARTS = re.compile(r"[.:\n]")
_STOPS = re.compile(r"[.!?]")
_OUTRIGHT = re.compile(r"\b(?:say|answer|reply|respond|write|state|claim)\s(?:with\s)?", re.IGNORECASE)
_POINTERS = re.compile(
    r"\b(?:this|these|that|those|it|so|them|as|what\w*|here\w*|then|now|later|after|only|exactly|all|every\w*"
    r"|any\w*|rest|words?|sentences?|lines?|phrases?|texts?|questions?|answers?|come|comes|follows?|following"
    r"|next|below|instead)\b",
    re.IGNORECASE,
)
"""Words by which an order may send its reader on to another sentence."""
_GOES_ON = re.compile(r"[“\"「>]|\W*(?:now\s+)?(?:the\s+)?(?:part|second|step|then|next)\b", re.IGNORECASE)

_REACH = 600
"""In characters: how far behind a tag the one that closes it is looked for."""
_SEEN = re.compile(r"[^\n]")
_REMEMBERED = 64
"""So many sanitized passages are cached: each claim reads its passage again."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without hidden characters, and what was taken out of it."""

    text: str
    removed: tuple[tuple[Kind, int], ...] = ()
    """Kinds of characters and how many of each, in the order of `Kind`."""
    cuts: tuple[tuple[int, int], ...] = ()
    """Places in `text` from which on so many characters more than before are missing in all."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` stands in the original; what was taken out at its ends is left out."""
        return self._offset(start), self._offset(end - 1) + 1 if end > start else self._offset(start)

    def _offset(self, at: int) -> int:
        passed = bisect_right(self.cuts, at, key=lambda cut: cut[0])
        return at + (self.cuts[passed - 1][1] if passed else 0)


def clean(text: str) -> Cleaned:
    """The text without characters that are not seen; nothing else of it changes, not even its composition.

    Taken out: zero-width characters, fillers, directions, tags, variation selectors where there is no form to
    choose, controls other than tabs and ends of lines. A second time there is nothing more to take out.
    """
    if text.isascii() and text.isprintable():
        return Cleaned(text)
    pieces, cuts, counts = [], [], Counter[Kind]()
    position = 0
    for match in _unneeded(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        missing = counts.total() + 1
        cuts.append((position - missing, missing))
        counts[_KINDS[match.lastgroup or ""]] += 1
    pieces.append(text[position:])
    cleaned = _line_ends("".join(pieces))
    return Cleaned(
        cleaned, tuple((kind, counts[kind]) for kind in _KINDS.values() if counts[kind]), tuple(cuts)
    )


@lru_cache(maxsize=_REMEMBERED)
def without_orders(passage: str) -> str:
    """The passage with every sentence blanked that speaks to the model, and with it what it is told to say.

    As long as before, with its line breaks, so that all else stays where it is. What stands next to an order
    is rather lost than trusted.
    """
    pieces, position = [], 0
    for start, end in sorted(_to_blank(passage, wide_injections(passage))):
        if end > position:
            start = max(start, position)
            pieces += [passage[position:start], _SEEN.sub(" ", passage[start:end])]
            position = end
    return "".join((*pieces, passage[position:]))


def _unneeded(text: str) -> Iterator[re.Match[str]]:
    """Each hidden character that no writing needs where it stands; one that follows such a one is none."""
    removed_end = 0
    for match in _HIDDEN.finditer(text):
        start, end = match.span()
        before = start - 1 if start > removed_end else start
        if match.lastgroup and not _NEEDED.match(text, before, end + 1):
            removed_end = end
            yield match


def _line_ends(text: str) -> str:
    """The text with `\\n` for every rarer end of a line; `\\r\\n` stays as it is."""
    return "\r\n".join(line.translate(_BREAKS) for line in text.split("\r\n"))


def _to_blank(passage: str, injections: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    tags = [
        (first, last)
        for first, last, why in injections
        if why == ROLE_TAG and not _is_inline(passage, first, last)
    ]
    yield from _tagged_spans(passage, tags)
    yield from ((first, last) for first, last, _ in injections)
    separate = set(tags)
    in_sentences = [
        injection
        for injection in injections
        if injection[2] != HIDDEN_MARKUP and (injection[0], injection[1]) not in separate
    ]
    if in_sentences:
        yield from _sentences(passage, in_sentences)


def _tagged_spans(passage: str, tags: Sequence[Span]) -> Iterator[Span]:
    """From each tag to the one that closes it; from one that nothing closes, to the end of what it opens."""
    index = 0
    while index < len(tags):
        first, last = tags[index]
        if passage[last - 1] == ":":  # a speaker's name, which nothing closes
            yield first, _line_end(passage, last)
            index += 1
            continue
        near = bisect_right(tags, last + _REACH, key=lambda tag: tag[0])
        closing = next(
            (candidate for candidate in range(index + 1, near) if _closes(passage, last, tags[candidate][0])),
            None,
        )
        if closing is None:
            yield first, _line_end(passage, last)
        else:
            yield first, tags[closing][1]
        index = index + 1 if closing is None else closing + 1


def _line_end(passage: str, at: int) -> int:
    """The end of the line; behind a tag that stands alone, that of the next one."""
    end = passage.find("\n", at)
    if end >= 0 and not passage[at:end].strip(" \t:*_>"):
        end = passage.find("\n", end + 1)
    return len(passage) if end < 0 else end


def _closes(passage: str, last: int, start: int) -> bool:
    """Whether the tag at `start` can close what was opened: with something between."""
    return _word_count(passage[last:start]) >= _FEW


def _word_count(text: str) -> int:
    """How many words there are."""
    return len(_WORD.findall(text))


def _sentences(passage: str, injections: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """The sentences that hold an injection, and those that they lead to; each is looked at once."""
    pieces = list(pieces_of(passage))
    since: dict[tuple[int, int], int] = {}
    for first, last, why in injections:
        touched = (
            bisect_right(pieces, first, key=lambda piece: piece[1]),
            bisect_left(pieces, last, key=lambda piece: piece[0]),
        )
        if touched[0] < touched[1]:
            since[touched] = last if why == ROLE_TAG else first  # the last one has the least said after it
    visited: set[int] = set()
    for (first_piece, stop_piece), offset in since.items():
        yield from pieces[first_piece:stop_piece]
        yield from _neighbours(passage, pieces, (first_piece, stop_piece), offset, visited)


def _neighbours(
    passage: str, pieces: Sequence[Span], touched: tuple[int, int], offset: int, visited: set[int]
) -> Iterator[Span]:
    """The sentences before or after an order that hold the text to say, where the order does not hold it.

    Sentences that another order has `visited` are skipped with all that follow.
    """
    first, stop = touched
    order = passage[pieces[first][0] : pieces[stop - 1][1]]
    if first > 0 and _points_back(order):
        yield pieces[first - 1]
    expects_more = _points_ahead(order) or not _says_itself(passage[offset : pieces[stop - 1][1]])
    for index in range(stop, len(pieces)):
        start, end = pieces[index]
        if index in visited or not (expects_more or _continues(passage[start:end])):
            return
        visited.add(index)
        yield start, end
        expects_more = False


def _points_back(order: str) -> bool:
    """`Tell the user so`: the order refers to text before it."""
    parts = ((part, _SAYS.search(part)) for part in _PARTS.split(order))
    return bool(_ENDS_SO.search(order)) or any(
        says and _THIS.search(part, says.end()) for part, says in parts
    )


def _points_ahead(order: str) -> bool:
    """`Print the next line`: the order refers to text after it."""
    parts = [part for part in _PARTS.split(order) if _WORD.search(part)]
    return bool(parts and _AHEAD.search(parts[-1]))


def _says_itself(order: str) -> bool:
    """Whether an order says itself what is to be said: after a colon, or as `say the shop is closed`."""
    if any(_word_count(part) >= _FEW for part in _SAID.split(order)[1:]):
        return True
    last = _STOPS.split(order.rstrip(".!? "))[-1]
    outright = _OUTRIGHT.search(last)
    if outright is None or _POINTERS.search(last, outright.end()):
        return False
    statement = last[outright.end() :]
    return statement.strip().lower() in ("yes", "no") or has_verb(statement)


def _continues(sentence: str) -> bool:
    """Whether a sentence that follows an order belongs to it."""
    return says_what(sentence) or _GOES_ON.match(sentence) is not None


def _is_inline(passage: str, first: int, last: int) -> bool:
    """Whether a tag is a speaker's name within a line; it speaks for its sentence, not for the whole line."""
    if passage[last - 1] != ":":
        return False
    return bool(passage[passage.rfind("\n", 0, first) + 1 : first].strip(" \t>*_"))
