"""Marks that say where something comes from: `[1]`, `[^1]`, `¹`, `[doc1]`, `【1†source】`, `(Source: …)`.

They are no claims, and their numbers are no facts. The same signs may be something else: `(34)` behind a name
is an age, `m²` a unit, `a[3]` in code an index; in doubt a mark is read as a part of the claim.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from sensecheck.measures.claims.grammar import speaks

Place = tuple[int, int]

_KEY = (
    r"(?:docs?|documents?|sources?|src|refs?|references?|passages?|contexts?|chunks?|snippets?|excerpts?"
    r"|citations?|cite)"
)
_PAGE = r"(?:pp?\.|pages?)"
_PART = rf"(?:{_PAGE}|(?:steps?|sections?|paragraphs?|points?|items?|lines?|sentences?))"
_NUMBERS = r"\d{1,3}(?:\s{0,2}[,;–-]\s{0,2}\d{1,3}){0,9}"
_TO_KEY = r"[\s_:#.-]{0,2}"
_KEYED = rf"{_KEY}{_TO_KEY}\d{{1,4}}(?:\s{{0,2}}(?:[,;&–-]|and)\s{{0,2}}(?:{_KEY}{_TO_KEY})?\d{{1,4}}){{0,9}}"
_NAME = r"[A-Z][\w'’-]{1,30}"
_NO_MONTH = r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s)"
_YEAR = rf"(?:19|20)\d\d[a-z]?(?:,\s?(?:{_PAGE}\s?)?\d{{1,4}}(?:[–-]\d{{1,4}})?)?"
_AUTHORS = rf"{_NO_MONTH}{_NAME}(?:(?:,|,?\s(?:and|&)|\s(?:van|von|de|der))?\s{_NAME}){{0,4}}"
_DATED = rf"{_AUTHORS}(?:,?\set\sal\.?)?,?\s{_YEAR}"
_COAUTHORED = rf"{_NO_MONTH}{_NAME}(?:,?\set\sal\.?|\s&\s{_NAME}),?\s{_YEAR}"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_FEW = r"\(\d(?:\s?[,;–-]\s?\d){0,9}\)"

_MARK = re.compile(
    r"【[^【】\n]{1,80}】"
    r"|\[\^[^\[\]\s]{1,30}\]:?"
    rf"|\[\s?{_NUMBERS}\s?\](?:\([^()\s]{{0,400}}\)|:(?=\s))?"
    rf"|\[(?i:{_KEYED}|{_KEY}\s?:\s?[^\[\]\n]{{1,200}}|{_PAGE}\s?{_NUMBERS})\](?!\()"
    rf"|\[{_DATED}(?:;\s?{_DATED}){{0,5}}\](?!\()"
    rf"|\((?:(?:see|cf\.?)\s)?{_COAUTHORED}(?:;\s?{_COAUTHORED}){{0,5}}\)"
    rf"|\(\s?(?i:(?:(?:see|from|cf\.?)\s)?{_KEYED}(?:\s?,\s{_PART}\s?{_NUMBERS})?|(?:see\s)?{_PAGE}\s?{_NUMBERS})\s?\)"
    rf"|\((?i:{_KEY}|quelle)\s?:\s?(?:[^()\n]|\([^()\n]{{0,80}}\)){{1,200}}\)"
    rf"|(?<=[^\W\d_])\s?{_FEW}(?=[.!?](?:\s|$)|\s{{0,9}}(?:\n|$)|\s?[\[(]\d)"
    rf"|(?<=[.!?\])])\s?{_FEW}(?=\s|$|[\[(.])"
    rf"|<sup>\s?\[?{_NUMBERS}\]?\s?</sup>"
    rf"|(?<!\S)[{_RAISED}]{{1,3}}(?!\w)"
    rf"|(?<=[.,;!?)\"”’\]])[{_RAISED}]{{1,3}}(?:[,˒ ][{_RAISED}]{{1,3}}){{0,5}}"
    rf"|(?<=[^\W\d_][^\W\d_][^\W\d_])[{_RAISED}]{{1,3}}(?:[,˒][{_RAISED}]{{1,3}}){{0,5}}(?!\w)"
)
_STARTS = frozenset("【[(<" + _RAISED)
_UNIT = re.compile(
    r"\b(?:inch|feet|foot|met(?:re|er)s?|(?:kilo|centi|milli)met(?:re|er)s?|miles?|yards?|sec|min)$", re.I
)
"""Behind these a small number is a power: `metre²`; shorter ones such as `km²` are too short to be read."""
_COUNT = re.compile(r"(?:(?<=[\s:;,])|^)\((\d)\)(?=\s[^\W\d_])", re.MULTILINE)
"""What counts the parts of a sentence: `(1) fast, (2) cheap`."""
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")
_LINK = re.compile(r"!?\[(?P<label>[^\[\]\n]{0,300})\]\(\s?<?[^()\s]{1,800}>?(?:\s\"[^\"\n]{0,200}\")?\)")
_SOURCES = re.compile(
    r"[\W_]*(?:(?:re)?sources?|references?|citations?|refs?|footnotes?|bibliography|works\scited|further\sreading"
    r"|see\salso|quellen?)[\s*_]*(?::[\s*_]*(?P<given>[^\n]{0,400}))?",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://|\bwww\.|\bdoi\b", re.IGNORECASE)
_NUMBER = re.compile(r"\S*\d\S*")
_STOPS = frozenset(".!?…")
_LEADS = re.compile(r"[\W_]*(?:\[\^?\w{1,20}\]:?|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})[\s.]*(?=\S)")


def citation_marks(text: str, code: Sequence[Place] = ()) -> list[Place]:
    """Where such marks stand in a text, but for the places of its code."""
    if _STARTS.isdisjoint(text):
        return []
    excluded = sorted([*code, *(match.span() for match in _INLINE_CODE.finditer(text))])
    starts = [start for start, _ in excluded]
    places = sorted({*_marks(text), *_counts(text)})
    return [_closed(text, place) for place in places if not _is_within(place, excluded, starts)]


def _closed(text: str, place: Place) -> Place:
    """A mark between two sentences with the stop behind it, which is its own: `It is so. (see p. 4).`"""
    start, end = place
    if text[end : end + 1] not in _STOPS or start == 0 or not text[start - 1].isspace():
        return place
    return (start, end + 1) if text[max(0, start - 9) : start].rstrip()[-1:] in _STOPS else place


def _is_within(place: Place, spans: Sequence[Place], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, place[0]) - 1
    return at >= 0 and place[0] < spans[at][1]


def _marks(text: str) -> Iterator[Place]:
    for match in _MARK.finditer(text):
        start = match.start() + (len(match[0]) - len(match[0].lstrip()))
        if text[start] not in _RAISED or not _UNIT.search(text, max(0, start - 12), start):
            yield start, match.end()


def _counts(text: str) -> Iterator[Place]:
    """Numbers in brackets that count from one on; one alone may be anything."""
    matches = list(_COUNT.finditer(text))
    if {"1", "2"} <= {match[1] for match in matches}:
        yield from (match.span() for match in matches)


def link_marks(text: str) -> list[Place]:
    """All of each Markdown link but the words that are shown; all of a picture."""
    if "](" not in text:
        return []
    places: list[Place] = []
    for match in _LINK.finditer(text):
        shown = match["label"].strip() and not match[0].startswith("!")
        places += [(match.start(), match.start("label")), (match.end("label"), match.end())] if shown else []
        places += [] if shown else [match.span()]
    return places


def blanked(text: str, places: Sequence[Place]) -> str:
    """The text with spaces in these places, so that all else stays where it is."""
    if not places:
        return text
    parts, at = [], 0
    for start, end in sorted(places):
        if start >= at:
            parts += [text[at:start], " " * (end - start)]
            at = end
    return "".join((*parts, text[at:]))


def heads_sources(said: str) -> bool:
    """Whether a heading says that what follows are sources."""
    match = _SOURCES.fullmatch(said.strip("*_#: \t"))
    return match is not None and not match["given"]


def only_cites(said: str, *, among_sources: bool = False) -> bool:
    """Whether all of it only names a source: `Source: annual report`, `[2] Annual report`, a mere link.

    `among_sources` says that it stands under such a heading.
    """
    if "](" in said and not any(map(str.isalnum, _LINK.sub("", said))):
        return True
    match = _SOURCES.fullmatch(said)
    if match is not None and match["given"]:
        return _names_source(match["given"])
    return among_sources and _names_source(said)


def is_footnote(said: str) -> bool:
    """Whether it starts with a mark and only names something: `[1] Annual report, 2023`."""
    match = _LEADS.match(said)
    return match is not None and _names_source(said[match.end() :])


def _names_source(text: str) -> bool:
    """Whether it says nothing that could be true or false of the world."""
    return _URL.search(text) is not None or not speaks(_NUMBER.sub(" ", text))
