"""A source that remembers on disk: a question is asked until it has an answer, and then not again."""

import json

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.core.unicode import text_key
from sensecheck.evals.sources.around import Around
from sensecheck.evals.sources.source import Answer, NoAnswer, Question, Source
from sensecheck.io.blobcache import AnswerFile


class Remembered(Around):
    """The same answers as the source inside; each is on disk before it is handed on.

    The second repeat of a question is another question. Of two answers to one question, the one that was kept
    first counts from then on. Why there was no answer is not kept.
    """

    def __init__(
        self, inner: Source, file: AnswerFile, *, namespace: str = "", reads_vars: bool = True
    ) -> None:
        super().__init__(inner)
        self._file = file
        self._namespace = namespace
        self._reads_vars = reads_vars

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer that is kept, or else what the source inside answers."""
        key = self._key(question)
        if kept := self._recalled(key):
            return kept
        fresh = self._inner.answer(question)
        if isinstance(fresh, NoAnswer):
            return fresh
        self._file.write(self.fingerprint, {key: json.dumps(to_data(fresh)).encode()})
        return self._recalled(key) or fresh

    def _key(self, question: Question) -> bytes:
        variables = dict(question.vars) if self._reads_vars else None
        asked = [self._namespace, question.prompt, variables, question.repeat]
        return text_key(json.dumps(asked, sort_keys=True, default=str))

    def _recalled(self, key: bytes) -> Answer | None:
        body = self._file.read(self.fingerprint, [key]).get(key)
        if body is None:
            return None
        try:
            return from_data(Answer, read_json(body.decode(), at="a kept answer"), at="a kept answer")
        except (SpecError, UnicodeDecodeError):  # damaged since it was written: asked again
            self._file.drop(self.fingerprint, [key])
            return None
