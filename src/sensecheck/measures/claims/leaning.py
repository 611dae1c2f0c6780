"""Where an answer says what it leans on: `Based on the provided passages`."""

import re

_SOURCE = r"(?:passages?|texts?|contexts?|documents?|sources?|information|articles?|excerpts?)"
_GIVEN = r"(?:provided|given|supplied|retrieved|mentioned)"
_LEANS = re.compile(
    rf"\b(?:based|relying|drawing|according)\s+(?:\w+\s+)?(?:on|to)\s+(?:\w+\s+){{0,3}}?{_SOURCE}\b(?:\s+{_GIVEN}\b)?"
    rf"|\b{_GIVEN}\s+(?={_SOURCE}\b)|\b{_SOURCE}\s+{_GIVEN}\b|\b{_GIVEN}\s+in\s+the\s+{_SOURCE}\b",
    re.IGNORECASE,
)


def without_source(said: str) -> str:
    """What is said, without the words that name what it leans on; their participles are no verbs."""
    return _LEANS.sub(" ", said)
