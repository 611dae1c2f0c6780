"""A passage without what speaks to the model."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sensecheck.grounding.asking.pointing import FEW, goes_on, is_told, points_ahead, points_back, word_count
from sensecheck.measures.claims.injection import ROLE_TAG, wide_injections
from sensecheck.measures.claims.injection import WHY as MARKUP
from sensecheck.measures.claims.instructions import pieces_of

_REACH = 600
"""In characters: how far behind a tag the one that closes it is looked for."""
_SEEN = re.compile(r"[^\n]")
_REMEMBERED = 64
"""So many passages are kept with what is left of them: they are asked about again for each claim."""
Span = tuple[int, int]


@lru_cache(maxsize=_REMEMBERED)
def without_orders(passage: str) -> str:
    """The passage with every sentence blanked that speaks to the model, and with it what it is told to say.

    As long as before, with its line breaks, so that all else stays where it is. What stands beside an order
    is rather lost than trusted.
    """
    left, read = [], 0
    for start, end in sorted(_given_up(passage, wide_injections(passage))):
        if end > read:
            start = max(start, read)
            left += [passage[read:start], _SEEN.sub(" ", passage[start:end])]
            read = end
    return "".join((*left, passage[read:]))


def _given_up(passage: str, found: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    tags = [
        (first, last)
        for first, last, why in found
        if why == ROLE_TAG and not _is_inline(passage, first, last)
    ]
    yield from _tagged(passage, tags)
    yield from ((first, last) for first, last, _ in found)
    apart = set(tags)
    spoken = [one for one in found if one[2] != MARKUP and (one[0], one[1]) not in apart]
    if spoken:
        yield from _sentences(passage, spoken)


def _sentences(passage: str, found: Sequence[tuple[int, int, str]]) -> Iterator[Span]:
    """The sentences in which something was found, and those that they lead to; each is looked at once."""
    pieces = list(pieces_of(passage))
    since: dict[tuple[int, int], int] = {}
    for first, last, why in found:
        touched = (
            bisect_right(pieces, first, key=lambda piece: piece[1]),
            bisect_left(pieces, last, key=lambda piece: piece[0]),
        )
        if touched[0] < touched[1]:
            since[touched] = last if why == ROLE_TAG else first  # the last one has the least said after it
    walked: set[int] = set()
    for (begun, ended), at in since.items():
        yield from pieces[begun:ended]
        yield from _beside(passage, pieces, (begun, ended), at, walked)


def _is_inline(passage: str, first: int, last: int) -> bool:
    """Whether a tag is a speaker's name within a line; it speaks for its sentence, not for the whole line."""
    if passage[last - 1] != ":":
        return False
    return bool(passage[passage.rfind("\n", 0, first) + 1 : first].strip(" \t>*_"))


def _beside(
    passage: str, pieces: Sequence[Span], touched: tuple[int, int], since: int, walked: set[int]
) -> Iterator[Span]:
    """What is to be said, where the order does not say it itself: the sentence after it, or before it.

    Where another order has `walked` already, there is nothing more to find.
    """
    begun, ended = touched
    said = passage[pieces[begun][0] : pieces[ended - 1][1]]
    if begun > 0 and points_back(said):
        yield pieces[begun - 1]
    waits = points_ahead(said) or not is_told(passage[since : pieces[ended - 1][1]])
    for at in range(ended, len(pieces)):
        start, end = pieces[at]
        if at in walked or not (waits or goes_on(passage[start:end])):
            return
        walked.add(at)
        yield start, end
        waits = False


def _tagged(passage: str, tags: Sequence[Span]) -> Iterator[Span]:
    """From each tag to the one that closes it; from one that nothing closes, to the end of what it opens."""
    at = 0
    while at < len(tags):
        first, last = tags[at]
        if passage[last - 1] == ":":  # a speaker's name, which nothing closes
            yield first, _line_end(passage, last)
            at += 1
            continue
        near = bisect_right(tags, last + _REACH, key=lambda tag: tag[0])
        closing = next(
            (other for other in range(at + 1, near) if _closes(passage, last, tags[other][0])), None
        )
        if closing is None:
            yield first, _line_end(passage, last)
        else:
            yield first, tags[closing][1]
        at = at + 1 if closing is None else closing + 1


def _closes(passage: str, last: int, start: int) -> bool:
    """Whether the tag at `start` can close what was opened: with something between."""
    return word_count(passage[last:start]) >= FEW


def _line_end(passage: str, at: int) -> int:
    """The end of the line; behind a tag that stands alone, that of the next one."""
    end = passage.find("\n", at)
    if end >= 0 and not passage[at:end].strip(" \t:*_>"):
        end = passage.find("\n", end + 1)
    return len(passage) if end < 0 else end
