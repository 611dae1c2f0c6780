"""Which sentences of the references speak of the same thing as a sentence of the answer."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.measures.facts.parsed import Parsed, Sentence

_NEAREST = 3
_SHARE = 0.5
"""The share of content words from which on two sentences are compared."""
_TRIED, _EVERYWHERE = 20, 1000
"""How many sentences are looked at closely; a word in more sentences than this leads to none of them."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A sentence of a reference that lies near."""

    reference: int
    sentence: Sentence
    share: float
    """The share of the content words of the shorter sentence that the other one has."""


class Alignment:
    """The sentences of the references, found by their content words."""

    def __init__(self, references: Sequence[Parsed]) -> None:
        self._all = [(at, sentence) for at, parsed in enumerate(references) for sentence in parsed.sentences]
        self._said = {sentence.said for _, sentence in self._all}
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for place, (_, sentence) in enumerate(self._all):
            for word in sentence.content:
                self._by_word[word].append(place)

    def repeats(self, sentence: Sentence) -> bool:
        """Whether a reference has the very sentence."""
        return sentence.said in self._said

    def near(self, sentence: Sentence) -> list[Aligned]:
        """The sentences that share most content words with this one, the nearest first."""
        lists = [
            places for word in sentence.content if len(places := self._by_word.get(word, [])) <= _EVERYWHERE
        ]
        votes = Counter(place for places in lists for place in places)
        scored = [self._aligned(place, sentence) for place, _ in votes.most_common(_TRIED)]
        near = [aligned for aligned in scored if aligned.share >= _SHARE]
        return sorted(near, key=lambda a: (-a.share, a.reference, a.sentence.start))[:_NEAREST]

    def _aligned(self, place: int, sentence: Sentence) -> Aligned:
        reference, other = self._all[place]
        shared = len(sentence.content & other.content)
        fewer = max(2, min(len(sentence.content), len(other.content)))
        return Aligned(reference, other, shared / fewer)
