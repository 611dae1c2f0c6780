"""Words and signs of a text, divided as mteval-v13a and sacrebleu divide them."""

import re
from functools import lru_cache

from sensecheck.measures.lexical.remembering import SHORT, TEXTS

_SIGN = r"{-~\[-`!-&(-+:-@/"
_PLAIN = rf"[^{_SIGN}\s.,\-]"
_DASH = r"(?<![0-9])-"
_POINT = r"(?<=[0-9])[.,](?=[0-9])"
# A point or comma between digits, and a dash that no digit precedes, belong to the word.
_TOKEN = re.compile(rf"(?:{_PLAIN}|{_DASH}){_PLAIN}*+(?:(?:{_DASH}|{_POINT}){_PLAIN}*+)*+|[{_SIGN}.,\-]")
_RULES = (  # the rules one after the other: where points follow each other, each rule leaves some to the next
    (re.compile(rf"([{_SIGN}])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokens(text: str) -> tuple[str, ...]:
    """The words and signs, in the letters they are written in; a short text is divided once."""
    return _remembered(text) if len(text) <= SHORT else _divided(text)


def _divided(text: str) -> tuple[str, ...]:
    line = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    if "&" in line:
        for entity, sign in _ENTITIES:
            line = line.replace(entity, sign)
    if not (".." in line or ".," in line or ",." in line or ",," in line):
        return tuple(_pieces(line))
    line = f" {line} "
    for pattern, put in _RULES:
        line = pattern.sub(put, line)
    return tuple(line.split())


def _pieces(line: str) -> list[str]:
    found: list[str] = []
    for word in line.split():
        if word.isalnum():  # most are, and need no pattern
            found.append(word)
        else:
            found += _TOKEN.findall(word)
    return found


_remembered = lru_cache(maxsize=TEXTS)(_divided)
