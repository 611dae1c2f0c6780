"""A cached judge: a prompt is asked until it has a reply, which is kept on disk, and then not again.

A prompt is known by its digest, and is not kept itself. `JudgeWrapper`: what judges share that wrap another.
"""

import json
from collections.abc import Sequence

from sensecheck.core.backends import GivenUp, Judge, Unanswered
from sensecheck.core.loading import replies_of
from sensecheck.core.needs import Prompt
from sensecheck.core.unicode import text_key
from sensecheck.io.blobcache import ReplyFile

BATCH_SIZE = 64
"""After N prompts their replies are kept: what breaks a run off then costs no more than these."""
ROUNDS = 4
"""But as many times what the judge asks at once: it gives up after two, while a third is under way."""
_CODING = ("utf-8", "surrogatepass")


class JudgeWrapper:
    """A judge inside: what its replies depend on, it says itself."""

    def __init__(self, inner: Judge) -> None:
        self._inner = inner

    @property
    def fingerprint(self) -> str:
        """Changes whenever the model or its settings do."""
        return self._inner.fingerprint

    @property
    def concurrency(self) -> int:
        """How many prompts are asked at the same time; a judge that does not say so asks one."""
        value = getattr(self._inner, "concurrency", 1)
        return value if isinstance(value, int) else 1


class CachedJudge(JudgeWrapper):
    """The same replies as the judge inside, kept by its fingerprint; why there was none is not kept.

    A prompt is asked once in a call. Calls at the same time do not wait for each other: threads or processes
    that ask the same new prompt each send it, and the reply that is kept first counts for all of them.
    """

    def __init__(self, inner: Judge, file: ReplyFile) -> None:
        super().__init__(inner)
        self._file = file

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        """One reply per prompt, in order, or why there is none."""
        keys = {prompt: prompt_key(prompt) for prompt in prompts}
        cached = self._cached_replies(list(keys.values())) if keys else {}
        replies: dict[Prompt, str | Unanswered] = {
            prompt: cached[key] for prompt, key in keys.items() if key in cached
        }
        fresh = [prompt for prompt in keys if prompt not in replies]
        step = max(BATCH_SIZE, ROUNDS * self.concurrency)
        for start in range(0, len(fresh), step):
            batch = fresh[start : start + step]
            replies |= self._fresh_replies(batch, keys)
            if isinstance(given_up := replies[batch[-1]], GivenUp):
                replies |= dict.fromkeys(fresh[start + step :], given_up)
                break
        return [replies[prompt] for prompt in prompts]

    def _cached_replies(self, keys: list[bytes]) -> dict[bytes, str]:
        texts = {key: _decoded(body) for key, body in self._file.read(self.fingerprint, keys).items()}
        damaged = [key for key, text in texts.items() if text is None]
        if damaged:
            self._file.drop(self.fingerprint, damaged)
        return {key: text for key, text in texts.items() if text is not None}

    def _fresh_replies(
        self, prompts: list[Prompt], keys: dict[Prompt, bytes]
    ) -> dict[Prompt, str | Unanswered]:
        fresh = dict(zip(prompts, replies_of(self._inner, prompts), strict=True))
        bodies = {
            keys[prompt]: reply.encode(*_CODING) for prompt, reply in fresh.items() if isinstance(reply, str)
        }
        first = self._file.write(self.fingerprint, bodies) if bodies else {}
        stored = {prompt: _decoded(first[keys[prompt]]) for prompt in fresh if keys[prompt] in first}
        return fresh | {prompt: text for prompt, text in stored.items() if text is not None}


def prompt_key(prompt: Prompt) -> bytes:
    """A digest of the prompt as it is given, the same on every machine."""
    return text_key(json.dumps([prompt.system, prompt.user]))


def _decoded(body: bytes) -> str | None:
    """The reply that was written; None when the bytes were damaged since."""
    try:
        return body.decode(*_CODING)
    except UnicodeDecodeError:
        return None
