"""Words and signs of a text, divided as in the Penn Treebank."""

import re

_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\.{3}", " ... "),
        (r"[:,](?!\d)", r" \g<0> "),
        (r"[;@#$%&?!\[\](){}<>]|--|``|''", r" \g<0> "),
        (r"([^.])(?<!\b[a-z]\.[a-z])(\.)([\])}>'\s]*)$", r"\1 \2\3 "),
        (r"^|$", " "),
        (r"([^'])' ", r"\1 ' "),
        (r"'([smd]) ", r" '\1 "),
        (r"('ll|'re|'ve|n't) ", r" \1 "),
        (r"\b(can)(not)\b|\b(d)('ye)\b|\b(gim)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(lem)(me)\b", None),
        (r"\b(more)('n)\b|\b(wan)(na)\b(?= )|(?<!\w)('t)(is|was)\b", None),
    )
)
_OPENS = re.compile(r"(?:(?<=^)|(?<=[\s(\[{<]))\"")


def tokens(text: str) -> list[str]:
    """The words and signs; a straight quotation mark opens after a space or a bracket, else it closes."""
    held = _OPENS.sub(" `` ", " ".join(text.split())).replace('"', " '' ")
    for pattern, put in _RULES:
        held = pattern.sub(put or _apart, held)
    return held.split()


def _apart(found: re.Match[str]) -> str:
    return " ".join(("", *(part for part in found.groups() if part is not None), ""))
