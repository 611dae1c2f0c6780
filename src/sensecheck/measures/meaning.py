"""Whether an answer means what was expected: what a cross-encoder reads of both, and what follows from it.

The answer is read as a whole and, where it has several sentences, sentence by sentence: more detail is no
error, and a reader that looks for one thing among others is less sure of it.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.reading import CUT, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import claims
from sensecheck.measures.facts.equivalence import spelled_as, turned_as, written_alike
from sensecheck.measures.pairs import (
    EVIDENCE_WORDS,
    LIKELY,
    Pair,
    evidence_text,
    is_sure,
    log_odds,
    probability,
    stretches_against,
    with_question,
)
from sensecheck.measures.support.restatement import fills_question
from sensecheck.measures.support.source import source_of
from sensecheck.text.words import content_stems, content_words, is_stop_word, stem, words


@dataclass(frozen=True, slots=True)
class PlainPair:
    """How the odds of two texts without a question are set, so that one cutoff serves both kinds of pair.

    Behind a question the expected answer is often a word or two, and what differs is what was asked for.
    Without one both are whole sentences: the reader is more careful there than it has to be, and how many
    words of the expected text the answer has tells more.
    """

    odds: float
    """What the reader's log odds are multiplied by."""
    words: float
    """What is added where the answer has all content words of the expected text."""
    always: float


PLAIN_PAIR = PlainPair(odds=0.89, words=0.91, always=-0.18)
"""Fitted by `models/reader/plain.py`, on pairs that no reader learned from."""
COMPARED_WORDS = 300
"""Of a pair without a question so many words are compared; a reader does not read more of them either."""
SUBJECT_WORDS = 6
"""How many words the subject of an expected text has at most, for a word of the answer to stand for it."""
_STANDS_FOR = frozenset({"it", "they", "we", "he", "she"})
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "my", "their", "its", "his", "her"})
_AUXILIARIES = ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"does", "do"})
_NO_SUBJECT = frozenset(
    {
        *("no", "not", "none", "nobody", "nothing", "never", "only", "just", "even", "or", "but", "than"),
        *("most", "some", "few", "many", "all", "every", "each", "half", "both", "neither", "either"),
        *("several", "any", "more", "less", "fewer", "it", "they", "we", "he", "she", "i", "you", "this"),
        *("that", "these", "those", "there", "here", "who", "what", "which", "where", "when", "why", "how"),
        *("if", "while", "unless", "until", "after", "before", "because", "although", "since", "during"),
        *("without", "then", "now", "later", "yesterday", "today", "tomorrow", "usually", "normally"),
        *("often", "sometimes", "always", "monday", "tuesday", "wednesday", "thursday", "friday"),
        *("saturday", "sunday"),
    }
)
"""Words that make what stands before the verb more than a subject, or another one than the answer's."""
SENTENCES_APART = 4
"""How many sentences of an answer are read by themselves: those that hold most of the expected words."""
_DENIES = re.compile(r"\b(?:not true|untrue|not so|wrong|false|incorrect|mistaken|a myth)\b", re.IGNORECASE)
_TAKES_BACK = re.compile(
    r"""
    (?<=[.!?…])["'”’)]*\s+(?:(?:but|and|however|well|oh|actually|in\ fact),?\s+)?(?:
        (?:that|this|it|which)(?:['’]s|\s+(?:is|was))\s+(?:\w+\s+)?
            (?:wrong|false|untrue|incorrect|mistaken|outdated|nonsense|an?\ (?:myth|mistake|lie|error|joke))\b
      | (?:that|this|it)(?:['’]s\s+(?:not|no\ longer)|\s+(?:is|was)(?:n['’]t|\s+(?:not|no\ longer|never)))
            \s+(?:\w+\s+)?(?:true|so|right|correct|accurate|the\ case|valid)\b
      | no,\ wait\b | (?:no|nope)\b(?=[.,!]|$) | oops\b | wait(?=[,.!…—-]) | correction(?=:) | scratch\ that\b
      | sorry,?\s+(?:i|it|that|no)\b | i\ (?:meant|misspoke)\b | i\ was\ (?:wrong|mistaken)\b
      | on\ second\ thoughts?\b | or\ rather\b | i\ take\ (?:that|it)\ back\b
    )
    | \b(?:no,\ wait|wait,\ no|scratch\ that|sorry,\ i\ meant)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What takes back something that was said before it in the answer."""
TAKEN_BACK = 0.5
"""The most that is believed of an answer that takes something back: of what, only a person can tell."""


@dataclass(frozen=True, slots=True)
class PartRead:
    """What of an answer is read with the expected text: all of it, or a sentence."""

    start: int
    end: int
    text: str
    named: str
    """The same, with the expected subject where a word stands for it."""
    is_shortened: bool = False
    """Whether it is the part of a long answer that is nearest to the expected text."""


@dataclass(frozen=True, slots=True)
class PartReading:
    """What a cross-encoder found of one part."""

    part: PartRead
    forward: PairScore
    """Whether the part says what was expected."""
    backward: PairScore
    likely: float
    """By the cross-encoder alone."""
    value: float
    certain: str = ""
    """In whose words the part is the expected text, whatever a cross-encoder says; empty otherwise."""

    @property
    def contradicted(self) -> float:
        """How probable it is that the part says something else."""
        return max(self.forward.contradicted or 0.0, self.backward.contradicted or 0.0)


def pairs_both_ways(sample: Sample) -> tuple[Pair, ...]:
    """The answer and its sentences with the expected text, each in both directions."""
    return tuple(pair for part in _parts_read(sample) for pair in _pairs_of(sample, part))


def same_meaning(sample: Sample, space: Space) -> Reading:
    """How probable it is that the answer entails the expected text and does not contradict it."""
    expected = sample.require_expected()
    whole, *sentences = [_part_reading(sample, part, space) for part in _parts_read(sample)]
    best = max((whole, *sentences), key=lambda reading: reading.value)
    if any(other.contradicted >= LIKELY for other in sentences if other is not best):
        best = whole
    is_whole, read = best is whole, whole.part.text
    if (back := _taken_back(sample)) is not None and best.value > TAKEN_BACK:
        because = "the answer takes something back, and of what is not known"
        return Reading(TAKEN_BACK, because, (Evidence("taken_back", back, note="takes something back:"),))
    value, basis = best.value, f"{best.likely:.0%} likely"
    if not (sample.question or "").strip():
        moved = "raised" if value >= best.likely else "lowered"
        basis = f"{value:.0%} likely: {best.likely:.0%} by the cross-encoder, {moved} by shared words"
    if whole.part.is_shortened:
        basis += f"; of {len(sample.answer.split())} words, the {len(read.split())} nearest to it were read"
    if not is_whole:
        basis += f"; in one of its {len(claims(sample.answer))} sentences"
    seems = not is_sure(value)
    if best.certain:
        subject = "the answer" if is_whole else "a sentence of the answer"
        kind, because = "entailed", f"{subject} is the expected one, in {best.certain}"
    elif value >= LIKELY:
        kind, because = "entailed", f"the answer {'seems to say' if seems else 'says'} what was expected"
    elif best.contradicted >= LIKELY:
        says = "seems to say" if seems else "says"
        kind, because = "contradicted", f"the answer {says} something else than was expected"
    else:
        says = "seems not to" if seems else "does not"
        kind, because = "not_stated", f"the answer {says} say what was expected"
    mine = Span.of("answer", sample.answer, best.part.start, best.part.end)
    theirs = Span.of("expected", expected)
    evidence = (Evidence(kind, mine, theirs, note=because + ":"), *_missed(sample, best.forward))
    if best.forward.unread_chars and not best.certain:
        note = (
            f"{best.forward.unread_chars} characters of the expected answer and of the answer were not read"
        )
        evidence = (*evidence, Evidence(CUT, note=note))
    left_out = max(0, len(" ".join(sample.answer.split())) - len(read)) if whole.part.is_shortened else 0
    unread = left_out + max(best.forward.unread_chars, best.backward.unread_chars)  # both read the same texts
    return Reading(value, because if best.certain else f"{because} ({basis})", evidence, unread)


def _part_reading(sample: Sample, part: PartRead, space: Space) -> PartReading:
    expected, question = sample.require_expected(), (sample.question or "").strip()
    forward, backward = (space.pair(*pair) for pair in _pairs_of(sample, part))
    likely = same_meaning_probability(forward, backward)
    value = likely if question else without_question(likely, share_said(part.named, expected))
    certain = _certain(sample, part)
    return PartReading(part, forward, backward, likely, 1.0 if certain else value, certain)


def _certain(sample: Sample, part: PartRead) -> str:
    """In whose words a part is the expected text; empty where it is not, by its words."""
    expected, question = sample.require_expected(), (sample.question or "").strip()
    if part.is_shortened:
        return "the same words" if written_alike(sample.answer, expected) else ""
    if written_alike(part.named, expected):
        return "the same words"
    if written_alike(turned_as(part.named, expected), expected):
        return "the words of the other side"
    if question and fills_question(spelled_as(part.named, expected), question, expected):
        return "the words of the question"
    return ""


def _taken_back(sample: Sample) -> Span | None:
    """Where the answer takes back what it said before, unless the expected text does so too."""
    found = _TAKES_BACK.search(sample.answer)
    if found is None or _TAKES_BACK.search(sample.require_expected()):
        return None
    start = found.end() - len(found.group().lstrip(" \n\t\"'”’)"))
    return Span.of("answer", sample.answer, start, found.end())


def _pairs_of(sample: Sample, part: PartRead) -> tuple[Pair, Pair]:
    expected = sample.require_expected()
    answer = with_question(sample.question, turned_as(spelled_as(part.named, expected), expected))
    expected = with_question(sample.question, expected)
    return (expected, answer), (answer, expected)


def _parts_read(sample: Sample) -> tuple[PartRead, ...]:
    """The answer, or what is nearest of a long one; and its sentences, where it has several."""
    answer, expected = sample.answer, sample.require_expected()
    for name, text in (("answer", answer), ("expected answer", expected)):
        if not text.strip():
            raise CannotJudge(f"the {name} is empty")
    nearest = _nearest_part(sample)
    whole = PartRead(0, len(answer), nearest, with_subject_of(expected, nearest), nearest is not answer)
    pieces = claims(answer)
    if len(pieces) < 2 or _DENIES.search(answer):
        return (whole,)
    wanted = content_stems(expected)
    sentences = sorted(
        (piece for piece in pieces if piece.checked),
        key=lambda piece: -len(wanted & content_stems(piece.stated)),
    )
    return whole, *(
        PartRead(piece.start, piece.end, piece.stated, with_subject_of(expected, piece.stated))
        for piece in sentences[:SENTENCES_APART]
    )


def _nearest_part(sample: Sample) -> str:
    """The answer; of a long one the sentences that hold most of what was expected, in their order."""
    expected = with_question(sample.question, sample.require_expected())
    if len(sample.answer.split()) <= EVIDENCE_WORDS:
        return sample.answer
    source = source_of((sample.answer,))
    best = source.gathered(content_stems(expected), words=EVIDENCE_WORDS)
    return evidence_text([source.sentences[at] for at in best]) if best else sample.answer


def with_subject_of(expected: str, answer: str) -> str:
    """The answer, whose first word may stand for the subject of the expected text, with that subject.

    `It opened in 1932.` is read as `The bridge opened in 1932.` where that is expected: an answer leaves out
    what everybody knows it is about. Only the same verb behind it shows what the subject is.
    """
    mine, theirs = words(answer)[:2], words(expected)[: SUBJECT_WORDS + 1]
    if len(mine) < 2 or mine[0].text.lower() not in _STANDS_FOR or answer[: mine[0].start].strip():
        return answer
    at = next((at for at, word in enumerate(theirs) if at and _is_same_verb(word.text, mine[1].text)), 0)
    subject = [word.text.lower() for word in theirs[:at]]
    text = expected[theirs[0].start : theirs[at - 1].end] if at else ""
    if not subject or not _NO_SUBJECT.isdisjoint(subject) or re.search(r"[^\w\s'’-]|\d", text):
        return answer
    if len(subject) == 1 or subject[0] not in _ARTICLES:
        is_name = all(expected[word.start].isupper() for word in theirs[:at])
        if subject[0] in _ARTICLES or not is_name or mine[0].text.lower() in ("he", "she"):
            return answer
    return text + answer[mine[0].end :]


def _is_same_verb(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return (
        one == other or {one, other} in _AUXILIARIES or (not is_stop_word(one) and stem(one) == stem(other))
    )


def same_meaning_probability(forward: PairScore, backward: PairScore) -> float:
    """How probable it is that the answer entails the expected text and is not contradicted by it."""
    return min(probability(forward), 1 - (backward.contradicted or 0.0))


def without_question(likely: float, said: float) -> float:
    """The probability that a pair without a question has one meaning, by the reader and by words in order."""
    odds = PLAIN_PAIR.odds * log_odds(likely) + PLAIN_PAIR.words * said + PLAIN_PAIR.always
    return 1 / (1 + math.exp(-odds))


def share_said(answer: str, expected: str) -> float:
    """The share of the expected text's content words that the answer has in the same order, by their stems.

    1 where there are none. In another order the same words may well say something else: who did it to whom.
    """
    answer_stems, expected_stems = (
        [stem(word.text) for word in content_words(text)[:COMPARED_WORDS]] for text in (answer, expected)
    )
    if not expected_stems:
        return 1.0
    longest = [0] * (len(answer_stems) + 1)  # common to the words so far and each beginning of the answer
    for word in expected_stems:
        before = longest
        longest = [0]
        for at, other in enumerate(answer_stems):
            longest.append(before[at] + 1 if word == other else max(longest[at], before[at + 1]))
    return longest[-1] / len(expected_stems)


def _missed(sample: Sample, forward: PairScore) -> Iterable[Evidence]:
    """The words of the expected answer that the answer does not support."""
    expected = sample.require_expected()
    shift = len(with_question(sample.question, expected)) - len(expected)
    for start, end in stretches_against(forward):
        if start >= shift and forward.value > 0:
            missed = Span.of("expected", expected, start - shift, end - shift)
            yield Evidence("doubted", None, missed, note="is not said by the answer:")
