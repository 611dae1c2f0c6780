"""Wrappers around a source: its answers cached on disk, and giving up on one that no one answers for."""

import json

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.core.unicode import text_key
from sensecheck.io.blobcache import AnswerFile
from sensecheck.io.retry import FailureStreak
from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question


class SourceWrapper:
    """Describes itself as the source inside does; how that is asked is the wrapper's own business."""

    def __init__(self, inner: AnswerSource) -> None:
        self._inner = inner

    @property
    def label(self) -> str:
        """That of the source inside."""
        return self._inner.label

    @property
    def fingerprint(self) -> str:
        """That of the source inside."""
        return self._inner.fingerprint

    @property
    def concurrency(self) -> int:
        """As many as the source inside takes."""
        return self._inner.concurrency

    @property
    def cacheable(self) -> bool:
        """Whether the answers of the source inside are worth caching."""
        return self._inner.cacheable


class CachedSource(SourceWrapper):
    """The same answers as the source inside; each is on disk before it is handed on.

    The second repeat of a question is another question. Of two answers to one question, the one that
    was written first counts from then on. Why there was no answer is not cached.
    """

    def __init__(
        self, inner: AnswerSource, file: AnswerFile, *, namespace: str = "", reads_vars: bool = True
    ) -> None:
        super().__init__(inner)
        self._file = file
        self._namespace = namespace
        self._reads_vars = reads_vars

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer that is cached, or else what the source inside answers."""
        key = self._key(question)
        if cached := self._cached(key):
            return cached
        fresh = self._inner.answer(question)
        if isinstance(fresh, NoAnswer):
            return fresh
        self._file.write(self.fingerprint, {key: json.dumps(to_data(fresh)).encode()})
        return self._cached(key) or fresh

    def _key(self, question: Question) -> bytes:
        variables = dict(question.vars) if self._reads_vars else None
        parts = [self._namespace, question.prompt, variables, question.repeat]
        return text_key(json.dumps(parts, sort_keys=True, default=str))

    def _cached(self, key: bytes) -> Answer | None:
        body = self._file.read(self.fingerprint, [key]).get(key)
        if body is None:
            return None
        try:
            return from_data(Answer, read_json(body.decode(), at="a cached answer"), at="a cached answer")
        except (SpecError, UnicodeDecodeError):  # damaged since it was written: asked again
            self._file.drop(self.fingerprint, [key])
            return None


class Patient(SourceWrapper):
    """The same answers as the source inside, until too many in a row found no one there."""

    def __init__(self, inner: AnswerSource) -> None:
        super().__init__(inner)
        self._streak = FailureStreak(inner.concurrency)

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the source inside answers, or why it is not asked any more."""
        if self._streak.stopped_because:
            return NoAnswer(self._streak.stopped_because, unreachable=True)
        reply = self._inner.answer(question)
        if isinstance(reply, NoAnswer) and reply.unreachable:
            self._streak.failed(reply.because, absent=reply.absent)
        else:
            self._streak.answered()
        return reply
