"""Sentences that tell a model what to say, known by cues that meet in them rather than by their wording."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sensecheck.text.sentences import sentences
from sensecheck.text.wordlists import read_groups

ORDER = "tells the model what to say"

_Cues = frozenset[str]
_EDGE = r"^|[.!?:;,&\"“”‘(\[{<>#*|=—–/-]\s{0,3}"
_OPENS = (
    rf"(?:{_EDGE}|\b(?:and|but|please|then|now|just|kindly|instead|also|only|to|must|shall|should|will|would"
    r"|may|always|you|aloud|be)\s+)"
)
"""Before a verb that gives an order, or that someone must, will or is to follow."""
_BARE_OPENS = rf"(?:{_EDGE}|\b(?:and|but|please|then|now|just|kindly|must|should|you)\s+)"
"""The same without `to`: `asked to disregard the rules` tells of an order, and gives none."""
_SPOKEN = (
    r"(?:\s{0,3}(?:[:：](?!\d)|\()"
    r"|[^.!?\n:：\"“「]{0,60}?(?:[:：\"“「](?!\d)|\bthat\b|\bwith (?-i:[A-Z]))|\s(?-i:[A-Z]))"
)
"""What is to be said comes after it: a colon, a quotation, `that`."""
_DICTATED = r"[^.!?\n:：\"“]{0,60}?(?:[:：\"“]|\b(?:is|reads|be)\s{0,3}(?:[:\"“]|(?-i:[A-Z])))"
_BOUND = r"(?:(?:must|shall|have to|has to)\b|should\b[^.!?\n]{0,40}:)"
_CALLED = "(?:assistants?|chatbots?|llms?)"
_WHEN_ASKED = r"\b(?:when|if|whenever|should)\b[^.!?\n]{0,40}?\bask(?:s|ed)?\b[^\n]{0,100}?"
_AGREED = (
    r"\b(?:you|we) (?:\w+ ){0,2}?(?:told me|agreed|promised|confirmed|said)\b[^.!?\n]{0,40}?(?:[:\"“]|that\b)"
)
_LISTED = (
    *("model", "asker", "shown", "task", "right", "any", "rank", "you", "void", "ahead", "says", "prior"),
    *("foreign_drop", "foreign_says", "foreign_task", "foreign_any"),
)
_CORES = (
    *("drop", "void", "says", "tells", "answer", "model", "play", "poses", "rank", "note", "ahead", "you"),
    *("foreign_drop", "foreign_says"),
)
"""Without a word of these groups, a sentence gives no order."""
_FIELD = re.compile(r"[\"'”],\s|[.!?][\"'”]?\s")
"""Where something else begins: the next value of a list, the next sentence."""
_COLON = re.compile('[:："“「]')
_LEAD = 160
"""In characters: how far before what is to be said its cues may stand."""


def orders(text: str) -> Iterator[tuple[int, int, str]]:
    """The sentences that give orders; of code, the lines."""
    pieces = list(pieces_of(text))
    cues = [_cues_of(text[start:end].replace("’", "'")) for start, end in pieces]
    for at, (start, end) in enumerate(pieces):
        before = cues[at - 1] if at else frozenset()
        after = cues[at + 1] if at + 1 < len(cues) else frozenset()
        if _is_order(cues[at]) or _leads_to(before, cues[at]) or _leads_to(cues[at], after):
            yield start, end, ORDER


def pieces_of(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, and the lines of its blocks of code."""
    for start, end in sentences(text):
        if text.startswith(("```", "~~~"), start):
            for line in re.finditer(r"[^\n]+", text[start:end]):
                yield start + line.start(), start + line.end()
        else:
            yield start, end


def speaks_to_someone(said: str) -> bool:
    """Whether a text that no one sees has any cue of an order."""
    return bool(_cues_of(said) & {"drop", "speech", "dictated", "model", "asker", "foreign_says", "noted"})


def says_what(said: str) -> bool:
    """Whether a sentence continues with what is to be said."""
    return bool(_cues_of(said) & {"spoken", "dictated"})


def _is_order(cues: _Cues) -> bool:
    """Whether the cues of one sentence make an order together."""
    if cues & {"noted", "posed", "bound", "called", "paid", "appended", "when asked", "agreed", "models say"}:
        return True
    if "ahead" in cues and (cues & {"asker", "model", "drop"} or {"you", "says"} <= cues):
        return True
    if {"drop", "spoken", "colon"} <= cues or {"task", "prior", "spoken", "colon"} <= cues:
        return True
    if "attributed" in cues and cues & {"play", "model"}:
        return True
    if "drop" in cues and cues & {"task", "shown"} and cues & {"spoken", "dictated", "model", "foreign_says"}:
        return True
    if {"drop", "task", "you"} <= cues or ({"void", "task"} <= cues and cues & {"you", "model"}):
        return True
    if "foreign_drop" in cues and cues & {"foreign_task", "foreign_says"}:
        return True
    if {"foreign_any", "foreign_says", "colon"} <= cues:
        return True
    return ("spoken" in cues and _is_told(cues)) or ("dictated" in cues and _is_dictated(cues))


def _is_told(cues: _Cues) -> bool:
    """Whether someone who is told to say something is the model, or stands between it and a reader."""
    if cues & {"told model", "told asker"} or ("told you" in cues and cues & {"play", "rank", "told task"}):
        return True
    for_reader = "told shown" in cues and cues & {"told any", "told right", "told you"}
    return bool(for_reader) or {"play", "rank"} <= cues or {"rank", "told task"} <= cues


def _is_dictated(cues: _Cues) -> bool:
    """Whether an answer is given before anybody asked, to the model or for its reader."""
    if cues & {"told model", "told asker", "told you", "told rank"}:
        return True
    return {"rightly", "colon"} <= cues or {"told shown", "told any"} <= cues


def _leads_to(before: _Cues, after: _Cues) -> bool:
    """`Do not answer from the text. Write: …`: what is to be dropped, and then what is to be said."""
    if "attributed" in after and before & {"play", "posed"}:
        return True
    if not after & {"spoken", "dictated"}:
        return False
    if "rank" in before and ("dictated" in after or {"spoken", "colon"} <= after):
        return True
    return "drop" in before or {"void", "task"} <= before or {"play", "you"} <= before


def _cues_of(sentence: str) -> _Cues:
    words = frozenset(re.findall(r"\w+", sentence.lower()))
    if _core_words().isdisjoint(words) and sentence.isascii():
        return frozenset()
    groups = _groups()
    matches: dict[str, re.Match[str]] = {}
    for name, group in groups.items():
        if name == "when asked" and "spoken" not in matches:  # which is a part of it, and found much faster
            continue
        if match := group.search(sentence, words):
            matches[name] = match
    cues = {*matches, "colon"} if _COLON.search(sentence) else set(matches)
    for kind in ("spoken", "dictated"):
        if kind in matches:
            end = matches[kind].end()
            lead = _FIELD.split(sentence[max(0, end - _LEAD) : end])[-1]
            cues |= {f"told {name}" for name in _LISTED if groups[name].pattern.search(lead)}
    return frozenset(cues)


@dataclass(frozen=True, slots=True)
class _Group:
    """Words by which a cue is known, and the pattern in which they must stand."""

    longest: frozenset[str]
    """Of each of them, the longest word: it stands in the fewest sentences."""
    wide: bool
    """Whether some are of languages that put no spaces between words."""
    pattern: re.Pattern[str]

    def search(self, said: str, words: frozenset[str]) -> re.Match[str] | None:
        """Where it stands first; the words alone tell most sentences apart, and much faster."""
        if self.longest.isdisjoint(words) and not (self.wide and not said.isascii()):
            return None
        return self.pattern.search(said)


@cache
def _groups() -> dict[str, _Group]:
    answer, model, says = _either("answer"), _either("model"), _either("says")
    return {
        "drop": _group("drop", _BARE_OPENS + _either("drop")),
        "play": _group("play", rf"{_BARE_OPENS}{_either('play')}|\byou (?:will )?(?:now )?play\b"),
        "attributed": _group("tells", rf"{_either('tells')}[^.!?:\n]{{0,20}}[:“\"]"),
        "models say": _group("model", rf"{model} {says}[^.!?:\n]{{0,20}}:"),
        "spoken": _group("says", _OPENS + _either("says") + _SPOKEN),
        "dictated": _group(
            "answer", rf"{answer}{_DICTATED}|\byour (?:\w+ )?{answer} (?:is|has)\b|{answer}\s?>"
        ),
        "rightly": _group("answer", rf"{_either('right')} (?:\w+ ){{0,2}}{answer}"),
        "noted": _group("note", rf"{_either('note')}[^.!?:\n]{{0,50}}{model}[^.!?:\n]{{0,30}}:"),
        "posed": _group("poses", rf"(?:^|[.!?:;]\s{{1,3}}){_either('poses')}"),
        "bound": _group("model", rf"{model}\s(?:\w+\s){{0,3}}?{_BOUND}"),
        "called": _group("model", rf"(?:^|[:.!?]\s){_CALLED},\s(?:\w+\s)?(?:{says}|take|note|please|you)\b"),
        "paid": _group("says", rf"\b(?:if|unless|that) you (?:\w+ )?{says}?\s{{0,2}}[:\"“]"),
        "appended": _group("you", r"\byour (?:answers|replies|responses)\b[^.!?\n]{0,30}:"),
        "when asked": _group("says", rf"{_WHEN_ASKED}{_OPENS}{says}{_SPOKEN}"),
        "agreed": _group("you", _AGREED),
        "speech": _group("says", _OPENS + says),
        **{name: _group(name, _either(name)) for name in _LISTED},
    }


@cache
def _core_words() -> frozenset[str]:
    return frozenset(word for name in _CORES for word in _longest(name))


def _group(name: str, pattern: str) -> _Group:
    wide = f"{name}_wide" in _words()
    return _Group(_longest(name), wide, re.compile(pattern, re.MULTILINE | re.IGNORECASE))


def _longest(group: str) -> frozenset[str]:
    return frozenset(max(re.findall(r"\w+", word.replace("_", " ")), key=len) for word in _words()[group])


def _words() -> dict[str, frozenset[str]]:
    """The words of the list, by their groups."""
    return read_groups("ordering.txt", __package__)


def _either(group: str) -> str:
    longest = sorted(_words()[group], key=lambda word: (-len(word), word))
    words = "|".join(re.escape(word.replace("_", " ")) for word in longest)
    wide = _words().get(f"{group}_wide", frozenset())
    return rf"(?:\b(?:{words})\b{''.join('|' + re.escape(word) for word in sorted(wide))})"
