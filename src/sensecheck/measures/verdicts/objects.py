"""Verdicts stated in JSON-like objects anywhere in a text, however broken they are: `{"verdict": "PASS"}`.

One pass over the text reads keys and values, also where quotes are missing, foreign, doubled or not escaped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sensecheck.measures.verdicts.phrases import stated_verdict
from sensecheck.measures.verdicts.plaintext import Finding, Stated, unescaped
from sensecheck.measures.verdicts.scores import ANSWER, Scale, topic_of

_QUOTES = "\"'`“’"
"""The marks that open a string; each is closed by its like. Texts are made plain before: see `plain`."""
_SEPARATOR = r"(?::=?|=>?|->)"
_NEAR = rf"[\s*]{{0,20}}+{_SEPARATOR}"
_NAME = r"[A-Za-z_][\w\-./ ]{0,60}"
_KEY = re.compile(rf"\"(?P<exact>(?:[^\"\\\n]|\\.)*+)\"[\s*]*+{_SEPARATOR}")
_LOOSE_KEY = re.compile(rf"\\*+[{_QUOTES}*]{{1,4}}\s?(?P<name>{_NAME}?)\s?\\*+[{_QUOTES}*]{{1,4}}{_NEAR}")
_BARE_KEY = re.compile(rf"\\*+[{_QUOTES}]?(?P<name>{_NAME}?)\\*+[{_QUOTES}]?{_NEAR}(?!//)")
_QUOTED_NAME = rf"\\*+[{_QUOTES}](?P<name>{_NAME}?)\\*+[{_QUOTES}]"
_SPACED_KEY = re.compile(rf"{_QUOTED_NAME}\s++(?=\\*+[{_QUOTES}])")
_UNPARTED_KEY = re.compile(rf"{_QUOTED_NAME}[\s,]*+(?=\\*+[{_QUOTES}]|(?:true|false)\b|\d)", re.IGNORECASE)

_OPENING = re.compile(rf"(?P<escapes>\\*+)(?P<quote>[{_QUOTES}])")
_GAP = re.compile(r"(?:[\s*]|\\++[nrt])*+")
_LONG_GAP = re.compile(r"(?:[\s*,;]|\\++[nrt])*+")
_LINE_END = re.compile(r"\n|\\n")
_CLOSED = re.compile(r"\Z|[}\]]|```|//|/\*|#\s|\)\s*+\Z")
_CLOSED_AFTER_COMMA = re.compile(
    rf"\Z|[}}\]{{]|\.\.\.|…|//|/\*|#\s|```"
    rf"|{_QUOTED_NAME}\s*+(?=[{_QUOTES}}}\]]|\Z)|[{_QUOTES}][\w ]{{0,60}}+\Z"
)
_CLOSED_IN_LIST = re.compile(r"\Z|[,}\]\n]|```|//|/\*")

_BEGIN = re.compile(
    rf"(?P<run>[{{\[](?:[\s{{\[\]*,:;.…]|\\++[nrt]|//[^\n]*+|#[^\n]*+|/\*[^*]*+\*/)*+)"
    rf"|(?:\A|(?<=[\n,(]))[ \t*]*+(?P<stray>\\*+[{_QUOTES}])"
    rf"|(?P<call>(?<=\w)\(\s?)(?=\w+\s?=\s?[{_QUOTES}\dTF])"
)
_BETWEEN = re.compile(r"(?:[\s,;*…]|\\++[nrt]|\.\.\.|//[^\n]*+|#[^\n]*+)++")
_BEFORE_VALUE = re.compile(r"[\s*:=>]*+")
_JUNK = re.compile(r"(?:\\.)++|\w++|.", re.DOTALL)
_BARE = re.compile(r"(?:[^\n,;}\]\"“\\]|\\(?![\"“]))*+")
_BARE_IN_CALL = re.compile(r"(?:[^\n,;}\])\"“\\]|\\(?![\"“]))*+")
_AFTER_COMMA = re.compile(r"[,;][\s,;]*+")
_LAST = re.compile(r"\Z|[}\]]|\.\.\.|…|//|/\*|#")
_CLOSED_BY = {"]": ("list", "bracketed"), ")": ("call",)}
_COMMENT = 2000
"""How long a comment between `/*` and `*/` may be."""

_BLANK = re.compile(r"\s|\\[nrt]")
"""Space, also as a string within a string writes it."""
_OBJECT = re.compile(r"\s*(?:\{|\[\s*\{)")
_HIGHEST = re.compile(
    r"\W*(?:max(?:imum)?|highest)[ _]?(?:possible[ _]?)?(?:score|rating|points?)?\W*|out[ _]?of", re.I
)
_NUMBER = re.compile(r"\d{1,6}(?:\.\d+)?")
_LONG = 400
"""How much of a value is read."""
_NESTED = 2
"""How often a string that holds JSON may hold a string that holds JSON."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object that stands in no other one: where, and whether it was closed."""

    start: int
    end: int
    complete: bool


def in_objects(text: str, scale: Scale) -> tuple[list[Finding], list[Found]]:
    """What the objects of a text state, and where those objects stand.

    An object that was closed is believed before one that broke off, and of those the last, and in one object
    its outer keys before its inner ones. Closed objects that disagree are a conflict, unless a key is called
    final. A key such as `answer`, or one in escaped quotes, is believed only if there is no other.
    """
    scan = _Scan(text).run()
    pairs = list(_with_nested(text, scan.pairs, _NESTED))
    highest = {(pair.found_in, pair.depth): top for pair in pairs if (top := _highest(text, pair))}
    pair_findings = [
        (pair, finding)
        for pair in pairs
        if (finding := _finding(text, pair, scan.objects[pair.found_in], _own_scale(scale, highest, pair)))
    ]
    return _outermost(pair_findings), scan.objects


@dataclass(frozen=True, slots=True)
class _Pair:
    """A key, and where its value stands."""

    key: str
    start: int
    end: int
    depth: int
    """How many objects stand around the one that holds it."""
    found_in: int
    """Which of the text's objects holds it."""
    escaped: bool
    """Whether the quotes of its key are escaped, as if it stood in a string."""


def _outermost(pair_findings: Sequence[tuple[_Pair, Finding]]) -> list[Finding]:
    """Of each object, what its outer keys state."""
    depths: dict[tuple[int, ...], int] = {}
    for pair, finding in pair_findings:
        key = (pair.found_in, *finding.rank[:2])
        depths[key] = min(pair.depth, depths.get(key, pair.depth))
    return [
        finding for pair, finding in pair_findings if pair.depth == depths[(pair.found_in, *finding.rank[:2])]
    ]


def _finding(text: str, pair: _Pair, container: Found, scale: Scale) -> Finding | None:
    announced = topic_of(unescaped(pair.key).text)
    if announced is None:
        return None
    topic, final = announced
    value = unescaped(text[pair.start : min(pair.end, pair.start + _LONG)])
    verdict = stated_verdict(value.text, topic, scale)
    if verdict is None:
        return None
    start, end = value.source(verdict.start, verdict.end)
    stated = Stated(verdict.value, pair.start + start, pair.start + end, "json")
    restarted = 0 if container.complete else -pair.found_in
    order = (not container.complete, restarted, topic.rank, not final)
    return Finding(stated, (topic is ANSWER, pair.escaped, *order), topic.rank)


def _with_nested(text: str, pairs: Iterable[_Pair], times: int) -> Iterator[_Pair]:
    """The pairs, and those in strings that hold nothing but JSON."""
    for pair in pairs:
        yield pair
        if times and _OBJECT.match(text, pair.start, pair.end):
            inner = text[pair.start : pair.end]
            scan = _Scan(inner).run()
            whole = len(scan.objects) == 1 and not inner[: scan.objects[0].start].strip()
            if whole and not (scan.objects[0].complete and _BLANK.sub("", inner[scan.objects[0].end :])):
                for nested in _with_nested(inner, scan.pairs, times - 1):
                    yield _moved(nested, pair)


def _moved(inner: _Pair, outer: _Pair) -> _Pair:
    start, end = inner.start + outer.start, inner.end + outer.start
    return replace(inner, start=start, end=end, depth=inner.depth + outer.depth + 1, found_in=outer.found_in)


def _highest(text: str, pair: _Pair) -> float | None:
    """The number under a key such as `max_score`."""
    number = _NUMBER.match(text, pair.start, pair.end) if _HIGHEST.fullmatch(pair.key) else None
    return float(number[0]) if number else None


def _own_scale(scale: Scale, highest: Mapping[tuple[int, int], float], pair: _Pair) -> Scale:
    top = highest.get((pair.found_in, pair.depth), scale[1])
    return scale if top == scale[1] else (1.0 if scale[0] == 1 else 0.0, top)


@dataclass(slots=True)
class _Open:
    """An object or a list that is not closed yet."""

    kind: Literal["object", "list", "bracketed", "call"]
    """`bracketed` and `call` are objects that stand in other brackets: `["a": 1]`, `Verdict(a=1)`."""
    key: str = ""
    depth: int = 0
    filled: bool = False
    escaped: bool = False
    """Whether the quotes of its last key were escaped."""


@dataclass(slots=True)
class _Scan:
    """One pass over a text: `run` it, then take its `pairs` and `objects`."""

    text: str
    pairs: list[_Pair] = field(default_factory=list)
    objects: list[Found] = field(default_factory=list)
    _at: int = 0
    _read: int = 0
    """Where the last value ended."""
    _open: list[_Open] = field(default_factory=list)
    _cut: bool = False
    """Whether the object broke off before it was closed."""
    _fresh: bool = True
    """Whether a key without quotes may stand here."""

    def run(self) -> "_Scan":
        """Reads the text once, from left to right."""
        while (start := self._begin()) is not None:
            self._read, self._fresh, self._cut = self._at, True, False
            while self._open and self._at < len(self.text):
                self._step()
            complete = not self._open and not self._cut
            self._open.clear()
            self.objects.append(Found(start, self._at if complete else self._read, complete))
        return self

    def _begin(self) -> int | None:
        """Enter the next object, and return where it begins."""
        while match := _BEGIN.search(self.text, self._at):
            self._at = match.start("stray") if match["stray"] else match.end()
            if opened := self._opened(match):
                self._open = opened
                return self._at if match["stray"] else match.start()
            self._at = match.end()
        return None

    def _opened(self, match: re.Match[str]) -> list[_Open]:
        key = _key_at(self.text, self._at)
        if match["stray"]:  # the brace is missing
            at_line_start = match.start() == 0 or self.text[match.start() - 1] == "\n"
            return [_Open("object")] if key and (at_line_start or topic_of(key[0])) else []
        if match["call"]:
            return [_Open("call")]
        if "{" not in match["run"]:
            return [_Open("bracketed")] if key else []
        if key or _bare_key_at(self.text, self._at) or _unparted_key_at(self.text, self._at):
            return [_Open("list"), _Open("object")] if "[" in match["run"] else [_Open("object")]
        return []

    def _step(self) -> None:
        """Reads the next key with its value, or goes into or out of a bracket."""
        if gap := _BETWEEN.match(self.text, self._at):
            self._fresh = self._fresh or any(mark in gap[0] for mark in ",;\n\\")
            self._at = gap.end()
        elif self.text[self._at] in "}])":
            self._close(self.text[self._at])
        elif self.text.startswith("```", self._at):
            self._at += 3
            self._break_off()
        elif self.text.startswith("/*", self._at):
            self._at = max(self.text.find("*/", self._at, self._at + _COMMENT), self._at) + 2
        elif self.text[self._at] in "{[":
            self._enter(self.text[self._at])
        elif key := self._key():
            self._value(*key)
        elif self._open[-1].kind == "list":
            self._string_or_bare(self._open[-1].key, in_list=True)
        else:
            junk = _JUNK.match(self.text, self._at)
            self._at, self._fresh = junk.end() if junk else self._at + 1, False

    def _close(self, sign: str) -> None:
        """A brace closes its object, and the lists in it that were left open; a bracket closes a list."""
        self._at, self._fresh = self._at + 1, True
        if sign != "}":
            if self._open[-1].kind in _CLOSED_BY[sign]:
                self._open.pop()
            return
        while self._open.pop().kind == "list" and self._open:
            pass

    def _enter(self, sign: str) -> None:
        """A bracket where a key was awaited: an item of a list, a doubled brace, or the next object."""
        inner = self._open[-1]
        if inner.kind == "list":
            opened = _Open("object" if sign == "{" else "list", inner.key, inner.depth, escaped=inner.escaped)
            self._open.append(opened)
        elif sign == "{" and inner.filled:
            self._break_off()
            return
        self._at, self._fresh = self._at + 1, True

    def _break_off(self) -> None:
        self._cut = True
        self._open.clear()

    def _key(self) -> tuple[str, int] | None:
        """The key that stands here; in a list, it says that the list was left open."""
        if key := _key_at(self.text, self._at):
            while self._open[-1].kind == "list" and len(self._open) > 1:
                self._open.pop()
            return key
        if self._open[-1].kind == "list":
            return None
        unparted = _unparted_key_at(self.text, self._at)
        return unparted or (_bare_key_at(self.text, self._at) if self._fresh else None)

    def _value(self, key: str, at: int) -> None:
        inner = self._open[-1]
        inner.filled, inner.escaped = True, self.text[self._at] == "\\"
        before = _BEFORE_VALUE.match(self.text, at)
        self._at = before.end() if before else at
        sign = self.text[self._at : self._at + 1]
        name = inner.key if inner.key and key.strip().lower() == "value" else key
        if sign in ("{", "["):
            opened = _Open("object" if sign == "{" else "list", name, inner.depth + 1, escaped=inner.escaped)
            self._open.append(opened)
            self._at, self._fresh = self._at + 1, True
        else:
            self._string_or_bare(name, in_list=False)

    def _string_or_bare(self, key: str, *, in_list: bool) -> None:
        string = _string_at(self.text, self._at, in_list=in_list)
        start, end, after = string or self._bare(in_list=in_list)
        inner = self._open[-1]
        self.pairs.append(_Pair(key, start, end, inner.depth, len(self.objects), inner.escaped))
        self._at = self._read = max(after, self._at)
        self._fresh = True

    def _bare(self, *, in_list: bool) -> tuple[int, int, int]:
        """A value without quotes: up to the line's end, a bracket, or the comma before the next key."""
        start = end = self._at
        pattern = _BARE_IN_CALL if self._open[-1].kind == "call" else _BARE
        while bare := pattern.match(self.text, end):
            end = bare.end()
            comma = _AFTER_COMMA.match(self.text, end)
            stop = self.text[end : end + 1]
            if comma is None and stop not in ('"', "“", "\\"):
                break
            if (in_list and comma) or self._key_follows(comma.end() if comma else end):
                break
            end += 2 if stop == "\\" else 1
        return start, end, end

    def _key_follows(self, at: int) -> bool:
        return bool(_LAST.match(self.text, at) or _key_at(self.text, at) or _bare_key_at(self.text, at))


def _key_at(text: str, at: int) -> tuple[str, int] | None:
    """The quoted key that stands at a place, and where its value may begin."""
    exact = _KEY.match(text, at)
    if exact:
        return exact["exact"], exact.end()
    loose = _LOOSE_KEY.match(text, at)
    return (loose["name"], loose.end()) if loose else None


def _bare_key_at(text: str, at: int) -> tuple[str, int] | None:
    """The key without quotes, or with one of them, that stands at a place."""
    match = _BARE_KEY.match(text, at)
    return (match["name"], match.end()) if match else None


def _unparted_key_at(text: str, at: int) -> tuple[str, int] | None:
    """The quoted key that stands at a place without a colon: `"why" "so"`; a verdict's before a comma."""
    match = _SPACED_KEY.match(text, at) or _UNPARTED_KEY.match(text, at)
    is_key = match and (match.re is _SPACED_KEY or topic_of(match["name"]))
    return (match["name"], match.end()) if match and is_key else None


def _string_at(text: str, at: int, *, in_list: bool = False) -> tuple[int, int, int] | None:
    """The start and end of the string that opens at a place, and where reading resumes.

    A quote closes the string if what follows can only follow a string, or if it opens the next key after a
    comma or a line's end: then the closing quote is missing. In well-formed JSON the first quote that is
    not escaped is always such a one, so that well-formed strings are read exactly.
    """
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    escapes, start = len(opening["escapes"]), opening.end()
    end = text.find(opening["quote"], start)
    while end >= 0:
        before = _escapes_before(text, start, end)
        if before < escapes or (before - escapes) % (2 * escapes + 2) == 0:
            if _closes(text, end + 1, in_list=in_list):
                return start, end - min(before, escapes), end + 1
            if _opens_next_key(text, start, end - before):
                return start, end - before, end - before
        end = text.find(opening["quote"], end + 1)
    return start, len(text), len(text)


def _escapes_before(text: str, start: int, end: int) -> int:
    at = end
    while at > start and text[at - 1] == "\\":
        at -= 1
    return end - at


def _closes(text: str, after: int, *, in_list: bool) -> bool:
    """Whether what follows a quote can only follow a string."""
    gap = _GAP.match(text, after)
    at = gap.end() if gap else after
    if in_list:
        return _CLOSED_IN_LIST.match(text, at) is not None
    if _CLOSED.match(text, at) or _key_at(text, at):
        return True
    if text[at : at + 1] not in (",", ";") and not _LINE_END.search(text, after, at):
        return False
    gap = _LONG_GAP.match(text, at)
    at = gap.end() if gap else at
    return bool(_CLOSED_AFTER_COMMA.match(text, at) or _key_at(text, at) or _bare_key_at(text, at))


def _opens_next_key(text: str, start: int, at: int) -> bool:
    """Whether a quote opens the next key: it stands after a comma or at the start of a line."""
    before = at - 1
    while before >= start and text[before] in " \t\r":
        before -= 1
    return before >= start and text[before] in ",\n" and _key_at(text, at) is not None
