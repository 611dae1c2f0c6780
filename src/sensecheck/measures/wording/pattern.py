"""Whether a pattern matches somewhere in the answer."""

import re
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.wording.shown import quoted

_NAMED_GROUP = re.compile(r"(\\.)|\(\?<(?=[A-Za-z_])", re.DOTALL)
_NAMED_AGAIN = re.compile(r"\\([^k])|\\k<([A-Za-z_]\w*)>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""1 when a regular expression matches anywhere in the answer, else 0.

    It is one of Python. Named groups may be written as in JavaScript, `(?<name>…)` and `\k<name>`. What
    differs from there: `\d`, `\w` and `\b` know the letters and digits of every script, and `$` also matches
    before a line break that ends the answer.
    """

    regex: str

    def __post_init__(self) -> None:
        if not self.regex:
            raise SpecError("`regex` is empty, and matches in every answer; wanted a pattern")
        compiled(self.regex)

    @property
    def name(self) -> str:
        """What people call it."""
        return "pattern"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the first match."""
        found = compiled(self.regex).search(sample.answer)
        if found is None:
            return Reading(0.0, f"nothing in the answer matches {quoted(self.regex)}")
        span = Span.of("answer", sample.answer, *found.span())
        because = f"{quoted(span.text)} matches {quoted(self.regex)}"
        return Reading(1.0, because, (Evidence("found", span),))


@lru_cache(maxsize=1024)
def compiled(regex: str) -> re.Pattern[str]:
    """The regular expression, or `SpecError` that says what is wrong with it."""
    grouped = _NAMED_GROUP.sub(lambda found: found[1] or "(?P<", regex)
    named = _NAMED_AGAIN.sub(lambda found: f"(?P={found[2]})" if found[2] else found[0], grouped)
    try:
        return re.compile(named)
    except (re.error, OverflowError, RecursionError) as wrong:
        raise SpecError(f"{quoted(regex)} is no regular expression of Python: {wrong}") from wrong
