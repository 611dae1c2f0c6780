"""Claims that say that the passage does not say: `The passage does not mention it`, `Unable to answer`."""

import re
from collections.abc import Iterator, Sequence

from sensecheck.measures.claims.grammar import bare_words, phrases_of, speaks, without_source
from sensecheck.text.words import words

_SUPPOSED = re.compile(
    r"\b(?:if|whether|when|where|unless)\s+(?:the|this|these|any|there|all)?\s*$", re.IGNORECASE
)
"""Before it, nothing is said to be so: `if the passage does not mention it`."""
_ANOTHER = re.compile(
    r"(?<!mention)(?<!indication)(?<!reference)\s+"
    r"(?:of\s+(?!what|how|this|it\b)|messages?\b|books?\b|editors?\b|technology|desk)",
    re.IGNORECASE,
)
"""After it, `text` and the like name something in the world: `the text of the treaty`, `text messages`."""


_TOPIC = re.compile(r"[^:.!?,;\d\n]{1,60}:[\s*_]{0,6}")
_MAX_TOPIC_WORDS = 5
"""In words."""


def abstention(claim_text: str) -> tuple[int, int] | None:
    """Where a claim says that the passage leaves something open; None where it does not say so.

    A sentence about the world that has a negation is none: `the contract does not name a date`.
    """
    places = sorted(open_places(claim_text))
    return places[0] if places else None


def excused(claim_text: str) -> tuple[int, int] | None:
    """The part of a claim that says so; what else it says has to be compared with the passages."""
    places = sorted(open_places(claim_text))
    if not places:
        return None
    start, end = stated(claim_text, places)
    return 0 if _is_topic(claim_text[:start]) else start, end


def _is_topic(before: str) -> bool:
    """Whether what stands before is a label that names what is left open: `**Flying:** the leaflet …`."""
    match = _TOPIC.fullmatch(before)
    return match is not None and len(words(before)) <= _MAX_TOPIC_WORDS and not speaks(before)


def open_places(said: str) -> Iterator[tuple[int, int]]:
    """Every place where it says so, by the words that say it."""
    text_words = bare_words(said)
    for phrase in phrases_of("abstention.txt"):
        for start, end in phrase.places(said, text_words):
            if not _SUPPOSED.search(said, max(0, start - 24), start) and not _ANOTHER.match(said, end):
                yield start, end


_TURNS = "but|however|although|though|yet|while|whereas"
_REASONS = "so|which|because|since|therefore|thus|hence|meaning"
_CUT = re.compile(  # spaces before a mark are bounded, as a long run of them would be read again and again
    r"[.!?][\"'”’)\]]{0,4}\s+|\s{0,4}(?:;\s*|[:,]\s+|[—–]\s*|[()\[\]\n]\s*)|\s{1,4}-{1,3}\s+"
    rf"|\s{{1,4}}(?=(?:{_TURNS}|and|so|because|since)\b)|(?<!such)(?<!well)\s{{1,4}}(?=as\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?;]|\s-|[—–]")
_OPENS_TURN = re.compile(rf"(?:{_TURNS})\b", re.IGNORECASE)
_OPENS_REASON = re.compile(rf"(?:and\s+)?(?:{_REASONS})\b", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:(?:and|or)\s+(?:also\s+)?(?:when|where|who|whose|whom|which|how|what|why|whether|if)|how|what|why|whether)\b"
    r"|or\b",
    re.IGNORECASE,
)
_REPLIES = re.compile(
    r"\b(?:i|we)\s+(?:must|will|would)\s+(?:reply|respond|answer)(?:\s+with)?\s*$"
    r"|\bthe\s+(?:answer|response)(?:\s+to\s+(?:the|this|your)\s+question)?\s+(?:is|would\s+be)\s*$",
    re.IGNORECASE,
)
_LONGEST_REASON, _LONGEST_ASKED = 2, 12
"""In words: what says nothing after `so`, `which`; an indirect question that continues."""


def stretches(said: str) -> Iterator[tuple[int, int]]:
    """The stretches of a claim between commas, dashes, brackets, `and`, `but` and the like."""
    start = 0
    for cut in _CUT.finditer(said):
        if cut.start() > start:
            yield start, cut.start()
        start = max(start, cut.end())
    if start < len(said):
        yield start, len(said)


def stated(said: str, found: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretches around what was found that say nothing else, from the first of them to the last."""
    parts = list(stretches(said))
    is_open = [any(start < last and first < end for first, last in found) for start, end in parts]
    at = is_open.index(True)
    continues = [is_open[i] or not says_more(said[start:end]) for i, (start, end) in enumerate(parts)]
    first, last = _first_part(said, parts, continues, at), at
    while last + 1 < len(parts) and continues[last + 1]:
        last += 1
    if last + 1 < len(parts) and said[parts[last][1] : parts[last + 1][0]].isspace():
        # `the mayor and his wife fled` is cut in two
        last = max(index for index in range(at, last + 1) if is_open[index])
    return parts[first][0] if first else 0, parts[last][1] if last + 1 < len(parts) else len(said)


def _first_part(text: str, parts: Sequence[tuple[int, int]], continues: Sequence[bool], at: int) -> int:
    """Where the sentence begins, if all that stands before in it is like `Based on the text, `; else here."""
    first = at
    while first > 0 and not _ENDS.search(text[parts[first - 1][1] : parts[first][0]]):
        start, end = parts[first]
        if not continues[first - 1] or (_OPENS_TURN.match(text, start, end)):
            return at
        first -= 1
    return first


def says_more(stretch: str) -> bool:
    """Whether a stretch may say something of its own; `and the size of it` only lists one thing more."""
    bare = _REPLIES.sub(" ", without_source(stretch))
    count = len(words(bare))
    if _OPENS_TURN.match(bare) and count > 1:
        return True
    if _OPENS_REASON.match(bare) and count > _LONGEST_REASON:
        return True
    if _ASKED.match(bare) and count <= _LONGEST_ASKED:
        return False
    return speaks(bare)
