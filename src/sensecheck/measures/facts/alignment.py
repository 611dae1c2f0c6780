"""Which sentences of the references speak of the same thing as a sentence of the answer."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.measures.facts.fact import Difference, Kind
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import stem

Place = tuple[int, int]
_NEAREST = 3
_SHARE = 0.5
"""The share of content words from which on two sentences are compared."""
_SHORT = 6
"""Words in the longest sentence that is compared by its frame alone."""
_TRIED, _EVERYWHERE = 20, 1000
"""How many sentences are looked at closely; a word in more sentences than this leads to none of them."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence of a reference that lies near."""

    reference: int
    parsed: Parsed
    sentence: Sentence
    share: float
    """The share of the content words of the shorter sentence that the other one has."""
    framed: bool = False
    """Whether both are their whole text, and but for negations the same in all words except one."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A sentence of the answer beside the nearest sentences of the references, at least one."""

    answer: Parsed
    sentence: Sentence
    near: tuple[Aligned, ...]

    def changed(
        self, kind: Kind, here: tuple[int, int], other: Aligned, there: tuple[int, int]
    ) -> Difference:
        """The difference between a stretch of the answer and one of a near sentence."""
        mine, theirs = self.answer.text[slice(*here)], other.parsed.text[slice(*there)]
        note = f"the answer says `{mine}`; it says `{theirs}`"
        return Difference(kind, "changed", note, here, there, other.reference)


class Alignment:
    """The sentences of the references, found by their content words."""

    def __init__(self, references: Sequence[Parsed]) -> None:
        self._all = [
            (at, parsed, piece) for at, parsed in enumerate(references) for piece in parsed.sentences
        ]
        self._said = {sentence.said for _, _, sentence in self._all}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for place, (_, _, sentence) in enumerate(self._all):
            for word in sentence.content:
                self._by_word[word].append(place)

    def beside(self, answer: Parsed, sentence: Sentence) -> Beside | None:
        """It beside those that share most content words with it; None when nothing needs comparing."""
        if sentence.said in self._said:
            return None
        if len(answer.sentences) == len(self._all) == 1 and _same_frame(sentence, self._all[0][2]):
            return Beside(answer, sentence, (Aligned(*self._all[0], share=1.0, framed=True),))
        lists = (self._by_word.get(word, []) for word in sorted(sentence.content))
        votes = Counter(place for places in lists if len(places) <= _EVERYWHERE for place in places)
        scored = [self._aligned(place, sentence) for place, _ in votes.most_common(_TRIED)]
        near = [aligned for aligned in scored if aligned.share >= _SHARE]
        ordered = sorted(near, key=lambda a: (-a.share, a.reference, a.sentence.start))
        return Beside(answer, sentence, tuple(ordered[:_NEAREST])) if near else None

    def _aligned(self, place: int, sentence: Sentence) -> Aligned:
        reference, parsed, other = self._all[place]
        shared = len(sentence.content & other.content)
        fewer = max(2, min(len(sentence.content), len(other.content)))
        return Aligned(reference, parsed, other, shared / fewer)


def _same_frame(one: Sentence, other: Sentence) -> bool:
    """Whether two short sentences differ in one word at most, negations aside: `It is open`, `It is shut`."""
    mine, theirs = _frame(one), _frame(other)
    if not len(mine) == len(theirs) <= _SHORT:
        return False
    return sum(a != b for a, b in zip(mine, theirs, strict=True)) <= 1


def _frame(sentence: Sentence) -> list[str]:
    """The words, without negations and the `do` that comes with them."""
    cues = read_groups("cues.txt", __package__)["negation"] | {"do", "does", "did"}
    plain = (word.text.removesuffix("n't") for word in sentence.words)
    return [stem(word) for word in plain if word not in cues]
