"""Numbers, dates and names in another notation."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from models.verifier.edits.edit import Article

from sensecheck.text.wordlists import read_lines

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH = f"({'|'.join(_MONTHS)})"
_WORDS = [*_ONES, *(ten + (f"-{one}" if one else "") for ten in _TENS for one in ("", *_ONES[1:10]))]
_VALUES = {word: value for value, word in enumerate(_WORDS)}
_SPELLED = re.compile(
    rf"(?<![\w-])(?<!to )(?<!or )(?<!and )({'|'.join(sorted(_WORDS[2:], key=len, reverse=True))})(?="
    rf" [a-z]{{3}})"
)
_DIGITS = re.compile(
    r"(?<=[a-z] )([2-9]|[1-9]\d)(?= (?!percent|per|million|billion|degrees|a\b|and\b|to\b)[a-z]{3})"
)
_NUMBERED = re.compile(
    r"(?:chapter|page|section|article|part|step|number|no|type|class|grade|level|phase|figure|table"
    r"|line|stage"
    r"|route|highway|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|age|aged|and|to|or|between|from|hundred|thousand|at) $",
    re.I,
)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_CONTRACTED = (
    "is isn't,are aren't,was wasn't,were weren't,do don't,does doesn't,did didn't,has hasn't,have haven't,"
    "had hadn't,would wouldn't,could couldn't,should shouldn't"
)
_NOT = dict(pair.split() for pair in _CONTRACTED.split(","))
_FULL = {short: word for word, short in _NOT.items()} | {"can't": "can", "won't": "will"}
_SHORT = {
    "it is": "it's",
    "they are": "they're",
    "he is": "he's",
    "she is": "she's",
    "that is": "that's",
    "we are": "we're",
    "you are": "you're",
    "they will": "they'll",
    "we have": "we've",
    "i am": "I'm",
}
Swap = Callable[[re.Match[str]], str]


def other_notation(claim: str, article: Article, rng: Random) -> Iterator[str]:
    """The claim with one number, date, name or contraction written otherwise."""
    found = [
        claim[: match.start()] + new + claim[match.end() :]
        for pattern, swap in _swaps()
        for match in pattern.finditer(claim)
        if (new := swap(match, rng)) and new != match[0]
    ]
    found += [*_short_names(claim), *_defined(claim, article)]
    rng.shuffle(found)
    yield from found


@cache
def _swaps() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Random], str]], ...]:
    day = r"([12]?\d|3[01])"
    return (
        (_SPELLED, lambda m, rng: str(_VALUES[m[1]])),
        (_DIGITS, _in_words),
        (re.compile(r"(?<=\d)%"), lambda m, rng: rng.choice([" percent", " per cent"])),
        (re.compile(r"(?<=\d) ?per ?cent\b(?!age)"), lambda m, rng: "%"),
        (re.compile(r"(?<![\w.,$])\d{1,3}(?:,\d{3})+(?![\d.,]\d)"), lambda m, rng: m[0].replace(",", "")),
        (re.compile(r"(?<![\w.,-])\d{5,9}(?![\w.,-])"), lambda m, rng: f"{int(m[0]):,}"),
        (re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3})?) (million|billion|thousand)\b"), _written_out),
        (re.compile(r"\$(\d+(?:\.\d+)? (?:million|billion|trillion))\b"), lambda m, rng: f"{m[1]} dollars"),
        (re.compile(rf"\b{_MONTH} {day},? (\d{{4}})\b,?"), lambda m, rng: _date(m, m[2], m[1], m[3], rng)),
        (
            re.compile(rf"(?<!\d ){day} {_MONTH},? (\d{{4}})\b"),
            lambda m, rng: _date(m, m[1], m[2], m[3], rng),
        ),
        (re.compile(rf"(?<=[a-z] ){_MONTH} {day}\b(?! ?[,\d]? ?\d)"), lambda m, rng: f"{m[2]} {m[1]}"),
        (re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)(?= century)"), _century),
        (re.compile(rf"\b({'|'.join(_ORDINALS)})(?= century)"), lambda m, rng: _ordinal(m[1])),
        (re.compile(r"\b(\d\d?) ([ap])\.m\."), lambda m, rng: f"{m[1]} {m[2]}m"),
        (re.compile(rf"\b({'|'.join(_NOT)}) not\b(?! only)", re.I), lambda m, rng: _contracted(m)),
        (re.compile(rf"\b({'|'.join(_FULL)})\b", re.I), lambda m, rng: _expanded(m)),
        (re.compile(rf"\b({'|'.join(_SHORT)})\b(?=[ ][a-z])", re.I), lambda m, rng: _contraction(m)),
        (re.compile(r"\bcannot\b"), lambda m, rng: "can't"),
        (re.compile(r"(?<=[a-z]) and (?=[A-Z]\w+ (?:Inc|Co|Ltd|Sons)\b)"), lambda m, rng: " & "),
    )


def _in_words(match: re.Match[str], rng: Random) -> str:
    return "" if _NUMBERED.search(match.string[: match.start()]) else _WORDS[int(match[1])]


def _written_out(match: re.Match[str], rng: Random) -> str:
    times = {"thousand": 10**3, "million": 10**6, "billion": 10**9}[match[2]]
    return f"{round(float(match[1]) * times):,}"


def _date(match: re.Match[str], day: str, month: str, year: str, rng: Random) -> str:
    number = _MONTHS.index(month) + 1
    ways = [
        f"{month} {day}, {year}",
        f"{day} {month} {year}",
        f"{_nth(int(day))} of {month} {year}" if match.string[: match.start()].endswith("the ") else "",
        f"{month} {_nth(int(day))}, {year}",
        f"{year}-{number:02}-{int(day):02}",
        f"{month[:3]} {day}, {year}" if len(month) > 4 else "",
    ]
    end = "," if match[0].endswith(",") else ""
    return rng.choice([way + end for way in ways if way and way + end != match[0]])


def _nth(number: int) -> str:
    teen = 10 < number % 100 < 14
    return f"{number}{'th' if teen else _ENDINGS.get(number % 10, 'th')}"


def _century(match: re.Match[str], rng: Random) -> str:
    number = int(match[1])
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else ""


def _ordinal(word: str) -> str:
    return _nth(_ORDINALS.index(word) + 1)


def _as(model: str, word: str) -> str:
    return word[0].upper() + word[1:] if model[0].isupper() else word


def _contracted(match: re.Match[str]) -> str:
    return _as(match[0], _NOT[match[1].lower()])


def _expanded(match: re.Match[str]) -> str:
    word = _FULL[match[1].lower()]
    return _as(match[0], "cannot" if word == "can" else f"{word} not")


def _contraction(match: re.Match[str]) -> str:
    return _as(match[0], _SHORT[match[1].lower()])


def _short_names(claim: str) -> Iterator[str]:
    for names in _names():
        for one in names:
            at = claim.find(one)
            whole = at >= 0 and not claim[at - 1 : at].isalnum() and not claim[at + len(one) :][:1].isalnum()
            if (
                not whole
                or claim[at + len(one) :][:1] == "-"
                or claim[at + len(one) : at + len(one) + 2] == " ("
            ):
                continue
            for other in names:
                if (
                    other != one
                    and not (one in other and other in claim)
                    and f"{one} of America" not in claim
                ):
                    yield claim[:at] + other + claim[at + len(one) :]


@cache
def _names() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split(" = ")) for line in read_lines("kept_short.txt", __package__))


_DEFINITION = re.compile(r"((?:[A-Z][\w-]+ (?:of |and |for |the )*){1,5}[A-Z][\w-]+) \(([A-Z]{2,6})\)")


def _defined(claim: str, article: Article) -> Iterator[str]:
    """A name for its abbreviation, or the other way, when the article says that they are one."""
    for sentence in article.sentences:
        if "(" not in sentence:
            continue
        for full, short in _DEFINITION.findall(sentence):
            letters = "".join(word[0] for word in full.split() if word[0].isupper())
            if letters != short or (full in claim and short in claim):
                continue
            one, other = (full, short) if full in claim else (short, full)
            if re.search(rf"(?<![\w-]){one}(?![\w'’-])", claim):
                yield claim.replace(one, other, 1)
