"""Keys and values of JSON-like objects anywhere in a text, in one pass, however broken they are."""

import re
from dataclasses import dataclass, field

from sensecheck.measures.verdicts.pairs import Found, Open, Pair
from sensecheck.measures.verdicts.strings import QUOTES, bare_key_at, key_at, string_at, unparted_key_at
from sensecheck.measures.verdicts.topics import topic_of

_BEGIN = re.compile(
    rf"(?P<run>[{{\[](?:[\s{{\[\]*,:;.…]|\\++[nrt]|//[^\n]*+|#[^\n]*+|/\*[^*]*+\*/)*+)"
    rf"|(?:\A|(?<=[\n,(]))[ \t*]*+(?P<stray>\\*+[{QUOTES}])"
    rf"|(?P<call>(?<=\w)\(\s?)(?=\w+\s?=\s?[{QUOTES}\dTF])"
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


@dataclass(slots=True)
class Scan:
    """One pass over a text: `run` it, then take its `pairs` and `objects`."""

    text: str
    pairs: list[Pair] = field(default_factory=list)
    objects: list[Found] = field(default_factory=list)
    _at: int = 0
    _read: int = 0
    """Where the last value ended."""
    _open: list[Open] = field(default_factory=list)
    _cut: bool = False
    """Whether the object broke off before it was closed."""
    _fresh: bool = True
    """Whether a key without quotes may stand here."""

    def run(self) -> "Scan":
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
        """Goes into the next object, and says where it begins."""
        while match := _BEGIN.search(self.text, self._at):
            self._at = match.start("stray") if match["stray"] else match.end()
            if opened := self._opened(match):
                self._open = opened
                return self._at if match["stray"] else match.start()
            self._at = match.end()
        return None

    def _opened(self, match: re.Match[str]) -> list[Open]:
        key = key_at(self.text, self._at)
        if match["stray"]:  # the brace is missing
            at_line_start = match.start() == 0 or self.text[match.start() - 1] == "\n"
            return [Open("object")] if key and (at_line_start or topic_of(key[0])) else []
        if match["call"]:
            return [Open("call")]
        if "{" not in match["run"]:
            return [Open("bracketed")] if key else []
        if key or bare_key_at(self.text, self._at) or unparted_key_at(self.text, self._at):
            return [Open("list"), Open("object")] if "[" in match["run"] else [Open("object")]
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
            opened = Open("object" if sign == "{" else "list", inner.key, inner.depth, escaped=inner.escaped)
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
        if key := key_at(self.text, self._at):
            while self._open[-1].kind == "list" and len(self._open) > 1:
                self._open.pop()
            return key
        if self._open[-1].kind == "list":
            return None
        unparted = unparted_key_at(self.text, self._at)
        return unparted or (bare_key_at(self.text, self._at) if self._fresh else None)

    def _value(self, key: str, at: int) -> None:
        inner = self._open[-1]
        inner.filled, inner.escaped = True, self.text[self._at] == "\\"
        before = _BEFORE_VALUE.match(self.text, at)
        self._at = before.end() if before else at
        sign = self.text[self._at : self._at + 1]
        name = inner.key if inner.key and key.strip().lower() == "value" else key
        if sign in ("{", "["):
            opened = Open("object" if sign == "{" else "list", name, inner.depth + 1, escaped=inner.escaped)
            self._open.append(opened)
            self._at, self._fresh = self._at + 1, True
        else:
            self._string_or_bare(name, in_list=False)

    def _string_or_bare(self, key: str, *, in_list: bool) -> None:
        string = string_at(self.text, self._at, in_list=in_list)
        start, end, after = string or self._bare(in_list=in_list)
        inner = self._open[-1]
        self.pairs.append(Pair(key, start, end, inner.depth, len(self.objects), inner.escaped))
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
        return bool(_LAST.match(self.text, at) or key_at(self.text, at) or bare_key_at(self.text, at))
