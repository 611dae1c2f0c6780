"""Where in prose something stands: at the start of a line, of a sentence, or in a supposition."""

import re

_LOOK_BACK = 160
_DECORATION = r"[ \t*_#\-•+`\"'“’\[(|~=\d.)✅❌]*"
_LINE = re.compile(rf"\n{_DECORATION}\Z")
_SENTENCE = re.compile(
    rf"(?:(?:[\n.!?;…)\]|]|\w>)\s*|:[ *]{{0,4}}(?:\d[\d./%]*|pass|fail|yes|no)\**,?\s){_DECORATION}\Z",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?:[\n.!?;…)\]|,:—–]|\w>|\s-)\s*{_DECORATION}(?:(?:so|and|thus|hence|therefore)\s)?\Z", re.IGNORECASE
)
_SO_FAR = re.compile(r"[^.!?\n]*\Z")
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|when|would|could|should|might|may|suppose|assuming|had|otherwise|not|never|no|cannot"
    r"|prevents?|prevented|example|e\.g)\b|n['’]t\b",
    re.IGNORECASE,
)


def starts_line(text: str, at: int) -> bool:
    """Whether only bullets, stars and the like stand before it on its line; not so on a quoted line."""
    return _LINE.search(_before(text, at)) is not None


def starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence or a line begins here, or the next label: `Score: 4, Verdict: …`."""
    return _SENTENCE.search(_before(text, at)) is not None


def starts_clause(text: str, at: int) -> bool:
    """Whether a clause begins here, in a sentence that supposes and denies nothing before."""
    before = _before(text, at)
    so_far = _SO_FAR.search(before)
    return _CLAUSE.search(before) is not None and not (so_far and _SUPPOSED.search(so_far[0]))


def line_from(text: str, at: int, *, most: int = 480) -> str:
    """The rest of the line."""
    return text[at : at + most].partition("\n")[0]


def _before(text: str, at: int) -> str:
    return text[at - _LOOK_BACK : at] if at > _LOOK_BACK else "\n" + text[:at]
