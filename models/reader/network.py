"""The reader: a pair of texts in, supported / contradicted / not stated out, and a score for every word.

The layout is `question claim` and `question evidence`, as the two texts of a pair of the encoder.
The mean of all tokens and the first one go into one small layer with three outputs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from models.reader.mix import Drawn
from models.reader.pairs import CONTRADICTED, LABELS, NOT_STATED, SUPPORTED, Allowed
from models.reader.shipped import PAIR_TOKENS
from models.reader.source import CACHE, base
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from transformers import AutoModel

WHOLE = PAIR_TOKENS
"""The most tokens of a pair; the evidence is cut."""
CLAIM = 600
"""The most characters of question and claim."""
UNKNOWN = -1.0
"""The label of a token of which nothing is known."""
TOKENS = 0.2
"""How much the loss of the tokens counts beside that of the pairs."""
GUIDED = 1.0
"""How much the distance to a teacher's vectors counts beside the loss of the pairs."""
GUIDE = "guide."
"""What the names of the layer begin with that leads to a teacher's vectors; no reader is shipped with it."""


class Judged(NamedTuple):
    """What the reader says of a batch, as logits."""

    labels: Tensor
    """Three a pair, in the order of `LABELS`."""
    tokens: Tensor
    """One a token: whether it is part of what the evidence does not support."""
    state: Tensor
    """The vector a pair that `labels` are read off."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some pairs of about the same length."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    allowed: Tensor
    """True for every label that a pair may have."""
    tokens: Tensor
    """0 supported, 1 not, `UNKNOWN` for tokens that are not to be learned from."""
    wanted: Tensor | None = None
    """The probabilities of the labels that a teacher gave; None where only `allowed` is known."""
    states: Tensor | None = None
    """The vectors by which a teacher decided; None where nobody said."""


class LowRank(nn.Linear):
    """A layer that stays as it is, and the few directions that are learned beside it."""

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__(layer.in_features, layer.out_features, bias=layer.bias is not None, device="meta")
        self.weight, self.bias = layer.weight, layer.bias
        self.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) / layer.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        """What the layer gives, and what was learned beside it."""
        return super().forward(states) + states @ self.down.T @ self.up.T


class Reader(nn.Module):
    """An encoder whose upper layers learn, and its outputs."""

    def __init__(self, folder: Path, *, frozen: int = 0, rank: int = 0, guided: int = 0) -> None:
        """Start from the weights in a folder; the embeddings and the `frozen` lowest layers stay as they are.

        With `guided`, its vectors are led to those of a teacher, which are as long as that.
        With `rank`, the matrices of the other layers learn so many directions each, and nothing else there
        learns.

        Without the embeddings a step takes half the time in the small encoder: they are half of its weights.
        No dropout: its random numbers cost a third of the time on a CPU, and few passes do not overfit.
        """
        super().__init__()
        self.encoder: Any = AutoModel.from_pretrained(
            folder, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, add_pooling_layer=False
        )
        self._typed = self.encoder.config.model_type == "bert"
        width = self.encoder.config.hidden_size
        self.label = nn.Linear(2 * width, len(LABELS))
        self.token = nn.Linear(width, 1)
        self.guide = nn.Linear(2 * width, guided) if guided else None
        for name in self.frozen_names(frozen):
            self.get_parameter(name).requires_grad_(False)
        if rank:
            for layer in self.encoder.encoder.layer[frozen:]:
                _narrowed(layer, rank)

    def frozen_names(self, frozen: int) -> set[str]:
        """The names of the weights of the embeddings and of so many lowest layers."""
        modules = [("embeddings", self.encoder.embeddings)]
        modules += [(f"encoder.layer.{at}", self.encoder.encoder.layer[at]) for at in range(frozen)]
        return {f"encoder.{name}.{inner}" for name, one in modules for inner, _ in one.named_parameters()}

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Judged:
        """Judge a batch of pairs."""
        typed = {"token_type_ids": types} if self._typed else {}
        states = self.encoder(ids, attention_mask=mask, **typed).last_hidden_state.float()
        held = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * held).sum(1) / held.sum(1)
        both = torch.cat([mean, states[:, 0]], -1)
        return Judged(self.label(both), self.token(states).squeeze(-1), both)


def _narrowed(part: nn.Module, rank: int) -> None:
    part.requires_grad_(False)
    for name, inner in list(part.named_children()):
        if isinstance(inner, nn.Linear):
            setattr(part, name, LowRank(inner, rank))
        else:
            _narrowed(inner, rank)


def reader(
    size: str, *, frozen: int = 0, rank: int = 0, guided: int = 0, seed: int = 0, cache: Path = CACHE
) -> Reader:
    """A reader that has learned nothing yet."""
    torch.manual_seed(seed)
    return Reader(base(size, cache), frozen=frozen, rank=rank, guided=guided)


def loss_of(
    judged: Judged, batch: Batch, guide: nn.Linear | None = None, *, tokens: float = TOKENS
) -> Tensor:
    """How little the reader believes in the labels that are allowed, and how wrong it is about tokens.

    Where a teacher spoke, how far the reader is from what it said, and with a `guide` from its vectors.
    """
    logs = judged.labels.log_softmax(-1)
    if batch.wanted is None:
        pair = -logs.masked_fill(~batch.allowed, -torch.inf).logsumexp(-1).mean()
    else:
        pair = -(batch.wanted * logs).sum(-1).mean()
    if guide is not None and batch.states is not None:
        pair = pair + GUIDED * nn.functional.mse_loss(guide(judged.state), batch.states)
    known = batch.tokens != UNKNOWN
    if not tokens or not known.any():
        return pair
    each = nn.functional.binary_cross_entropy_with_logits(judged.tokens[known], batch.tokens[known])
    return pair + tokens * each


def supported(judged: Judged) -> Tensor:
    """The probability of `supported` of each pair."""
    return judged.labels.softmax(-1)[:, SUPPORTED]


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of an encoder, which cuts the evidence and adds nothing."""
    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(WHOLE, strategy="only_second")
    return made


def batches(
    drawn: Sequence[Drawn], known: Tokenizer, *, size: int, rng: Random | None = None
) -> Iterator[Batch]:
    """The pairs in batches of about the same length; in random order if `rng` is given, else as they come."""
    order = list(range(len(drawn)))
    encoded = [_encoded(one, known) for one in drawn]
    if rng is not None:
        order.sort(key=lambda at: len(encoded[at].ids))
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(cut)
    for some in cut:
        yield _batch([(drawn[at], encoded[at]) for at in some])


def _encoded(one: Drawn, known: Tokenizer) -> Encoding:
    before = f"{one.pair.question} " if one.pair.question else ""
    return known.encode(f"{before}{one.pair.claim}"[:CLAIM], f"{before}{one.evidence}")


def _batch(some: Sequence[tuple[Drawn, Encoding]]) -> Batch:
    longest = max(len(item.ids) for _, item in some)

    def padded(values: Sequence[float], empty: float) -> list[float]:
        return [*values, *[empty] * (longest - len(values))]

    return Batch(
        torch.tensor([padded(item.ids, 1) for _, item in some]),
        torch.tensor([padded(item.attention_mask, 0) for _, item in some]),
        torch.tensor([padded(item.type_ids, 1) for _, item in some]),
        torch.tensor([_allows(one.pair.allowed) for one, _ in some]),
        torch.tensor([padded(_token_labels(one, item), UNKNOWN) for one, item in some]),
        _all([one.wanted for one, _ in some]),
        _all([one.state for one, _ in some]),
    )


def _all(rows: Sequence[tuple[float, ...] | None]) -> Tensor | None:
    """The rows, where a teacher gave all of them."""
    given = [row for row in rows if row is not None]
    return torch.tensor(given) if len(given) == len(rows) else None


def _allows(allowed: Allowed) -> list[bool]:
    return [label in allowed for label in (SUPPORTED, CONTRADICTED, NOT_STATED)]


def _token_labels(one: Drawn, item: Encoding) -> list[float]:
    """What is known of each token: something only of those of a claim whose wrong stretches are known."""
    if one.pair.changed is None:
        return [UNKNOWN] * len(item.ids)
    ahead = len(one.pair.question) + 1 if one.pair.question else 0
    wrong = [(start + ahead, end + ahead) for start, end in one.pair.changed]
    return [
        float(any(start < b and a < end for a, b in wrong)) if side == 0 and start >= ahead else UNKNOWN
        for (start, end), side in zip(item.offsets, item.sequence_ids, strict=True)
    ]
