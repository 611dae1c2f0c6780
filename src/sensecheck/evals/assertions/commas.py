"""Several texts in one, with commas between them."""

import re

from sensecheck.evals.node import Node

_FIELD = re.compile(r'\s*+(?:"((?:[^"\\]|\\.|"")*+)"\s*+|([^",\s][^,]*+))?+(?:,|$)', re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\])|""')


def parted(node: Node) -> tuple[str, ...]:
    """The texts between the commas; one in quotation marks may hold commas itself."""
    text, found, at = node.text("a list of texts"), [], 0
    while at < len(text):
        field = _FIELD.match(text, at)
        if field is None:
            raise node.wrong(f"a quotation mark is not closed, or no comma follows it: `{text[at:].strip()}`")
        if field[1] is not None:
            found.append(_ESCAPED.sub(lambda pair: pair[1] or '"', field[1]))
        elif field[2] is not None and field[2].strip():
            found.append(field[2].strip())
        at = field.end()
    if not found:
        raise node.wrong("wanted at least one text; found none")
    return tuple(found)
