"""Verdicts in prose: by a label, in a mark that was agreed on, in a sentence, or alone.

`Verdict: PASS`; `[RESULT] 4`, `<verdict>PASS</verdict>`; `I give it 4 out of 5`; a line that is only `PASS`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sensecheck.measures.verdicts.phrases import (
    ALONE,
    FAIL,
    TRUTHS,
    WORDS,
    hedged,
    stated_verdict,
    taken_back,
)
from sensecheck.measures.verdicts.plaintext import (
    Finding,
    How,
    Stated,
    line_from,
    starts_clause,
    starts_line,
    starts_sentence,
)
from sensecheck.measures.verdicts.scores import ANSWER, CHOICE, RESULT, SCORE, VERDICT, Scale, Topic, topic_of

_WORDED = Topic(0, letters=True)
_TRUTH = Topic(0, truths=True)
_UNTRUTH = Topic(0, truths=True, inverted=True, whole=True)
_COUNTED = Topic(1, words=False, numbers="score")
_WHOLE = replace(RESULT, whole=True)

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

_TAG = re.compile(r"<(?P<name>[A-Za-z][\w\- ]{2,30})>\s*+(?P<said>[^<]{1,200})")
_BEFORE = re.compile(
    r"(?<!\[)\[(?P<name>[A-Za-z][A-Za-z _]{2,20})\](?!\])[\s:*=]*+"
    r"(?:(?:score|rating|verdict|result)\s?:)?(?=(?P<said>.{1,200}))",
    re.IGNORECASE,
)
_AROUND = re.compile(r"(?<!\[)\[(?P<name>[A-Za-z]{4,10})(?:\s*:\s*|\s+)(?P<said>[^\[\]\n]{1,30})\](?!\])")
_DOUBLE = re.compile(r"\[\[(?P<said>[^\[\]\n]{1,40})\]\]")
_BOXED = re.compile(
    r"\\boxed\s?\{\s?(?:\\(?:text(?:bf|tt|rm|it)?|math(?:rm|bf))\s?\{)?(?P<said>[^{}\n]{1,60})\}"
)

_THING = r"(?:response|answer|output|submission|summary|solution|reply)"
_GIVEN = re.compile(
    rf"""\b(?:i|we)(?:['’](?:d|ll|ve)|\s(?:would|will|have|must))?(?:\s(?:therefore|thus|hence))?
    \s(?:give|gave|rate|rated|score|scored|grade|graded|award|assign|assigned|call|deem|judge|mark)
    (?:\s(?:it|this|that|the|a|an|as|at|with|of|score|rating|grade|overall|final|solid|total
          |assistant(?:['’]s)?|model(?:['’]s)?|{_THING})\b){{1,8}}[\s:*]
    | \b(?:it|(?:this|the)(?:\s\w{{2,12}}['’]s)?\s{_THING})(?:\s(?:therefore|thus|hence|clearly))?
    \s(?:deserves|earns|receives|gets|merits|warrants|scores)
    (?:\san?|\sthe)?(?:\s(?:overall|final|total))?(?:\s(?:score|rating|grade)\sof)?[\s:*]""",
    re.VERBOSE | re.IGNORECASE,
)

_MAX_LINE_CHARS = 200
"""A longer line is more than a verdict."""
_OPENING = re.compile(
    r"[\s*_`#\"'“’]*(?P<word>[A-Za-z]{2,9})[*_`\"'“’]*(?P<sign>[.;!:](?=[\s*_]|\Z)|\s?[—–]|\s-\s)[*_]*"
    r"(?!\s*\d|(?<=[.])\s+[a-z])"
)
_VERDICTS = frozenset(WORDS) & ALONE - set(TRUTHS)
_NEXT = re.compile(
    rf"(?<!\w)(?P<word>{'|'.join(sorted(_VERDICTS, key=len, reverse=True))})[*_`\"'“’]*+\s?(?::|[—–=]|-\s)",
    re.I,
)
_ANSWERED = re.compile(r"[\s*_`\"'“’]*(?:yes|no|true|false|none|n/a|unknown)\b(?!\s+\w)", re.I)
_DENIED = re.compile(r"[\s*_`\"'“’]*(?:no|none|nothing)\b", re.I)
_NUMBERED = re.compile(r"\W*(?P<number>\d{1,3})(?P<sign>[.)]?)\W*")


def in_labels(text: str, scale: Scale) -> list[Finding]:
    """What the labels of a text announce; one that is called final or overall is believed first."""
    findings = (_labelled(text, match, scale) for match in _LABEL.finditer(text))
    return [finding for finding in findings if finding]


def in_markers(text: str, scale: Scale) -> list[Finding]:
    """What the marks of a text state; one that is called final is believed first."""
    findings = [
        *_in_named_marks(text, _TAG, scale, "tag"),
        *_in_named_marks(text, _BEFORE, scale, "marker"),
        *_in_named_marks(text, _AROUND, scale, "marker"),
    ]
    for pattern in (_DOUBLE, _BOXED):
        findings += (
            _finding(match["said"], match.start("said"), _WHOLE, scale, "marker")
            for match in pattern.finditer(text)
        )
    return [finding for finding in findings if finding]


def in_ratings(text: str, scale: Scale) -> list[Finding]:
    """What the sentences of a text give, in so many words, where nothing is supposed."""
    findings = (
        _finding(line_from(text, match.end()), match.end(), SCORE, scale, "label")
        for match in _GIVEN.finditer(text)
        if starts_clause(text, match.start())
    )
    return [finding for finding in findings if finding]


def alone(text: str, scale: Scale) -> list[Finding]:
    """What the text, its first line or its last states without any announcement."""
    return [Finding(stated, (0,)) for stated in _stated_alone(text, scale)]


def _finding(
    text: str, at: int, topic: Topic, scale: Scale, how: How, *, final: bool = False
) -> Finding | None:
    """The verdict that the text at a place begins with."""
    verdict = stated_verdict(text, topic, scale)
    if verdict is None:
        return None
    stated = Stated(verdict.value, at + verdict.start, at + verdict.end, how)
    return Finding(stated, (topic is ANSWER, topic.rank, not final), topic.rank)


def _labelled(text: str, match: re.Match[str], scale: Scale) -> Finding | None:
    final = re.search("final|overall", match["of"] + match["name"], re.IGNORECASE) is not None
    topic = _announced(text, match, _label_topic(match["name"], final=final))
    at = _value_start(text, match) if topic else None
    if topic is None or at is None:
        return None
    return _finding(
        line_from(text, at), at, topic, _hinted_scale(match["hint"] or "", scale), "label", final=final
    )


def _label_topic(name: str, *, final: bool) -> Topic:
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
        stands_alone = topic in (VERDICT, SCORE, RESULT) and starts_line(text, at) and _is_last_line(text, at)
        return replace(topic, whole=True) if stands_alone else None
    is_question = match["sign"] == "?" and topic not in (_TRUTH, _UNTRUTH)
    return topic if starts_sentence(text, at) and not is_question else None


def _is_last_line(text: str, at: int) -> bool:
    end = text.find("\n", at)
    return end < 0 or not text[end:].strip()


def _value_start(text: str, match: re.Match[str]) -> int | None:
    """Where the verdict would begin: after the label, or on the next line that is not blank."""
    at = match.end()
    blank = _REST_IS_BLANK.match(text, at - 1 if match["heading"] else at)
    if blank is None:
        return at
    return None if _LISTED.match(text, blank.end()) else blank.end()


def _hinted_scale(hint: str, scale: Scale) -> Scale:
    """The scale that stands behind a label: `Score (0-10): 7`."""
    match = _RANGE.search(hint)
    return (float(match["low"]), float(match["high"])) if match else scale


def _in_named_marks(text: str, pattern: re.Pattern[str], scale: Scale, how: How) -> Iterator[Finding | None]:
    for match in pattern.finditer(text):
        if announced := topic_of(match["name"]):
            topic, final = announced
            yield _finding(match["said"], match.start("said"), topic, scale, how, final=final)


def _stated_alone(text: str, scale: Scale) -> Iterator[Stated]:
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    last = text.rfind("\n", start, end) + 1
    first = text.find("\n", start, end)
    lines = {(start, first), (last, end)} if first >= 0 and last > start else {(start, end)}
    for begin, stop in sorted(lines):
        line, whole = text[begin : min(stop, begin + _MAX_LINE_CHARS)], len(lines) == 1
        if stop - begin < _MAX_LINE_CHARS and (whole or not _is_list_number(text, line)):
            yield from _stated_by_line(line, begin, scale, whole=whole)
    yield from _stated_at_opening(text, start)


def _is_list_number(text: str, line: str) -> bool:
    """Whether a line is only the number of a list's next item, where the text broke off."""
    match = _NUMBERED.fullmatch(line)
    if match is None or match["sign"]:
        return match is not None
    return re.search(rf"^[ \t]*{int(match['number']) - 1}[.)]\s", text, re.MULTILINE) is not None


def _stated_by_line(line: str, at: int, scale: Scale, *, whole: bool) -> Iterator[Stated]:
    """A line that is a verdict; only a whole text may say `The answer is correct.` for it."""
    verdict = stated_verdict(line, _WHOLE, scale)
    if verdict is None:
        return
    word = line[verdict.start : verdict.end].lower()
    bare = not any(map(str.isalnum, line[: verdict.start]))
    if whole or (bare and (word in ALONE or not word.isalpha())):
        yield Stated(verdict.value, at + verdict.start, at + verdict.end, "alone")


def _stated_at_opening(text: str, start: int) -> Iterator[Stated]:
    """The first word of a text: `FAIL: …`. `Yes, …` and `No: …` answer a question that is not known."""
    match = _OPENING.match(text, start)
    word = match["word"].lower() if match else ""
    if match and word in _VERDICTS and not _only_names(text, match):
        value, line = WORDS[word], line_from(text, match.end("word"))
        if not (hedged(line, 0, 0) or taken_back(line, 0, value)):
            yield Stated(value, match.start("word"), match.end("word"), "alone")


def _only_names(text: str, match: re.Match[str]) -> bool:
    """Whether the word is a label (`Failed: no`), or one of the verdicts that a rubric explains in turn."""
    if match["sign"] in ".;!":
        return False
    value = WORDS[match["word"].lower()]
    answered = _ANSWERED.match(text, match.end())
    denied = value == FAIL and not match["word"].isupper() and _DENIED.match(text, match.end())
    others = (WORDS[other["word"].lower()] for other in _NEXT.finditer(text, match.end()))
    return bool(answered or denied) or any(other != value for other in others)
