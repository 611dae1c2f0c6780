"""The forms of an English verb, noun or adjective."""

import re
from dataclasses import dataclass
from functools import cache

from sensecheck.text.wordlists import read_lines

_DOUBLING = frozenset(
    [
        "admit",
        "commit",
        "permit",
        "submit",
        "omit",
        "emit",
        "remit",
        "refer",
        "prefer",
        "transfer",
        "infer",
        "confer",
        "defer",
        "occur",
        "incur",
        "recur",
        "control",
        "patrol",
        "compel",
        "expel",
        "propel",
        "rebel",
        "equip",
        "regret",
        "acquit",
        "upset",
        "allot",
        "begin",
        "forbid",
        "forget",
        "outbid",
        "abet",
        "format",
    ]
)
_SHORT = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdgklmnprtv]")
"""A verb of one syllable whose last consonant is doubled: `stop`, `plan`, `quit`."""


@dataclass(frozen=True, slots=True)
class Verb:
    """The five forms of a verb; of a verb such as `carry out`, with the second word."""

    base: str
    third: str
    past: str
    participle: str
    ing: str

    @property
    def forms(self) -> dict[str, str]:
        """Each form under its name."""
        return {
            "base": self.base,
            "third": self.third,
            "past": self.past,
            "participle": self.participle,
            "ing": self.ing,
        }


@cache
def verb(phrase: str) -> Verb:
    """The forms of a verb given in its plain form."""
    base, space, rest = phrase.partition(" ")
    past, participle = irregular().get(base) or (_past(base), _past(base))
    forms = (base, "is" if base == "be" else with_s(base), past, participle, _ing(base))
    return Verb(*(form + space + rest for form in forms))


@cache
def irregular() -> dict[str, tuple[str, str]]:
    """The past and the participle of the verbs that no rule inflects."""
    rows = (line.split() for line in read_lines("kept_irregular.txt", __package__))
    return {base: (past, participle) for base, past, participle in rows}


@cache
def bases() -> dict[str, str]:
    """The plain form for each irregular past."""
    return {past: base for base, (past, _) in irregular().items() if past != base}


@cache
def pasts() -> dict[str, str]:
    """The past for each irregular participle."""
    return {participle: past for past, participle in irregular().values()}


def with_s(word: str) -> str:
    """A noun in the plural, or a verb after `he`."""
    if word in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[word]
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search(r"[^aeiou]y$", word) else word + "s"


def comparative(word: str, ending: str) -> str:
    """A short adjective with `er` or `est`."""
    if word.endswith("e"):
        return word + ending[1:]
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "i" + ending
    return (word + word[-1] if _SHORT.fullmatch(word) and len(word) < 5 else word) + ending


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if re.search(r"[^aeiou]y$", base):
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _doubled(base: str) -> str:
    return base + base[-1] if base in _DOUBLING or _SHORT.fullmatch(base) else base
