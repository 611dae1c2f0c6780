"""The verifier on ONNX Runtime: how unsupported each word of a claim is, given its evidence."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np

from sensecheck.core.encoder import PairScore, Vectors
from sensecheck.core.errors import EncoderError, WeightsError
from sensecheck.encoders.batches import by_length
from sensecheck.encoders.digests import graph_hash, sha256
from sensecheck.encoders.folder import first_of, settings_in, tokenizer_of
from sensecheck.encoders.onnx import onnx_session
from sensecheck.encoders.runtime import FAILURES, InferenceSession
from sensecheck.encoders.token_pairs import PairReader, TokenPair, by_word
from sensecheck.encoders.transformer import Ids
from sensecheck.encoders.wordpiece import WordPiece

_GIVEN = {"input_ids", "attention_mask", "token_type_ids"}
_OUTPUTS = ["tokens", "pair"]


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
    """At most so many tokens of a claim and its evidence are read, with the three around them."""
    engine: str = "onnx-fp32"
    version: int = 1
    """Of the code that makes scores from the graph's output."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        digest = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]
        return f"verifier:{self.engine}:{digest}"


class OnnxVerifier:
    """A pair scorer whose scores are logits of `unsupported`: higher is worse, 0 is even odds."""

    def __init__(self, recipe: VerifierRecipe, tokenizer: WordPiece, session: InferenceSession) -> None:
        self._recipe = recipe
        self._reader = PairReader(tokenizer, recipe.claim_tokens, recipe.pair_tokens)
        self._session = session

    @classmethod
    def from_folder(cls, path: Path, *, threads: int = 1) -> Self:
        """The verifier in a model folder, or `WeightsError` with what is missing."""
        graph, file = first_of(path, "onnx/model.onnx", "model.onnx"), first_of(path, "tokenizer.json")
        config = path / "config.json"
        recipe = VerifierRecipe(
            graph_hash(graph), sha256(file), _limit(config, "claim_tokens"), _limit(config, "pair_tokens")
        )
        tokenizer = tokenizer_of(file)
        if not isinstance(tokenizer, WordPiece):
            raise WeightsError(f"`{file}` does not read as BERT does; a verifier wants that it does")
        return cls(recipe, tokenizer, _session(graph, threads))

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self._recipe.fingerprint

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """One score a pair, in order."""
        read = [self._reader.read(claim, evidence) for claim, evidence in pairs]
        found: dict[int, PairScore] = {}
        for batch in by_length([len(pair.ids) for pair in read]):
            tokens, whole = self._run(*_laid_out([read[i] for i in batch]))
            for row, i in enumerate(batch):
                found[i] = _score(read[i], tokens[row], float(whole[row]))
        return [found[i] for i in range(len(read))]

    def _run(self, ids: Ids, mask: Ids, types: Ids) -> tuple[Vectors, Vectors]:
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        try:
            tokens, whole = self._session.run(_OUTPUTS, given)
        except (*FAILURES, ValueError) as failed:
            raise EncoderError(f"ONNX Runtime could not run `{self.fingerprint}`: {failed}") from failed
        if tokens.shape != ids.shape or not np.isfinite(whole).all():
            raise EncoderError(f"`{self.fingerprint}` gave no finite score for each pair")
        return tokens, whole


def _score(pair: TokenPair, logits: Vectors, whole: float) -> PairScore:
    claim = logits[1 : 1 + len(pair.claim_spans)]
    spans, scores = by_word(pair.claim_spans, pair.continued, claim.tolist())
    return PairScore(whole, spans, scores, pair.unread_chars)


def _laid_out(pairs: Sequence[TokenPair]) -> tuple[Ids, Ids, Ids]:
    """Ids, mask and types, each [batch, length]; padding has the evidence's type, as in training."""
    longest = max(len(pair.ids) for pair in pairs)
    ids = np.zeros((len(pairs), longest), np.int64)
    mask, types = np.zeros_like(ids), np.ones_like(ids)
    for row, pair in enumerate(pairs):
        ids[row, : len(pair.ids)] = pair.ids
        mask[row, : len(pair.ids)] = 1
        types[row, : len(pair.claim_spans) + 2] = 0
    return ids, mask, types


def _session(graph: Path, threads: int) -> InferenceSession:
    session = onnx_session(graph, threads=threads)
    given = {entry.name for entry in session.get_inputs()}
    outputs = {entry.name for entry in session.get_outputs()}
    if given != _GIVEN or not outputs.issuperset(_OUTPUTS):
        raise WeightsError(
            f"`{graph}` is no verifier: it turns {sorted(given)} into {sorted(outputs)}; "
            f"wanted {sorted(_GIVEN)} into {_OUTPUTS}"
        )
    return session


def _limit(config: Path, name: str) -> int:
    found = settings_in(config).get(name)
    if not isinstance(found, int) or found < 1:
        raise WeightsError(f"`{config}` does not say how many `{name}` the verifier reads; wanted a number")
    return found
