"""Encoded texts, pair scores and replies: the only thing a measure reads from.

A text is given to the encoder once, however often it is asked for, and in its canonical form; the spans that
come back are offsets into the original. A text that cannot be read is recorded with the reason.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import Embedding, Encoder, PairScore, TokenVectors
from sensecheck.core.errors import EncoderError, UndeclaredNeed, Unreadable
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.unicode import canonical, original_offsets

MAX_CHARS = 1_000_000
"""The longest text that is read; a longer one is an error, never cut."""
EMPTY = "the text is empty"
"""Why a text without anything to read is not embedded."""
Spans = tuple[tuple[int, int], ...]

_NOTHING = " \ufffd"
"""Printable, and yet nothing to read."""
_BATCH_SIZE = 1024
"""Vectors; so many of them fit into a processor's own memory."""
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Space:
    """A read-only lookup from what was asked to what was answered."""

    embeddings: Mapping[str, Embedding] = field(default_factory=dict)
    failed: Mapping[Any, str] = field(default_factory=dict)
    """Texts, pairs and prompts that could not be answered for, and why; `(text,)` is a text's tokens."""
    pairs: Mapping[tuple[str, str], PairScore] = field(default_factory=dict)
    replies: Mapping[Prompt, str] = field(default_factory=dict)
    encoder: str | None = None
    """The fingerprint of the encoder that embedded the texts."""
    scorer: str | None = None
    judge: str | None = None

    @classmethod
    def of(cls, texts: Iterable[str], encoder: Encoder, *, tokens: bool = False) -> "Space":
        """The space of these texts, each distinct one embedded once."""
        embedded, failed = encode_each(texts, encoder, tokens=tokens)
        return cls(embeddings=embedded, failed=failed, encoder=encoder.fingerprint)

    def answers(self, needs: Needs) -> bool:
        """Whether everything in `needs` has been answered, or has been tried in vain."""
        return (
            all(text in self.embeddings or text in self.failed for text in needs.texts)
            and all(self._has_tokens(text) for text in needs.tokens)
            and all(p in self.pairs or p in self.failed for p in needs.pairs)
            and all(p in self.replies or p in self.failed for p in needs.prompts)
        )

    def embedding(self, text: str) -> Embedding:
        """Everything known of where a text is."""
        embedding = self.embeddings.get(text)
        if embedding is None:
            raise self._missing(text, "text")
        return embedding

    def vector(self, text: str) -> npt.NDArray[np.float32]:
        """The whole text as one unit vector."""
        return self.embedding(text).vector

    def tokens(self, text: str) -> TokenVectors:
        """The text token by token."""
        if (text,) in self.failed:
            raise Unreadable(self.failed[(text,)])
        tokens = self.embedding(text).tokens
        if tokens is None:
            raise UndeclaredNeed("a measure read the tokens of a text that it had asked for only as a whole")
        return tokens

    def similarity(self, one: str, other: str) -> float:
        """How similar two texts are: their cosine, from -1 to 1."""
        here, there = self.embeddings.get(one), self.embeddings.get(other)
        if here is None or there is None:
            raise self._missing(one if here is None else other, "text")
        near = float(there.vector.dot(here.vector))
        if near > 1 or one == other:
            return 1.0
        return near if near > -1 else -1.0

    def similarities(self, one: str, others: Sequence[str]) -> npt.NDArray[np.float32]:
        """How similar each of the others is to the one."""
        matrix = np.stack([self.vector(other) for other in others])
        near: npt.NDArray[np.float32] = np.clip(matrix @ self.vector(one), -1.0, 1.0)
        near[[other == one for other in others]] = 1.0
        return near

    def unread(self, *texts: str) -> int:
        """How many characters of these texts left no trace in their vectors."""
        return sum(self.embedding(text).unread_chars for text in texts)

    def readable(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Those of several texts that could be read; `Unreadable` only when none could be."""
        readable = tuple(text for text in texts if text not in self.failed and (text,) not in self.failed)
        if texts and not readable:
            raise Unreadable(self.failed.get(texts[0]) or self.failed[(texts[0],)])
        return readable

    def pair(self, claim: str, evidence: str) -> PairScore:
        """The cross-encoder's score for a pair."""
        if (claim, evidence) not in self.pairs:
            raise self._missing((claim, evidence), "pair")
        return self.pairs[claim, evidence]

    def reply(self, prompt: Prompt) -> str:
        """The judge's reply to a prompt."""
        if prompt not in self.replies:
            raise self._missing(prompt, "prompt")
        return self.replies[prompt]

    def fingerprint(self, needs: Needs) -> str | None:
        """Who answered these needs; None when no one had to."""
        marks = (
            self.encoder if needs.texts or needs.tokens else None,
            self.scorer if needs.pairs else None,
            self.judge if needs.prompts else None,
        )
        return "+".join(mark for mark in marks if mark) or None

    def _has_tokens(self, text: str) -> bool:
        if text in self.failed or (text,) in self.failed:
            return True
        return text in self.embeddings and self.embeddings[text].tokens is not None

    def _missing(self, key: object, kind: str) -> Exception:
        if key in self.failed:
            return Unreadable(self.failed[key])
        return UndeclaredNeed(f"a measure read a {kind} that it had not asked for")


def encode_each(
    texts: Iterable[str], encoder: Encoder, *, tokens: bool = False
) -> tuple[dict[str, Embedding], dict[str, str]]:
    """Where each text is; and of those that could not be read, why."""
    failed: dict[str, str] = {}
    forms: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        if text.isascii() and text[:1].isalnum() and len(text) <= MAX_CHARS:  # as most are: nothing is wrong
            forms[text] = text
        elif (refusal := _refusal(text)) is None:
            forms[text] = canonical(text)
        else:
            failed[text] = refusal
    distinct = list(dict.fromkeys(forms.values()))
    by_form = encode_distinct(encoder, distinct, tokens=tokens)
    unusable = _unusable(by_form, encoder.name)
    embedded: dict[str, Embedding] = {}
    for text, form in forms.items():
        if form in unusable:
            failed[text] = unusable[form]
        else:
            embedded[text] = by_form[form] if text == form else _in_the_original(text, by_form[form])
    return embedded, failed


def encode_distinct(encoder: Encoder, texts: Sequence[str], *, tokens: bool = False) -> dict[str, Embedding]:
    """What an encoder gives for distinct texts, once it is sure that there is one embedding for each."""
    embeddings = encoder.encode(texts, tokens=tokens) if texts else ()
    if len(embeddings) != len(texts):
        raise EncoderError(
            f"the encoder `{encoder.name}` gave {len(embeddings)} embeddings for {len(texts)} texts"
        )
    return dict(zip(texts, embeddings, strict=True))


def _refusal(text: str) -> str | None:
    if not any(char.isprintable() and char not in _NOTHING for char in text):
        return EMPTY
    if len(text) > MAX_CHARS:
        return f"the text has {len(text)} characters; at most {MAX_CHARS} are read"
    surrogate = None if text.isascii() else _HALF_A_PAIR.search(text)
    return f"the text holds half a surrogate pair at character {surrogate.start()}" if surrogate else None


def _unusable(by_text: Mapping[str, Embedding], encoder: str) -> dict[str, str]:
    """Texts whose embedding says nothing of them, and why."""
    unusable = dict.fromkeys(
        _not_finite(by_text), f"the encoder `{encoder}` gave numbers that are not finite"
    )
    for text, embedding in by_text.items():
        unread = embedding.unread_chars
        if unread > 0 and text not in unusable and unread * 2 > sum(not char.isspace() for char in text):
            detail = f"unknown characters {unread} of {len(text)}"
            unusable[text] = f"the encoder `{encoder}` cannot read this text: {detail}"
    return unusable


def _not_finite(embeddings: Mapping[str, Embedding]) -> list[str]:
    """The texts whose vectors are not finite: rare, so vectors are tested in batches."""
    broken: list[str] = []
    stream = iter(embeddings.items())
    while batch := list(islice(stream, _BATCH_SIZE)):
        if not np.isfinite(np.concatenate([embedding.vector for _, embedding in batch])).all():
            broken += [text for text, embedding in batch if not np.isfinite(embedding.vector).all()]
    return broken


def _in_the_original(text: str, embedding: Embedding) -> Embedding:
    """An embedding of the canonical form as one of the text itself."""
    offsets, tokens = original_offsets(text), embedding.tokens
    moved = replace(tokens, spans=_moved(tokens.spans, offsets)) if tokens else None
    return replace(embedding, spans=_moved(embedding.spans, offsets), tokens=moved)


def _moved(spans: Spans, offsets: list[int]) -> Spans:
    return tuple((offsets[start], offsets[end]) for start, end in spans)
