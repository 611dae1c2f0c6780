"""What is held back of an answer while it is written: nothing of it goes out before it was checked."""

import re

from sensecheck.grounding.asking.borders import Borders
from sensecheck.measures.claims.claims import claims

_NEWS = re.compile(
    r"[.!?…](?=(\S{0,4}\s{1,9}[^\w\s]{0,3}\w*\W))|[。｡！？．।॥؟۔](?=(.))|\n(?=(\s{0,9}(?:\n|\S.{7})))|(?=(`))"
)
"""What may settle something, up to where it is certain; without it, looking would be in vain."""
_BACK = 64
"""As far back may lie what is only now certain."""
_EACH = 32
"""After each of so many claims, all up to it is offered; then after every second, fourth, eighth …"""
_FEW = 5
"""So often at each of these distances."""
_FURTHEST = 64
"""With the whole, an answer is offered in 63 beginnings at most, however many claims it has."""
_SHARE = 32
"""A text is looked at again when so small a part of it is new: looking at each piece would take too long."""


def _is_claim(piece: str) -> bool:
    """Whether the last thing said can be true or false: a question waits for what comes after it."""
    found = claims(piece)
    return bool(found) and found[-1].checked and found[-1].end == len(piece)


def _is_offered(number: int) -> bool:
    """Whether all up to the claim of this number is offered; the longer that is, the more rarely."""
    beyond, step = number - _EACH, 2
    while beyond > _FEW * step:
        beyond, step = beyond - _FEW * step, step * 2
    return beyond <= 0 or (step <= _FURTHEST and beyond % step == 0)


def _is_news(text: str, known: int) -> bool:
    """Whether what came after so many characters may settle anything."""
    found = _NEWS.finditer(text, max(0, known - _BACK))
    return any(match.end(match.lastindex or 0) > known for match in found)


class Held:
    """An answer that is being written, of which only what was accepted is released.

    `feed` and `finish` say which beginnings of it are to be checked; each of them is then `accepted`, in this
    order, or all is over with `refused`.
    """

    def __init__(self) -> None:
        self.text = ""
        """All that was written so far."""
        self.released = ""
        """What may be known outside: a beginning that was accepted as a whole."""
        self.is_refused = False
        self._borders = Borders()
        self._claims = 0
        self._looked_at = 0
        self._has_news = False
        self._waiting: list[str] = []

    def feed(self, piece: str) -> tuple[str, ...]:
        """The beginnings to be checked now that this was written too."""
        known = len(self.text)
        self.text += piece
        self._has_news = self._has_news or _is_news(self.text, known)
        if not self._has_news or len(self.text) - self._looked_at < len(self.text) // _SHARE:
            return ()
        self._has_news, self._looked_at = False, len(self.text)
        return self._offered(whole=False)

    def finish(self) -> tuple[str, ...]:
        """The beginnings to be checked now that nothing follows; the last is the whole answer."""
        found = self._offered(whole=True)
        end = len(self.text.rstrip())
        if self.is_refused or end <= len(self._reach()):
            return found
        self._waiting.append(self.text[:end])
        return (*found, self.text[:end])

    def accepted(self, prefix: str) -> str:
        """What may be released now that this beginning was checked and passed."""
        if self.is_refused or not self._waiting or self._waiting[0] != prefix:
            raise ValueError("only the first beginning that waits to be checked can be accepted")
        del self._waiting[0]
        new = prefix[len(self.released) :]
        self.released = prefix
        return new

    def refused(self) -> None:
        """Release nothing more, neither of what was refused nor of anything after it."""
        self.is_refused = True
        self._waiting.clear()

    def _offered(self, *, whole: bool) -> tuple[str, ...]:
        """What can be checked that could not before."""
        if self.is_refused:
            return ()
        offered = []
        for start, end in self._borders.more(self.text, whole=whole):
            if _is_claim(self.text[start:end]):
                self._claims += 1
                offered += [self.text[:end]] * _is_offered(self._claims)
        self._waiting += offered
        return tuple(offered)

    def _reach(self) -> str:
        return self._waiting[-1] if self._waiting else self.released
