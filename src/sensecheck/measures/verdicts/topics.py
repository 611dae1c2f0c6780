"""What was announced before a verdict, by a key, a tag or a label: a verdict, a score, a winner, …"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Numbers = Literal["none", "flag", "score", "verdict", "choice"]


@dataclass(frozen=True, slots=True)
class Topic:
    """What may be said where it is announced."""

    rank: int
    """A topic with a lower rank is believed first: a verdict before a score, and both before an answer."""
    words: bool = True
    letters: bool = False
    """Whether A and B are choices between two."""
    numbers: Numbers = "none"
    """What a bare number is: nothing, 1 or 0 for yes or no, a score, a score unless it is 1 or 0 (`verdict`),
    or 1 or 2 for the first or second of two (`choice`)."""
    truths: bool = False
    """Whether the only words are yes and no, true and false."""
    inverted: bool = False
    """Whether `yes` is a fail, as in `failed: yes`."""
    whole: bool = False
    """Whether nothing may follow."""


VERDICT = Topic(0, letters=True, numbers="verdict")
RESULT = Topic(0, letters=True, numbers="score")
FLAG = Topic(0, numbers="flag")
FAILURE = Topic(0, numbers="flag", truths=True, inverted=True)
CHOICE = Topic(0, words=False, letters=True, numbers="choice")
SCORE = Topic(1, numbers="score")
ANSWER = Topic(2, letters=True, whole=True)

_NAMES: Mapping[Topic, str] = {
    VERDICT: "verdict decision judgement judgment ruling outcome evaluation assessment conclusion status",
    RESULT: "result overall",
    FLAG: "pass passed passes passfail ispass ispassed correct iscorrect accepted acceptable approved",
    FAILURE: "fail failed isfail isfailed incorrect isincorrect",
    CHOICE: "winner preference preferred better best preferredresponse betterresponse betteranswer",
    SCORE: "score rating grade",
    ANSWER: "answer label",
}
TOPICS: Mapping[str, Topic] = {name: topic for topic, names in _NAMES.items() for name in names.split()}
_FINAL = re.compile("(?:the|my|your)?(?:final|overall)(?=.)")
_APART = re.compile(r"[\W_]+")


def topic_of(name: str) -> tuple[Topic, bool] | None:
    """The topic that a key names, and whether it is called final; `isCorrect` and `is_correct` are one."""
    squashed = _APART.sub("", name).lower()
    final = _FINAL.match(squashed)
    topic = TOPICS.get(squashed[final.end() :] if final else squashed)
    return (topic, final is not None) if topic else None
