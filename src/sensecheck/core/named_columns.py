"""Which column holds which part of a row, as people write it: `question=query`."""

from collections.abc import Collection, Iterable

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown


def named_columns(given: Iterable[str], parts: Collection[str], *, of: str) -> dict[str, str]:
    """The column of each part, from what `--column` was given; each part once."""
    found: dict[str, str] = {}
    for pair in given:
        part, is_pair, column = pair.partition("=")
        if not (is_pair and column):
            raise SpecError(f"`--column` wants PART=COLUMN, such as `question=query`; found `{pair}`")
        if part not in parts:
            raise SpecError(f"`--column {pair}`: {unknown(f'part of a {of}', part, parts)}")
        if part in found:
            raise SpecError(f"`--column` names two columns for `{part}`: `{found[part]}` and `{column}`")
        found[part] = column
    return found
