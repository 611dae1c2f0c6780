"""Asking first, placing once: the steps from what checks need to what they can read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sensecheck.core.encoder import Answerers, Placement
from sensecheck.core.errors import AnswererError
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.placing import place_each
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space

Case = tuple[Sample, Check]


@dataclass(slots=True)
class Staircase:
    """What has been answered so far, and who answers the rest."""

    answerers: Answerers
    _placed: dict[str, Placement] = field(default_factory=dict)
    _failed: dict[object, str] = field(default_factory=dict)
    _pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    _replies: dict[Prompt, str] = field(default_factory=dict)
    _marks: dict[str, str] = field(default_factory=dict)

    def climb(self, cases: Sequence[Case]) -> Space:
        """The space in which all these cases can be decided, reached in as many rounds as they ask."""
        waiting = list(cases)
        while waiting:
            space = self._space()
            asked = ((case, case[1].needs(case[0], space)) for case in waiting)
            unanswered = [(case, needs) for case, needs in asked if not space.answers(needs)]
            self._answer(Needs.union(needs for _, needs in unanswered))
            waiting = [case for case, _ in unanswered]
        return self._space()

    def _space(self) -> Space:
        return Space(
            self._placed,
            self._failed,
            self._pairs,
            self._replies,
            self._marks.get("encoder"),
            self._marks.get("scorer"),
            self._marks.get("judge"),
        )

    def _answer(self, needs: Needs) -> None:
        words = [
            t for t in dict.fromkeys(needs.tokens) if t not in self._placed or not self._placed[t].tokens
        ]
        self._place(words, tokens=True)
        self._place([text for text in dict.fromkeys(needs.texts) if text not in self._placed], tokens=False)
        self._score([pair for pair in dict.fromkeys(needs.pairs) if pair not in self._pairs])
        self._ask([prompt for prompt in dict.fromkeys(needs.prompts) if prompt not in self._replies])

    def _place(self, texts: list[str], *, tokens: bool) -> None:
        encoder = self.answerers.encoder
        texts = [text for text in texts if text not in self._failed]
        if not texts:
            return
        if encoder is None:
            self._fail(texts, "no encoder is set up to place texts")
            return
        try:
            placed, failed = place_each(texts, encoder, tokens=tokens)
            self._marks["encoder"] = encoder.fingerprint
        except AnswererError as reason:
            self._fail(texts, str(reason))
        else:
            self._placed.update(placed)
            self._failed.update(failed)

    def _score(self, pairs: list[tuple[str, str]]) -> None:
        scorer = self.answerers.pairs
        if pairs and scorer is None:
            self._fail(pairs, "no cross-encoder is set up to score pairs")
        elif pairs and scorer is not None:
            try:
                self._pairs.update(zip(pairs, scorer.score(pairs), strict=True))
                self._marks["scorer"] = scorer.fingerprint
            except AnswererError as reason:
                self._fail(pairs, str(reason))

    def _ask(self, prompts: list[Prompt]) -> None:
        judge = self.answerers.judge
        if prompts and judge is None:
            self._fail(prompts, "no judge is set up to answer prompts")
        elif prompts and judge is not None:
            try:
                self._replies.update(zip(prompts, judge.ask(prompts), strict=True))
                self._marks["judge"] = judge.fingerprint
            except AnswererError as reason:
                self._fail(prompts, str(reason))

    def _fail(self, asked: Iterable[object], reason: str) -> None:
        self._failed.update(dict.fromkeys(asked, reason))
