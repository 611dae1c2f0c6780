"""The verdict that a few words say where one was announced: `PASS`, `not a pass`, `Response B`, `A>B`.

It must end where its words do, not as in `pass rates are high`, and its own sentence must not take it back:
`correct, but overall it fails`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sensecheck.measures.verdicts.scores import FLAG, Scale, Topic, score_at


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


PASS, EVEN, FAIL = 1.0, 0.5, 0.0

PLAIN_PASS = _set("pass passed passes passing yes true accept accepted approve approved")
PLAIN_FAIL = _set("fail failed fails failing failure no false reject rejected")
"""These are verdicts wherever they stand alone."""
APT = _set(
    "correct right valid acceptable satisfactory accurate supported faithful grounded consistent compliant "
    "ok okay"
)
UNAPT = _set(
    "incorrect wrong invalid unacceptable unsatisfactory inaccurate unsupported unfaithful ungrounded "
    "inconsistent noncompliant"
)
"""These are verdicts where one was announced: by a key, a mark or a label."""
UNDECIDED = _set(
    "tie tied draw equal equally even inconclusive undecided unsure uncertain indeterminate borderline mixed "
    "partial partially partly"
)
BOTH = _set("both neither")
"""Undecided where a preference was asked for."""
CONTESTANTS: Mapping[str, float] = {"a": PASS, "b": FAIL}
COUNTED: Mapping[str, float] = {"1": PASS, "2": FAIL, "first": PASS, "second": FAIL, "one": PASS, "two": FAIL}
WORDS: Mapping[str, float] = {
    **dict.fromkeys(PLAIN_PASS | APT, PASS),
    **dict.fromkeys(PLAIN_FAIL | UNAPT, FAIL),
    **dict.fromkeys(UNDECIDED, EVEN),
}
TRUTHS: Mapping[str, float] = {"yes": PASS, "true": PASS, "no": FAIL, "false": FAIL}
ALONE = PLAIN_PASS | PLAIN_FAIL | _set("correct incorrect tie") | frozenset(CONTESTANTS)
SIGNS: Mapping[str, float] = {**dict.fromkeys("✅✔☑👍🟢", PASS), **dict.fromkeys("❌✖✗✘✕👎🔴🚫⛔", FAIL)}
SIGN = f"[{''.join(SIGNS)}]"

NEGATIONS = _set("not never cannot isnt wasnt arent doesnt didnt hasnt cant")
TO_NEGATE = _set("fail fails failed")
"""These negate before `to`: `fails to pass`."""
NAMED = _set("response answer output model assistant candidate option system submission solution agent text")
"""What may be called A or B, and what a verdict may be about."""
FILLERS = NAMED | _set(
    "a an the it this that its their my our i we is was are be been being has have does do did can could "
    "statement claim summary reply translation student ai user given final submitted provided generated "
    "considered deemed marked judged rated as clearly clear definitely definite strong strongly solid hard "
    "overall therefore thus so hence factually technically verdict result still also only"
)
"""These may stand before the word of a verdict: `the answer is clearly a …`."""
FULLY = _set("fully entirely completely totally absolutely wholly perfectly")
"""These too; but `not fully correct` is no verdict."""

_REACH = 480
"""How much of what follows an announcement is looked at."""
_LEAD = re.compile(r"[\s*_`\"'“’\[({<#~|:=>→•—–+\-]*")
_SIGNED = re.compile(rf"(?P<sign>{SIGN})[\s*_`]*")
_OTHER_SIGN = re.compile(rf"[\s/|,]*(?:or\s*)?{SIGN}")
_ONE_OR_ZERO = re.compile(r"(?P<flag>[01])(?:\.0+)?(?![\d.,/%])")

_TOKEN = re.compile(r"[\s*_`\"“’'(\[]*(?P<word>[A-Za-z]+(?:['’]?[A-Za-z]+)*|\d\b)")
_TO = re.compile(r"\s+to\b")
_SECOND = re.compile(r"\s+(?P<word>\w+)")
_DUEL = re.compile(r"(?P<left>[ab])\s*(?P<sign>>{1,3}|<{1,3}|=|≈|~)\s*(?P<right>[ab])\b", re.IGNORECASE)

_DONE = re.compile(
    rf"""[*_`)\]>~]*(?:
      \s*\Z | \s*\n | \s*\}}
    | \s*["“'’]+[*_`)\]}}>,;.\s]*(?:\Z|\n)              # the string ends here, and nothing comes after it
    | \s*[.!;,:…]+(?=[\s"“'’*_`)\]}}>|]|\Z)
    | \s*(?:[—–|(\[{{]|--|//|/\*|{SIGN}) | \s+-\s | \s+\#
    | \s+(?:because|since|as|due|with|given|based|considering)\b
    | \s+(?!for\b)[A-Za-z][A-Za-z ]{{1,20}}:            # the next label
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:[\s*_`\"'“’\])}}>~.!…,;|]|{SIGN})*\Z")
_BETTER = re.compile(
    r"\s+(?:(?:is|was)\s+(?:the\s+)?(?:clearly\s+)?(?:better|best|preferred|winner|stronger|superior)"
    r"(?:\s+(?:one|response|answer|output))?|wins|won)\b",
    re.IGNORECASE,
)
_ASPECT = re.compile(r"[*_`]*\s+(?:for|on|in)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\s+[A-Z]")
_ALSO = re.compile(
    r"[*_`)\]>\"“'’]*\s*(?:[^\w\s]{1,4}|or\b|and\b|vs\b)\s*[*_`(\[<\"“'’]*(?P<word>\w++)(?!\s+\w)"
)

_CLAUSE = re.compile(
    r"[.,;!?…—–(]+|\s-\s|\b(?:and|but|however|yet|though|although|so|overall|therefore|thus|hence)\b", re.I
)
_HEDGED = re.compile(r"[\s,;(—–-]*(?:mostly|mainly|largely|partly|partially|somewhat|almost|nearly)\b", re.I)
_HEDGED_YES = re.compile(r"[\s,;(—–-]*(?:but|though|although|except|however)\b", re.I)
_ANY_WORD = replace(FLAG, numbers="none")
_DECIDING = (PLAIN_PASS | PLAIN_FAIL | {"incorrect"}) - set(TRUTHS)
"""`No issues` takes no pass back, and `the answer is correct, but rude` no fail."""
_MENTIONED = re.compile(rf"\b(?:{'|'.join(sorted(_DECIDING))})\b", re.I)


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict from 0 (fail) to 1 (pass), and where it stands."""

    value: float
    start: int
    end: int


def stated_verdict(text: str, topic: Topic, scale: Scale) -> Said | None:
    """The verdict that a text begins with; None when it is no verdict, or a choice of verdicts."""
    text = text[:_REACH]
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    sign = _SIGNED.match(text, at) if topic.words else None
    at = sign.end() if sign else at
    verdict = _duel_at(text, at, topic) or _number_at(text, at, topic, scale) or _phrase_at(text, at, topic)
    if verdict is not None and not _counts(text, at, verdict, topic):
        return None
    return _signed(text, sign, verdict, topic) if sign else verdict


def hedged(text: str, start: int, end: int) -> bool:
    """Whether a verdict is weakened right away: `correct, mostly`, `yes, but the year is wrong`."""
    weaker = text[start:end].lower() == "yes" and _HEDGED_YES.match(text, end)
    return bool(weaker or _HEDGED.match(text, end))


def taken_back(text: str, at: int, value: float) -> bool:
    """Whether a clause after this place says the opposite, in so many words: `so it fails`."""
    if not _MENTIONED.search(text, at):
        return False
    return any(_opposes(text, clause.end(), value) for clause in _CLAUSE.finditer(text, at))


def _duel_at(text: str, at: int, topic: Topic) -> Said | None:
    """`A>B`, `B>>A`, `A=B`."""
    match = _DUEL.match(text, at) if topic.letters else None
    if match is None or match["left"].lower() == match["right"].lower():
        return None
    if match["sign"] in "=≈~":
        return Said(EVEN, match.start(), match.end())
    winner = match["left"] if match["sign"][0] == ">" else match["right"]
    return Said(CONTESTANTS[winner.lower()], match.start(), match.end())


def _number_at(text: str, at: int, topic: Topic, scale: Scale) -> Said | None:
    if topic.numbers in ("none", "choice"):
        return None
    if topic.numbers == "flag":
        flag = _ONE_OR_ZERO.match(text, at)
        return Said(float((flag["flag"] == "1") != topic.inverted), at, flag.end()) if flag else None
    score = score_at(text, at, scale)
    if score is None or (topic.numbers == "verdict" and score.bare in (0, 1) and scale != (0, 1)):
        return None  # 1 may be the lowest score, or a yes
    return Said(score.value, at, score.end)


def _phrase_at(text: str, at: int, topic: Topic) -> Said | None:
    """The word of a verdict, after words that may stand before it; a negation turns it round."""
    before: list[str] = []
    start, negated = -1, False
    while token := _TOKEN.match(text, at):
        word, at = re.sub("['’]", "", token["word"].lower()), token.end()
        to = _TO.match(text, at)
        value = _value_of_word(text, word, at, topic, before)
        if word in NEGATIONS or (word in TO_NEGATE and to):
            start, negated, at = token.start("word"), not negated, to.end() if to else at
        elif value is not None:
            return _stated_by_word(
                text, (start if negated else token.start("word"), at), value, before, negated=negated
            )
        elif word not in FILLERS and word not in FULLY:
            return None
        before.append(word)
    return None


def _value_of_word(text: str, word: str, end: int, topic: Topic, before: list[str]) -> float | None:
    """What a word says; `a` may be an article, so that a choice must end there."""
    choice = _choice(word, topic, named=not NAMED.isdisjoint(before))
    if choice is not None and _ends(text, end):
        return choice
    if topic.truths:
        truth = TRUTHS.get(word)
        return 1 - truth if topic.inverted and truth is not None else truth
    value = WORDS.get(word)
    return value if topic.words or value == EVEN else None


def _choice(word: str, topic: Topic, *, named: bool) -> float | None:
    if not topic.letters:
        return None
    if topic.numbers == "choice" and word in BOTH:
        return EVEN
    counted = COUNTED.get(word) if named or topic.numbers == "choice" else None
    return CONTESTANTS.get(word, counted)


def _stated_by_word(
    text: str, place: tuple[int, int], value: float, before: list[str], *, negated: bool
) -> Said | None:
    start, end = place
    if value == EVEN:
        second = _SECOND.match(text, end)  # `partially correct`, `equally good`
        end = second.end() if second and second["word"].lower() in {*WORDS, "good"} else end
        return None if negated else Said(value, start, end)
    if negated and not FULLY.isdisjoint(before):  # `not fully correct` is neither
        return None
    return Said(1 - value if negated else value, start, end)


def _counts(text: str, at: int, verdict: Said, topic: Topic) -> bool:
    """Whether the verdict ends where it was read: not one of several offered, only praise, or taken back."""
    other = _phrase_at(_offered_with(text, verdict.end), 0, topic)
    if other is not None and other.value != verdict.value:
        return False
    if topic.whole:
        return _ends_whole(text, verdict.end)
    word = text[verdict.start : verdict.end].lower()
    if word in APT | UNAPT and verdict.start > at + 1 and text[verdict.end : verdict.end + 1] == ",":
        return False  # `The response is accurate, clear and kind`
    if not (_ends(text, verdict.end) or _ends_shouted(text, verdict.start, verdict.end)):
        return False
    return not (hedged(text, verdict.start, verdict.end) or taken_back(text, verdict.end, verdict.value))


def _signed(text: str, sign: re.Match[str], verdict: Said | None, topic: Topic) -> Said | None:
    """What a sign says, or the words after it, unless they disagree."""
    value = SIGNS[sign["sign"]]
    if verdict is not None:
        return None if verdict.value in (PASS, FAIL) and verdict.value != value else verdict
    if _OTHER_SIGN.match(text, sign.end("sign")) or (topic.whole and not _ends_whole(text, sign.end())):
        return None
    return Said(1 - value if topic.inverted else value, sign.start(), sign.start() + 1)


def _opposes(text: str, at: int, value: float) -> bool:
    verdict = _phrase_at(text, at, _ANY_WORD)
    if verdict is None or (verdict.value - EVEN) * (value - EVEN) >= 0:
        return False
    deciding = _MENTIONED.search(text, verdict.start, verdict.end)
    return deciding is not None and _ends(text, verdict.end, aspect=True)


def _ends(text: str, at: int, *, aspect: bool = False) -> bool:
    """Whether a verdict may end here; `A` also before `is better`, and one of an aspect before `for tone`."""
    if aspect and _ASPECT.match(text, at):
        return True
    better = _BETTER.match(text, at)
    return _DONE.match(text, better.end() if better else at) is not None


def _ends_whole(text: str, at: int) -> bool:
    """Whether nothing but marks comes after it."""
    return _WHOLE.match(text, at) is not None


def _ends_shouted(text: str, start: int, at: int) -> bool:
    """Whether a verdict in capitals ends before the next sentence: `FAIL The date is wrong`."""
    return at - start > 1 and text[start:at].isupper() and _CAPITAL.match(text, at) is not None


def _offered_with(text: str, at: int) -> str:
    """The word that is offered as well: `FAIL`, behind `PASS`, in `PASS/FAIL` and in `PASS or FAIL`."""
    match = _ALSO.match(text, at)
    return match["word"] if match else ""
