"""Verifiers on ONNX Runtime: a claim and its evidence, read together by a model of one of several kinds."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.encoders.model_folder import first_of, graph_hash, settings_in, sha256, tokenizer_of
from sensecheck.encoders.onnx import onnx_session
from sensecheck.encoders.runtime import FAILURES, InferenceSession
from sensecheck.encoders.token_pairs import PairReader, PairTemplate, TokenPair, by_word
from sensecheck.encoders.transformer import Ids, by_length
from sensecheck.encoders.verifier_kinds import Numbers, VerifierKind

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OUTPUTS = ("logits", "tokens")


@dataclass(frozen=True, slots=True)
class VerifierRecipe:
    """All that decides a pair's score; its hash is the fingerprint."""

    weights: str
    """The SHA-256 of the graph."""
    tokenizer: str
    """The SHA-256 of the tokenizer's file."""
    claim_tokens: int
    """At most so many tokens of a claim are read."""
    pair_tokens: int
    """At most so many tokens of a claim and its evidence are read, with those around them."""
    kind: str
    """What the outputs mean, and which text comes first."""
    engine: str = "onnx-fp32"
    version: int = 1
    """Of the code that makes scores from the graph's output."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        digest = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]
        return f"verifier:{self.engine}:{digest}"


class OnnxVerifier:
    """A pair scorer whose scores are logits of `unsupported`: higher is worse, 0 is even odds.

    A classifier of tokens has no score for the whole claim: its worst word's stands for it.
    """

    def __init__(
        self, recipe: VerifierRecipe, reader: PairReader, *, kind: VerifierKind, session: InferenceSession
    ) -> None:
        self._recipe, self._reader, self._kind, self._session = recipe, reader, kind, session
        self._inputs = {entry.name for entry in session.get_inputs()}
        output_names = {entry.name for entry in session.get_outputs()}
        self._outputs = [name for name in _OUTPUTS if name in output_names]

    @classmethod
    def from_folder(cls, path: Path, *, threads: int = 1) -> Self:
        """The verifier in a model folder, or `WeightsError` with what is missing."""
        graph, file = first_of(path, "onnx/model.onnx", "model.onnx"), first_of(path, "tokenizer.json")
        tokenizer = tokenizer_of(file, plain=True)
        session = _session(graph, threads)
        kind = VerifierKind.in_folder(path, {entry.name: entry.shape for entry in session.get_outputs()})
        reader = PairReader(
            tokenizer,
            kind.claim_tokens,
            kind.pair_tokens,
            template=PairTemplate.in_settings(settings_in(file)),
            order=kind.order,
        )
        recipe = VerifierRecipe(
            graph_hash(graph), sha256(file), kind.claim_tokens, kind.pair_tokens, kind.decisive
        )
        return cls(recipe, reader, kind=kind, session=session)

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self._recipe.fingerprint

    @property
    def about(self) -> str:
        """Its kind, labels, order and limits, for people."""
        return str(self._kind)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """One score per pair, in order."""
        token_pairs = [self._reader.read(claim, evidence) for claim, evidence in pairs]
        scores: dict[int, PairScore] = {}
        for batch in by_length([len(pair.ids) for pair in token_pairs]):
            outputs = self._run(*self._padded_batch([token_pairs[i] for i in batch]))
            for row, i in enumerate(batch):
                scores[i] = self._score(
                    token_pairs[i], {name: values[row] for name, values in outputs.items()}
                )
        return [scores[i] for i in range(len(token_pairs))]

    def _run(self, ids: Ids, mask: Ids, types: Ids) -> Mapping[str, Numbers]:
        inputs = dict(zip(_INPUTS, (ids, mask, types), strict=True))
        try:
            raw_outputs = self._session.run(self._outputs, {name: inputs[name] for name in self._inputs})
        except (*FAILURES, ValueError) as failed:
            raise EncoderError(f"ONNX Runtime could not run `{self.fingerprint}`: {failed}") from failed
        outputs = {
            name: np.asarray(values, np.float64)
            for name, values in zip(self._outputs, raw_outputs, strict=True)
        }
        for name, values in outputs.items():
            if not self._is_whole(name, values, mask):
                raise EncoderError(f"`{self.fingerprint}` gave no finite score for each pair")
        return outputs

    def _is_whole(self, name: str, values: Numbers, mask: Ids) -> bool:
        """Whether there is a finite number for each pair, or each token; those for padding do not count."""
        of_tokens = name == "tokens" or (name == "logits" and self._kind.kind == "token labels")
        rows = mask.shape if of_tokens else mask.shape[:1]
        expected_shape = (*rows, len(self._kind.labels)) if name == "logits" else rows
        return values.shape == expected_shape and bool(
            np.isfinite(values[mask == 1] if of_tokens else values).all()
        )

    def _score(self, pair: TokenPair, outputs: Mapping[str, Numbers]) -> PairScore:
        """What one row's outputs come to."""
        of_claim = slice(pair.claim_at, pair.claim_at + len(pair.claim_spans))
        if self._kind.kind == "token labels":
            odds = self._kind.odds(outputs["logits"][of_claim])
            spans, scores = by_word(pair.claim_spans, pair.continued, odds.tolist())
            return PairScore(max(scores), spans, scores, pair.unread_chars)
        spans, scores = (), ()
        if "tokens" in outputs:
            spans, scores = by_word(pair.claim_spans, pair.continued, outputs["tokens"][of_claim].tolist())
        contradicted = self._kind.contradicted(outputs["logits"])
        return PairScore(
            float(self._kind.odds(outputs["logits"])),
            spans,
            scores,
            pair.unread_chars,
            None if contradicted is None else float(contradicted),
        )

    def _padded_batch(self, pairs: Sequence[TokenPair]) -> tuple[Ids, Ids, Ids]:
        """Ids, mask and types, each [batch, length]; padding has the last token's type, as in training."""
        longest = max(len(pair.ids) for pair in pairs)
        ids = np.full((len(pairs), longest), self._kind.padding, np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, pair in enumerate(pairs):
            ids[row, : len(pair.ids)] = pair.ids
            mask[row, : len(pair.ids)] = 1
            types[row] = pair.types[-1]
            types[row, : len(pair.types)] = pair.types
        return ids, mask, types


def _session(graph: Path, threads: int) -> InferenceSession:
    session = onnx_session(graph, threads=threads)
    inputs = {entry.name for entry in session.get_inputs()}
    outputs = {entry.name for entry in session.get_outputs()}
    inputs_match = {"input_ids", "attention_mask"} <= inputs <= set(_INPUTS)
    if not inputs_match or "logits" not in outputs:
        raise WeightsError(
            f"`{graph}` is no verifier: it turns {sorted(inputs)} into {sorted(outputs)}; "
            f"wanted {list(_INPUTS)}, the last if need be, into `logits`"
        )
    return session
