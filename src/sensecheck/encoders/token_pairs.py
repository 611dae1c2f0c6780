"""A claim and its evidence as one row of tokens, cut where the model's limit is, and never silently."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.core.errors import EncoderError
from sensecheck.encoders.tokens import Tokens, unread
from sensecheck.encoders.wordpiece import WordPiece

AROUND = 3
"""The tokens that open the claim and close it and the evidence."""
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TokenPair:
    """What the model reads of a pair, and where the claim's tokens stand."""

    ids: list[int]
    claim_spans: Spans
    continued: tuple[bool, ...]
    """For each of the claim's tokens, whether it continues the word of the one before."""
    unread_chars: int


class PairReader:
    """Pairs of texts to rows of tokens, within the limits of a model."""

    def __init__(self, tokenizer: WordPiece, claim_tokens: int, pair_tokens: int) -> None:
        if pair_tokens <= claim_tokens + AROUND:
            raise EncoderError(
                f"{pair_tokens} tokens a pair leave none for the evidence beside "
                f"{claim_tokens} for the claim and {AROUND} around them"
            )
        inner = (number for piece, number in tokenizer.vocabulary.items() if piece.startswith("##"))
        self._tokenizer = tokenizer
        self._claim_tokens, self._pair_tokens = claim_tokens, pair_tokens
        self._inner = frozenset(inner)

    def read(self, claim: str, evidence: str) -> TokenPair:
        """The row of a pair; a text in which there is nothing to read is refused."""
        own, claim_rest = self._cut(claim, self._claim_tokens, "claim")
        room = self._pair_tokens - AROUND - len(own.ids)
        other, evidence_rest = self._cut(evidence, room, "evidence")
        start, end = self._tokenizer.start, self._tokenizer.end
        return TokenPair(
            [start, *own.ids, end, *other.ids, end],
            tuple(own.spans),
            tuple(token in self._inner for token in own.ids),
            claim_rest + evidence_rest,
        )

    def _cut(self, text: str, most: int, what: str) -> tuple[Tokens, int]:
        """The first tokens of a text, and how many of its characters were not read."""
        tokens = self._tokenizer.encode(text)
        if not tokens.ids:
            raise EncoderError(f"the {what} of a pair is empty")
        if len(tokens.ids) <= most:
            return tokens, unread(tokens, self._tokenizer.unknown)
        end = tokens.spans[most - 1][1]
        dropped = tuple(index for index in tokens.dropped if index < end)
        kept = Tokens(tokens.ids[:most], tokens.spans[:most], dropped)
        return kept, unread(kept, self._tokenizer.unknown) + len(text) - end


def by_word(
    spans: Spans, continued: Sequence[bool], scores: Sequence[float]
) -> tuple[Spans, tuple[float, ...]]:
    """The tokens' spans and scores word by word: a word has the highest score of its tokens."""
    words: list[tuple[int, int]] = []
    highest: list[float] = []
    for (start, end), inside, score in zip(spans, continued, scores, strict=True):
        if inside and words:
            words[-1] = (words[-1][0], end)
            highest[-1] = max(highest[-1], score)
        else:
            words.append((start, end))
            highest.append(score)
    return tuple(words), tuple(highest)
