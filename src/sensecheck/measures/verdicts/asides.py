"""Stretches of a text that state nothing, blanked so that all places stay the same."""

import re
from collections.abc import Iterable, Iterator

_NAMES = "think|thinking|thought|reasoning|analysis|explanation|scratchpad|rationale"
_OPENED = re.compile(rf"^[ \t]*+(?:<\w+>[ \t]*+)*?<(?P<name>{_NAMES})>", re.IGNORECASE | re.MULTILINE)
_ONLY_CLOSED = re.compile(r"^[ \t]*+</think(?:ing)?>|</think(?:ing)?>[ \t]*+$", re.IGNORECASE | re.MULTILINE)
"""These tags count where no string of JSON can hold them: a line begins or ends there."""


def without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of some stretches, which are in order."""
    pieces: list[str] = []
    done = 0
    for start, end in stretches:
        if end > done:
            pieces += (text[done : max(start, done)], " " * (end - max(start, done)))
            done = end
    return "".join([*pieces, text[done:]])


def without_thoughts(text: str) -> str:
    """The text without what stands in tags such as `<think>`: a draft is no verdict."""
    return without(text, _thoughts(text)) if "<" in text else text


def _thoughts(text: str) -> Iterator[tuple[int, int]]:
    """From each such tag to the next that closes it; one that is only closed was opened before the text."""
    done, never_closed = 0, set()
    closed = _ONLY_CLOSED.search(text)
    if closed and "<think" not in text[: closed.start()].lower():
        done = closed.end()
        yield 0, done
    for opened in _OPENED.finditer(text):
        name = opened["name"].lower()
        if opened.start() < done or name in never_closed:
            continue
        end = re.compile(f"</{name}>", re.IGNORECASE).search(text, opened.end())
        if end:
            done = end.end()
            yield opened.start(), done
        else:
            never_closed.add(name)
            if not text[: opened.start()].strip():
                yield 0, len(text)
