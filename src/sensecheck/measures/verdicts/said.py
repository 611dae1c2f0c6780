"""The verdict that a few words say where one was announced: by a key, a mark, a label."""

import re

from sensecheck.measures.verdicts.endings import SIGN, ends, ends_shouted, ends_whole, offered_with
from sensecheck.measures.verdicts.phrases import Said, duel_at, phrase_at
from sensecheck.measures.verdicts.scores import Scale, score_at
from sensecheck.measures.verdicts.topics import Topic
from sensecheck.measures.verdicts.turns import hedged, taken_back
from sensecheck.measures.verdicts.words import APT, FAIL, PASS, SIGNS, UNAPT

_REACH = 480
"""How much of what follows an announcement is looked at."""
_LEAD = re.compile(r"[\s*_`\"'“’\[({<#~|:=>→•—–+\-]*")
_SIGNED = re.compile(rf"(?P<sign>{SIGN})[\s*_`]*")
_OTHER_SIGN = re.compile(rf"[\s/|,]*(?:or\s*)?{SIGN}")
_FLAG = re.compile(r"(?P<flag>[01])(?:\.0+)?(?![\d.,/%])")


def said(text: str, topic: Topic, scale: Scale) -> Said | None:
    """The verdict that a text begins with; None when it is no verdict, or a choice of verdicts."""
    text = text[:_REACH]
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    sign = _SIGNED.match(text, at) if topic.words else None
    at = sign.end() if sign else at
    found = duel_at(text, at, topic) or _number(text, at, topic, scale) or phrase_at(text, at, topic)
    if found is not None and not _stands(text, at, found, topic):
        return None
    return _signed(text, sign, found, topic) if sign else found


def _number(text: str, at: int, topic: Topic, scale: Scale) -> Said | None:
    if topic.numbers in ("none", "choice"):
        return None
    if topic.numbers == "flag":
        flag = _FLAG.match(text, at)
        return Said(float((flag["flag"] == "1") != topic.inverted), at, flag.end()) if flag else None
    score = score_at(text, at, scale)
    if score is None or (topic.numbers == "verdict" and score.bare in (0, 1) and scale != (0, 1)):
        return None  # 1 may be the lowest score, or a yes
    return Said(score.value, at, score.end)


def _stands(text: str, at: int, found: Said, topic: Topic) -> bool:
    """Whether the verdict ends where it was read: not one of several offered, only praise, or taken back."""
    other = phrase_at(offered_with(text, found.end), 0, topic)
    if other is not None and other.value != found.value:
        return False
    if topic.whole:
        return ends_whole(text, found.end)
    word = text[found.start : found.end].lower()
    if word in APT | UNAPT and found.start > at + 1 and text[found.end : found.end + 1] == ",":
        return False  # `The response is accurate, clear and kind`
    if not (ends(text, found.end) or ends_shouted(text, found.start, found.end)):
        return False
    return not (hedged(text, found.start, found.end) or taken_back(text, found.end, found.value))


def _signed(text: str, sign: re.Match[str], found: Said | None, topic: Topic) -> Said | None:
    """What a sign says, or the words after it, unless they disagree."""
    value = SIGNS[sign["sign"]]
    if found is not None:
        return None if found.value in (PASS, FAIL) and found.value != value else found
    if _OTHER_SIGN.match(text, sign.end("sign")) or (topic.whole and not ends_whole(text, sign.end())):
        return None
    return Said(1 - value if topic.inverted else value, sign.start(), sign.start() + 1)
