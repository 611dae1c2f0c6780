"""The verifier: a claim and its evidence in, how unsupported each token of the claim is out."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from transformers import AutoModel

MASKED = -1e4


class Judged(NamedTuple):
    """Logits of `unsupported`."""

    tokens: Tensor
    """One a token; those of the evidence are masked."""
    pair: Tensor
    """One a pair: the tokens' together, and what the first token says of the whole."""


class Verifier(nn.Module):
    """A BERT encoder with a head on every token of the claim and one on the whole."""

    def __init__(self, weights: str) -> None:
        super().__init__()
        # No dropout: its random numbers cost a third of the time on a CPU, and one pass over the data does
        # not overfit. `eager`: the backward pass of fused attention is slower there.
        self.encoder = AutoModel.from_pretrained(
            weights,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            add_pooling_layer=False,
        )
        width = self.encoder.config.hidden_size
        self.token = nn.Linear(width, 1)
        self.whole = nn.Linear(width, 1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Judged:
        """Judge a batch of pairs; the claim's tokens have type 0."""
        held = self.encoder(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        states = held.last_hidden_state.float()
        claim = (token_type_ids == 0) & (attention_mask == 1)
        claim[:, 0] = False
        tokens = self.token(states).squeeze(-1).masked_fill(~claim, MASKED)
        return Judged(tokens, torch.logsumexp(tokens, 1) + self.whole(states[:, 0]).squeeze(-1))
