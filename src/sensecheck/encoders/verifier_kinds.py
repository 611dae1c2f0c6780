"""What a verifier's outputs mean: read from its graph and its `config.json`, or refused."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import WeightsError
from sensecheck.encoders.model_folder import settings_in
from sensecheck.encoders.token_pairs import Order

Kind = Literal["entailment", "yes or no", "token labels"]
"""A text classifier with three labels or two; with one; of tokens."""
Meaning = Literal["supported", "contradicted", "not stated", "unsupported"]
Numbers = npt.NDArray[np.float64]

_WORDS: Mapping[Meaning, str] = {
    "supported": "supported supports support entailment entails entailed yes true consistent faithful "
    "grounded factual attributable",
    "contradicted": "contradicted contradicts contradiction contradictory refuted refutes",
    "not stated": "not_stated neutral unknown not_enough_info nei",
    "unsupported": "unsupported not_supported not_entailment non_entailment not_entailed no false "
    "inconsistent not_consistent unfaithful not_faithful hallucinated hallucination not_grounded "
    "not_factual not_attributable",
}
_MEANINGS: Mapping[str, Meaning] = {
    word: meaning for meaning, words in _WORDS.items() for word in words.split()
}
_OURS = frozenset({"supported", "contradicted", "not_stated"})
"""The labels of our own readers, which read the claim first."""
_NO_NAMES = re.compile(r"label_\d+")
"""What a configuration says where no one named the labels."""
_ORDERS: Mapping[str, Order] = {"claim_first": "claim_first", "evidence_first": "evidence_first"}
_UNLIMITED = 1_000_000
"""What some tokenizers write where there is no limit is beyond this."""
_POSITIONS_AFTER_PADDING = ("roberta", "xlm-roberta", "camembert", "mpnet")
"""Models that count positions from the padding's number on, so that they read that many tokens less."""


@dataclass(frozen=True, slots=True)
class VerifierKind:
    """How a model wants a pair to be read, and what its outputs mean."""

    kind: Kind
    labels: tuple[str, ...]
    """As `config.json` names them, in the order of the outputs."""
    meanings: tuple[Meaning, ...]
    order: Order
    claim_tokens: int
    pair_tokens: int
    padding: int = 0

    @classmethod
    def in_folder(cls, folder: Path, outputs: Mapping[str, Sequence[Any]]) -> "VerifierKind":
        """What a folder's configuration says of these outputs, each with its shape; or `WeightsError`."""
        path = folder / "config.json"
        config = settings_in(path)
        own_settings = config.get("sensecheck", {})
        if not isinstance(own_settings, dict):
            raise WeightsError(f"`sensecheck` in `{path}` must be an object; got {own_settings!r}")
        shape = outputs["logits"]
        if len(shape) not in (2, 3):
            raise WeightsError(f"`logits` of `{folder}` have the shape {shape}; wanted two or three axes")
        labels = _labels(config, shape[-1], path)
        of_tokens = len(shape) == 3
        pair_tokens = _pair_tokens(folder, config, own_settings)
        return cls(
            "token labels" if of_tokens else "yes or no" if len(labels) == 1 else "entailment",
            labels,
            _meanings(labels, path, of_tokens=of_tokens),
            _order(own_settings, labels, path),
            _own_limit(own_settings, config, "claim_tokens", path) or pair_tokens // 2,
            pair_tokens,
            config["pad_token_id"] if isinstance(config.get("pad_token_id"), int) else 0,
        )

    @property
    def decisive(self) -> str:
        """What of it decides a score next to the weights and the limits."""
        return f"{self.kind}:{','.join(self.meanings)}:{self.order}"

    def __str__(self) -> str:
        label_texts = [
            label if label.lower().replace("_", " ") == meaning else f"{label} = {meaning}"
            for label, meaning in zip(self.labels, self.meanings, strict=True)
        ]
        first = self.order.replace("_", " ")
        return "; ".join(
            [
                f"{self.kind}: {', '.join(label_texts)}" if label_texts else self.kind,
                first,
                f"reads {self.pair_tokens:,} tokens, of the claim at most {self.claim_tokens:,}",
            ]
        )

    def odds(self, logits: Numbers) -> Numbers:
        """The log odds that something is not supported; the last axis is that of the labels."""
        if self.kind == "yes or no":
            return -logits[..., 0] if self.meanings == ("supported",) else logits[..., 0]
        supported = np.array([meaning == "supported" for meaning in self.meanings])
        return _log_sum(logits[..., ~supported]) - _log_sum(logits[..., supported])

    def contradicted(self, logits: Numbers) -> Numbers | None:
        """The probability that the evidence says otherwise, where the labels tell that from silence."""
        if "contradicted" not in self.meanings or "not stated" not in self.meanings:
            return None
        share: Numbers = np.exp(logits[..., self.meanings.index("contradicted")] - _log_sum(logits))
        return share


def _log_sum(logits: Numbers) -> Numbers:
    total: Numbers = np.logaddexp.reduce(logits, axis=-1)
    return total


def _labels(config: Mapping[str, Any], outputs: object, path: Path) -> tuple[str, ...]:
    names = config.get("id2label")
    if names is None and isinstance(outputs, int):
        return tuple(f"LABEL_{index}" for index in range(outputs))
    numbers = {str(index) for index in range(len(names))} if isinstance(names, dict) else set()
    if not isinstance(names, dict) or not names or set(names) != numbers:
        raise WeightsError(f"`id2label` in `{path}` must name each label by its number; got {names!r}")
    labels = tuple(str(names[str(index)]) for index in range(len(names)))
    if isinstance(outputs, int) and outputs != len(labels):
        raise WeightsError(f"`id2label` in `{path}` names {len(labels)} labels; the graph gives {outputs}")
    return labels


def _meanings(labels: Sequence[str], path: Path, *, of_tokens: bool) -> tuple[Meaning, ...]:
    names = [re.sub(r"[\s-]+", "_", label.strip().lower()) for label in labels]
    unnamed = all(_NO_NAMES.fullmatch(name) for name in names)
    if unnamed and len(names) == 1:
        return ("supported",)
    if unnamed and of_tokens and len(names) == 2:
        return ("supported", "unsupported")
    meanings = tuple(_MEANINGS[name] for name in names if name in _MEANINGS)
    if len({*meanings}) == len(names) and (len(names) == 1 or "supported" in meanings):
        return meanings
    raise WeightsError(
        f"`{path}` names the labels {list(labels)}, which do not say what supports a claim; "
        "copy the model into a folder, write into `id2label` which output is `entailment`, `neutral`, "
        "`contradiction`, or `supported` and `unsupported`, and name it `onnx:FOLDER`"
    )


def _order(own_settings: Mapping[str, Any], labels: Sequence[str], path: Path) -> Order:
    order = own_settings.get("order")
    if order is None:
        return "claim_first" if {label.lower() for label in labels} == _OURS else "evidence_first"
    if order not in _ORDERS:
        raise WeightsError(
            f"`order` of `sensecheck` in `{path}` must be `claim_first` or `evidence_first`; got {order!r}"
        )
    return _ORDERS[order]


def _pair_tokens(folder: Path, config: Mapping[str, Any], own_settings: Mapping[str, Any]) -> int:
    """The least of what the configurations of a model and its tokenizer name."""
    path = folder / "config.json"
    own_limit = _own_limit(own_settings, config, "pair_tokens", path)
    if own_limit is not None:
        return own_limit
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _POSITIONS_AFTER_PADDING:
        padding = config.get("pad_token_id")
        positions -= (padding if isinstance(padding, int) else 1) + 1
    limits = [positions, settings_in(folder / "tokenizer_config.json").get("model_max_length")]
    valid_limits = [limit for limit in limits if isinstance(limit, int) and 0 < limit < _UNLIMITED]
    if not valid_limits:
        raise WeightsError(f"`{path}` does not say how many tokens it reads; wanted `pair_tokens`")
    return min(valid_limits)


def _own_limit(
    own_settings: Mapping[str, Any], config: Mapping[str, Any], name: str, path: Path
) -> int | None:
    source = own_settings if name in own_settings else config
    if name not in source:
        return None
    limit = source[name]
    if not isinstance(limit, int) or limit < 1:
        raise WeightsError(f"`{path}` does not say how many `{name}` the verifier reads; wanted a number")
    return limit
