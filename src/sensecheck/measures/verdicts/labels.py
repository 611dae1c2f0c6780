"""Verdicts that a label announces in prose: `Verdict: PASS`, `The score is 4`, a line below a heading."""

import re
from collections.abc import Mapping
from dataclasses import replace

from sensecheck.measures.verdicts.finding import Finding, Stated
from sensecheck.measures.verdicts.places import line_from, starts_clause, starts_line, starts_sentence
from sensecheck.measures.verdicts.said import said
from sensecheck.measures.verdicts.scores import Scale
from sensecheck.measures.verdicts.topics import ANSWER, CHOICE, RESULT, SCORE, VERDICT, Topic

_WORDED = Topic(0, letters=True)
_TRUTH = Topic(0, truths=True)
_UNTRUTH = Topic(0, truths=True, inverted=True, whole=True)
_COUNTED = Topic(1, words=False, numbers="score")
_TOPICS: Mapping[str, Topic] = {
    r"verdict|decision|judge?ment|ruling|assessment|evaluation": VERDICT,
    r"result|outcome|conclusion|status|pass\s?(?:/|or)\s?fail": _WORDED,
    r"overall|final": RESULT,
    r"score|rating|grade": SCORE,
    r"winner|preference|(?:preferred|better|best|winning)(?:\s(?:response|answer|output|model))?": CHOICE,
    r"pass(?:e[sd])?|correct": _TRUTH,
    r"fail(?:s|ed)?|incorrect": _UNTRUTH,
    r"answer": ANSWER,
}
"""Labels, and what they announce. `Result: 4` may be a sum, so that it announces words only."""
_WITH_IS = re.compile(
    r"verdict|score|rating|grade|winner|preference|(?:preferred|better|best|winning)\b.*", re.I
)
"""What `is` may follow; `the result is correct` may be about the answer's own result."""
_LABEL = re.compile(
    rf"""(?<![A-Za-z0-9'’\-/])(?<![A-Za-z0-9]_)
    (?:(?:therefore|thus|so|hence|consequently|accordingly|finally|in\s(?:conclusion|summary|short))\b,?\s)?
    (?:(?:i|we)\s(?:conclude|find|say|believe|think)\s(?:that\s)?)?
    (?P<of>(?:(?:(?:is|was|does|did)\s(?:it|(?:the|this)\s\w{{2,12}})
              |is|the|my|our|final|overall|total)[ _\-]){{0,4}})
    (?P<name>{"|".join(_TOPICS)})(?![A-Za-z0-9])
    (?P<hint>\s?[(\[][^()\[\]\n]{{1,60}}[)\]])?
    [*_`"'“’]{{0,4}}
    (?: [ \t]{{0,9}}(?P<sign>[:=|?→]|[-=]>) | [ \t](?P<dash>[-–—]{{1,2}})[ \t] | \s(?P<is>is)\b\s?:?
      | (?P<heading>[ \t*_#:]{{0,9}}\n) | (?P<space>[ \t]) )""",
    re.VERBOSE | re.IGNORECASE,
)
_RANGE = re.compile(r"(?P<low>\d{1,4})\s?(?:-|–|to|\.\.)\s?(?P<high>\d{1,4})")
_REST_IS_BLANK = re.compile(r"[ \t*_`\"'“’:]{0,9}\n\s*+")
_LISTED = re.compile(r"[-+•>]|\*\s|\d{1,2}[.)]\s+\S")


def in_labels(text: str, scale: Scale) -> list[Finding]:
    """What the labels of a text announce; one that is called final or overall is believed first."""
    found = (_finding(text, match, scale) for match in _LABEL.finditer(text))
    return [finding for finding in found if finding]


def _finding(text: str, match: re.Match[str], scale: Scale) -> Finding | None:
    final = re.search("final|overall", match["of"] + match["name"], re.IGNORECASE) is not None
    topic = _announced(text, match, _topic(match["name"], final=final))
    at = _below(text, match) if topic else None
    if topic is None or at is None:
        return None
    verdict = said(line_from(text, at), topic, _scale(match["hint"] or "", scale))
    if verdict is None:
        return None
    stated = Stated(verdict.value, at + verdict.start, at + verdict.end, "label")
    return Finding(stated, (topic is ANSWER, topic.rank, not final), topic.rank)


def _topic(name: str, *, final: bool) -> Topic:
    topic = next(topic for pattern, topic in _TOPICS.items() if re.fullmatch(pattern, name, re.IGNORECASE))
    return _WORDED if topic is ANSWER and final else topic


def _announced(text: str, match: re.Match[str], topic: Topic) -> Topic | None:
    """What the label announces here; None where it is only mentioned."""
    at = match.start()
    if match["is"]:
        asserted = _WITH_IS.fullmatch(match["name"]) and starts_clause(text, at)
        return (_COUNTED if topic is SCORE else topic) if asserted else None
    if match["heading"]:
        return topic if starts_line(text, at) and topic is not _UNTRUTH else None
    if match["space"]:
        alone = topic in (VERDICT, SCORE, RESULT) and starts_line(text, at) and _is_last_line(text, at)
        return replace(topic, whole=True) if alone else None
    asked = match["sign"] == "?" and topic not in (_TRUTH, _UNTRUTH)
    return topic if starts_sentence(text, at) and not asked else None


def _is_last_line(text: str, at: int) -> bool:
    end = text.find("\n", at)
    return end < 0 or not text[end:].strip()


def _below(text: str, match: re.Match[str]) -> int | None:
    """Where the verdict would begin: after the label, or on the next line that is not blank."""
    at = match.end()
    blank = _REST_IS_BLANK.match(text, at - 1 if match["heading"] else at)
    if blank is None:
        return at
    return None if _LISTED.match(text, blank.end()) else blank.end()


def _scale(hint: str, scale: Scale) -> Scale:
    """The scale that stands behind a label: `Score (0-10): 7`."""
    match = _RANGE.search(hint)
    return (float(match["low"]), float(match["high"])) if match else scale
