"""A claim and its evidence as one row of tokens, cut where the model's limit is, and never silently."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, Self

from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.encoders.wordpiece import Tokenizer, Tokens, WordPiece, unread

Spans = tuple[tuple[int, int], ...]
Order = Literal["claim_first", "evidence_first"]


@dataclass(frozen=True, slots=True)
class PairTemplate:
    """The tokens that stand around two texts, and of which type each part of the row is."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: tuple[int, ...] = (0, 0, 0, 1, 1)
    """Of the tokens before, of the first text, of those between, of the second text, of those after."""

    @classmethod
    def of_bert(cls, start: int, end: int) -> Self:
        """`[CLS] A [SEP] B [SEP]`."""
        return cls((start,), (end,), (end,))

    @classmethod
    def in_settings(cls, described: Mapping[str, Any]) -> Self:
        """What a `tokenizer.json` puts around a pair, or `WeightsError`."""
        try:
            return cls._in_processor(described.get("post_processor") or {})
        except (AttributeError, IndexError, KeyError, TypeError) as broken:
            raise WeightsError(f"`post_processor` of `tokenizer.json` cannot be read: {broken!r}") from broken

    @classmethod
    def _in_processor(cls, processor: Mapping[str, Any]) -> Self:
        steps = processor.get("processors", ()) if processor.get("type") == "Sequence" else (processor,)
        for step in steps:
            kind = step.get("type")
            if kind == "BertProcessing":
                return cls.of_bert(step["cls"][1], step["sep"][1])
            if kind == "RobertaProcessing":
                start, end = step["cls"][1], step["sep"][1]
                return cls((start,), (end, end), (end,), (0, 0, 0, 0, 0))
            if kind == "TemplateProcessing":
                return cls._in_template(step["pair"], step["special_tokens"])
        raise WeightsError("`tokenizer.json` does not say how two texts are put together; wanted a template")

    @classmethod
    def _in_template(cls, pair: Sequence[Mapping[str, Any]], special: Mapping[str, Any]) -> Self:
        parts: list[list[int]] = [[], [], []]
        types = [0, 0, 0, 0, 0]
        texts = 0
        for piece in pair:
            if "Sequence" in piece:
                texts += 1
                if piece["Sequence"]["id"] != "?AB"[texts]:
                    raise WeightsError("`tokenizer.json` does not put the first text of a pair first")
                types[2 * texts - 1] = piece["Sequence"]["type_id"]
            else:
                token = piece["SpecialToken"]
                parts[texts] += special[token["id"]]["ids"]
                types[2 * texts] = token["type_id"]
        before, between, after = (tuple(part) for part in parts)
        if texts != 2 or not between:
            raise WeightsError("`tokenizer.json` puts nothing between the two texts of a pair")
        return cls(before, between, after, tuple(types))

    @property
    def size(self) -> int:
        """How many tokens stand around the texts."""
        return len(self.before) + len(self.between) + len(self.after)

    def row(self, first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
        """The ids of a pair, and their types."""
        parts = (self.before, first, self.between, second, self.after)
        ids = [number for part in parts for number in part]
        return ids, [kind for part, kind in zip(parts, self.types, strict=True) for _ in part]


@dataclass(frozen=True, slots=True)
class TokenPair:
    """What the model reads of a pair, and where the claim's tokens stand."""

    ids: list[int]
    types: list[int]
    claim_at: int
    """Where the first of the claim's tokens stands."""
    claim_spans: Spans
    continued: tuple[bool, ...]
    """For each of the claim's tokens, whether it continues the word of the one before."""
    unread_chars: int


class PairReader:
    """Pairs of texts to rows of tokens, within the limits of a model."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        claim_tokens: int,
        pair_tokens: int,
        *,
        template: PairTemplate,
        order: Order = "claim_first",
    ) -> None:
        if pair_tokens <= claim_tokens + template.size:
            raise EncoderError(
                f"{pair_tokens} tokens a pair leave none for the evidence alongside "
                f"{claim_tokens} for the claim and {template.size} around them"
            )
        self._tokenizer = tokenizer
        self._claim_tokens, self._pair_tokens = claim_tokens, pair_tokens
        self._template, self._order = template, order
        pieces = tokenizer.vocabulary.items() if isinstance(tokenizer, WordPiece) else ()
        self._inner = frozenset(number for piece, number in pieces if piece.startswith("##"))

    def read(self, claim: str, evidence: str) -> TokenPair:
        """The row of a pair; a text in which there is nothing to read is refused."""
        claim_tokens, claim_rest = self._cut(claim, self._claim_tokens, "claim")
        evidence_limit = self._pair_tokens - self._template.size - len(claim_tokens.ids)
        evidence_tokens, evidence_rest = self._cut(evidence, evidence_limit, "evidence")
        claim_at = len(self._template.before)
        if self._order == "claim_first":
            ids, types = self._template.row(claim_tokens.ids, evidence_tokens.ids)
        else:
            ids, types = self._template.row(evidence_tokens.ids, claim_tokens.ids)
            claim_at += len(evidence_tokens.ids) + len(self._template.between)
        return TokenPair(
            ids,
            types,
            claim_at,
            tuple(claim_tokens.spans),
            self._continued(claim, claim_tokens),
            claim_rest + evidence_rest,
        )

    def _cut(self, text: str, limit: int, what: str) -> tuple[Tokens, int]:
        """The first tokens of a text, and how many of its characters were not read."""
        tokens = self._tokenizer.encode(text)
        if tokens.words:
            tokens = _trimmed(text, tokens)
        if not any(end > start for start, end in tokens.spans):
            raise EncoderError(f"the {what} of a pair is empty")
        if len(tokens.ids) <= limit:
            return tokens, unread(tokens, self._tokenizer.unknown)
        end = tokens.spans[limit - 1][1]
        dropped = tuple(index for index in tokens.dropped if index < end)
        first_tokens = Tokens(tokens.ids[:limit], tokens.spans[:limit], dropped, tokens.words[:limit])
        return first_tokens, unread(first_tokens, self._tokenizer.unknown) + len(text) - end

    def _continued(self, text: str, tokens: Tokens) -> tuple[bool, ...]:
        if not tokens.words:
            return tuple(token in self._inner for token in tokens.ids)
        steps = zip(pairwise(tokens.spans), pairwise(tokens.words), strict=True)
        return (
            False,
            *(
                start < end or (start == end and word == next_word and text[end - 1 : end + 1].isalnum())
                for ((_, end), (start, _)), (word, next_word) in steps  # pieces of one character overlap
            ),
        )


def _trimmed(text: str, tokens: Tokens) -> Tokens:
    """Spans without the white space that some tokenizers count to a word, and what no token stands for."""
    spans: list[tuple[int, int]] = []
    dropped: list[int] = []
    covered_to = 0
    for start, end in tokens.spans:
        dropped += (index for index in range(covered_to, start) if not text[index].isspace())
        covered_to = max(covered_to, end)
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        spans.append((start, end))
    dropped += (index for index in range(covered_to, len(text)) if not text[index].isspace())
    return replace(tokens, spans=spans, dropped=tuple(dropped))


def by_word(
    spans: Spans, continued: Sequence[bool], scores: Sequence[float]
) -> tuple[Spans, tuple[float, ...]]:
    """The tokens' spans and scores word by word: a word has the highest score of its tokens.

    A token that stands for no character, such as one for the space before a word, has no say.
    """
    words: list[tuple[int, int]] = []
    highest: list[float] = []
    for (start, end), inside, score in zip(spans, continued, scores, strict=True):
        if start == end:
            continue
        if inside and words:
            words[-1] = (words[-1][0], max(words[-1][1], end))
            highest[-1] = max(highest[-1], score)
        else:
            words.append((start, end))
            highest.append(score)
    return tuple(words), tuple(highest)
