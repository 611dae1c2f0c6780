"""From samples and checks to verdicts: the one function behind every interface.

All that the checks need is gathered first, then encoded, scored or asked once, and only then decided. Where
an answer makes a check need more, as in a cascade, another round follows.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from sensecheck.core.backends import Backends, Embedding, GivenUp, PairScore, Unanswered
from sensecheck.core.errors import BackendError, EncoderError, SpecError, Unreachable
from sensecheck.core.loading import replies_of, scores_of
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space, encode_each
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.memory import remembering, remembering_pairs

Case = tuple[Sample, Check]
T = TypeVar("T")
_PLAIN = "This is a text."
_NO_READER = (
    "no cross-encoder is set up to score pairs; ours comes with: pip install 'sensecheck[local]', and "
    "SENSECHECK_VERIFIER must not be `off`"
)
_NO_JUDGE = "no judge is set up to answer prompts; name one in SENSECHECK_JUDGE"


def assess(
    cases: Iterable[Case], answerers: Backends, *, batch_size: int = 1024, cache_size: int = 8192
) -> Iterator[Verdict]:
    """One verdict for each (sample, check), in order.

    Cases are taken `batch_size` at a time: all they need is gathered, every distinct text is encoded once
    and every distinct pair scored once, then each check decides. Memory is flat in the number of cases; the
    `cache_size` texts used last stay embedded, and as many pairs scored.
    """
    validate_sizes(batch_size, cache_size)
    if answerers.encoder is not None:
        answerers = replace(answerers, encoder=remembering(answerers.encoder, cache_size))
    if answerers.pairs is not None:
        answerers = replace(answerers, pairs=remembering_pairs(answerers.pairs, cache_size))
    stream = iter(cases)
    while batch := list(islice(stream, batch_size)):
        space = Staircase(answerers).climb(batch)
        for sample, check in batch:
            verdict = check.decide(sample, space)
            yield verdict if sample.id is None else replace(verdict, sample=sample.id)


def validate_sizes(batch_size: int, cache_size: int) -> None:
    """Raise `SpecError` unless something is taken at once, and no less than nothing is remembered."""
    if batch_size < 1 or cache_size < 0:
        raise SpecError(
            f"`batch_size` must be at least 1, `cache_size` at least 0; got {batch_size}, {cache_size}"
        )


@dataclass(slots=True)
class Staircase:
    """What has been answered so far, and who answers the rest."""

    answerers: Backends
    strict: bool = False
    """Whether an answerer raises that is not there, or refuses all it is asked; one text alone does not."""
    _embeddings: dict[str, Embedding] = field(default_factory=dict)
    _failed: dict[object, str] = field(default_factory=dict)
    _pairs: dict[tuple[str, str], PairScore] = field(default_factory=dict)
    _replies: dict[Prompt, str] = field(default_factory=dict)
    _marks: dict[str, str] = field(default_factory=dict)
    _refused: bool = False

    def climb(self, cases: Sequence[Case], beside: Needs | None = None) -> Space:
        """The space in which all these cases can be decided, reached in as many rounds as they ask.

        What is asked for `beside` them is answered together with their first round.
        """
        waiting, pending = list(cases), [beside] if beside else []
        while waiting or pending:
            space = self._space()
            needs_by_case = ((case, case[1].needs(case[0], space)) for case in waiting)
            unanswered = [(case, needs) for case, needs in needs_by_case if not space.answers(needs)]
            self._answer(Needs.union((*pending, *(needs for _, needs in unanswered))))
            waiting, pending = [case for case, _ in unanswered], []
        return self._space()

    def answer(self, needs: Needs) -> Space:
        """The space in which all of this has been answered, or tried in vain."""
        return self.climb((), needs)

    def _answer(self, needs: Needs) -> None:
        if words := [text for text in dict.fromkeys(needs.tokens) if not self._tried_tokens(text)]:
            self._place_tokens(words)
        if texts := self._untried(needs.texts, self._embeddings):
            self._place(texts, tokens=False)
        if pairs := self._untried(needs.pairs, self._pairs):
            self._score(pairs)
        if prompts := self._untried(needs.prompts, self._replies):
            self._ask(prompts)
        if self.strict and self._refused and not self._embeddings and not self._pairs:
            self._require_backends(needs)

    def _place_tokens(self, texts: list[str]) -> None:
        """A text whose tokens cannot be had may still be embedded as a whole, where only that is needed."""
        self._place(texts, tokens=True)
        for text in texts:
            if not self._has_tokens(text):
                reason = self._failed.pop(text, "the encoder gave no token vectors")
                self._failed[(text,)] = reason

    def _place(self, texts: list[str], *, tokens: bool) -> None:
        with self._or_fail(texts):
            encoder = _require(self.answerers.encoder, "no encoder is set up to place texts")
            try:
                embedded, failed = encode_each(texts, encoder, tokens=tokens)
            except EncoderError as reason:
                if len(texts) == 1 or type(reason) is not EncoderError:
                    raise
                for half in (texts[: len(texts) // 2], texts[len(texts) // 2 :]):
                    self._place(half, tokens=tokens)  # one text that is refused must not fail the others
                return
            self._marks["encoder"] = encoder.fingerprint
            self._embeddings.update(embedded)
            self._failed.update(failed)

    def _score(self, pairs: list[tuple[str, str]]) -> None:
        with self._or_fail(pairs):
            scorer = _require(self.answerers.pairs, _NO_READER)
            try:
                scores = scores_of(scorer, pairs)
            except EncoderError as reason:
                if len(pairs) == 1 or type(reason) is not EncoderError:
                    raise
                for half in (pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]):
                    self._score(half)  # one pair that is refused must not fail the others
                return
            self._pairs.update(zip(pairs, scores, strict=True))
            self._marks["scorer"] = scorer.fingerprint

    def _ask(self, prompts: list[Prompt]) -> None:
        with self._or_fail(prompts):
            judge = _require(self.answerers.judge, _NO_JUDGE)
            self._marks["judge"] = judge.fingerprint
            for prompt, reply in zip(prompts, replies_of(judge, prompts), strict=True):
                if self.strict and isinstance(reply, GivenUp):
                    raise Unreachable(reply.because)
                if isinstance(reply, Unanswered):
                    self._failed[prompt] = reply.because
                else:
                    self._replies[prompt] = reply

    @contextmanager
    def _or_fail(self, items: Sequence[object]) -> Iterator[None]:
        """What goes wrong inside is the reason why each of these was not answered."""
        try:
            yield
        except BackendError as reason:
            if self.strict and type(reason) is not EncoderError:
                raise
            self._refused = True
            self._failed.update(dict.fromkeys(items, str(reason)))

    def _require_backends(self, needs: Needs) -> None:
        """All was refused: raise what the answerer says of a plain text, unless it is the texts after all."""
        if needs.texts and self.answerers.encoder is not None:
            encode_each([_PLAIN], self.answerers.encoder)
        if needs.pairs and self.answerers.pairs is not None:
            scores_of(self.answerers.pairs, [(_PLAIN, _PLAIN)])

    def _untried(self, items: Iterable[T], answered: Container[T]) -> list[T]:
        """Each once; what was tried in vain is not tried again in the next round."""
        return [item for item in dict.fromkeys(items) if item not in answered and item not in self._failed]

    def _tried_tokens(self, text: str) -> bool:
        return self._has_tokens(text) or text in self._failed or (text,) in self._failed

    def _has_tokens(self, text: str) -> bool:
        return text in self._embeddings and self._embeddings[text].tokens is not None

    def _space(self) -> Space:
        return Space(
            self._embeddings,
            self._failed,
            self._pairs,
            self._replies,
            self._marks.get("encoder"),
            self._marks.get("scorer"),
            self._marks.get("judge"),
        )


def _require(answerer: T | None, message: str) -> T:
    if answerer is None:
        raise BackendError(message)
    return answerer
