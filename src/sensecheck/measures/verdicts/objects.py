"""Verdicts stated in JSON-like objects: `{"verdict": "PASS"}`, well-formed or not."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sensecheck.measures.verdicts.finding import Finding, Stated
from sensecheck.measures.verdicts.pairs import Found, Pair
from sensecheck.measures.verdicts.plain import unescaped
from sensecheck.measures.verdicts.said import said
from sensecheck.measures.verdicts.scan import Scan
from sensecheck.measures.verdicts.scores import Scale
from sensecheck.measures.verdicts.topics import ANSWER, topic_of

_OBJECT = re.compile(r"\s*(?:\{|\[\s*\{)")
_HIGHEST = re.compile(
    r"\W*(?:max(?:imum)?|highest)[ _]?(?:possible[ _]?)?(?:score|rating|points?)?\W*|out[ _]?of", re.I
)
_NUMBER = re.compile(r"\d{1,6}(?:\.\d+)?")
_LONG = 400
"""How much of a value is read."""
_NESTED = 2
"""How often a string that holds JSON may hold a string that holds JSON."""


def in_objects(text: str, scale: Scale) -> tuple[list[Finding], list[Found]]:
    """What the objects of a text state, and where those objects stand.

    An object that was closed is believed before one that broke off, and of those the last, and in one object
    its outer keys before its inner ones. Closed objects that disagree are a conflict, unless a key is called
    final. A key such as `answer`, or one in escaped quotes, is believed only if there is no other.
    """
    scan = Scan(text).run()
    pairs = list(_with_nested(text, scan.pairs, _NESTED))
    highest = {(pair.found_in, pair.depth): top for pair in pairs if (top := _highest(text, pair))}
    found = [
        (pair, finding)
        for pair in pairs
        if (finding := _finding(text, pair, scan.objects[pair.found_in], _scale(scale, highest, pair)))
    ]
    return _outermost(found), scan.objects


def _outermost(found: Sequence[tuple[Pair, Finding]]) -> list[Finding]:
    """Of each object, what its outer keys state."""
    depths: dict[tuple[int, ...], int] = {}
    for pair, finding in found:
        key = (pair.found_in, *finding.rank[:2])
        depths[key] = min(pair.depth, depths.get(key, pair.depth))
    return [finding for pair, finding in found if pair.depth == depths[(pair.found_in, *finding.rank[:2])]]


def _finding(text: str, pair: Pair, held_by: Found, scale: Scale) -> Finding | None:
    named = topic_of(unescaped(pair.key).text)
    if named is None:
        return None
    topic, final = named
    value = unescaped(text[pair.start : min(pair.end, pair.start + _LONG)])
    verdict = said(value.text, topic, scale)
    if verdict is None:
        return None
    start, end = value.source(verdict.start, verdict.end)
    stated = Stated(verdict.value, pair.start + start, pair.start + end, "json")
    restarted = 0 if held_by.complete else -pair.found_in
    order = (not held_by.complete, restarted, topic.rank, not final)
    return Finding(stated, (topic is ANSWER, pair.escaped, *order), topic.rank)


def _with_nested(text: str, pairs: Iterable[Pair], times: int) -> Iterator[Pair]:
    """The pairs, and those in strings that hold nothing but JSON."""
    for pair in pairs:
        yield pair
        if times and _OBJECT.match(text, pair.start, pair.end):
            inner = text[pair.start : pair.end]
            scan = Scan(inner).run()
            whole = len(scan.objects) == 1 and not inner[: scan.objects[0].start].strip()
            if whole and not (scan.objects[0].complete and inner[scan.objects[0].end :].strip(" \n\r\t\\n")):
                for found in _with_nested(inner, scan.pairs, times - 1):
                    yield _moved(found, pair)


def _moved(inner: Pair, outer: Pair) -> Pair:
    start, end = inner.start + outer.start, inner.end + outer.start
    return replace(inner, start=start, end=end, depth=inner.depth + outer.depth + 1, found_in=outer.found_in)


def _highest(text: str, pair: Pair) -> float | None:
    """The number under a key such as `max_score`."""
    number = _NUMBER.match(text, pair.start, pair.end) if _HIGHEST.fullmatch(pair.key) else None
    return float(number[0]) if number else None


def _scale(scale: Scale, highest: Mapping[tuple[int, int], float], pair: Pair) -> Scale:
    top = highest.get((pair.found_in, pair.depth), scale[1])
    return scale if top == scale[1] else (1.0 if scale[0] == 1 else 0.0, top)
