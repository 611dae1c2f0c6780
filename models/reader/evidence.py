"""The evidence that a pair is read with: gathered as at run time, or padded with sentences that say nothing.

`python models/reader/evidence.py` writes the vectors that everyday passages are gathered by.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.heads.public import data_folder
from models.reader import written
from models.reader.pairs import Pair, answer_pairs, everyday_answers, everyday_claims, family
from models.reader.source import CACHE
from models.verifier.evidence import length, stems

from sensecheck.config import Settings, encoder
from sensecheck.measures.claims.evidence import gather, rarity
from sensecheck.text.sentences import sentences

FOLDER = CACHE / "vectors"
LEAST, TRAINED, MOST = 50, 140, 130
"""So many words are gathered: in training evenly drawn between the first two; the last where it is measured.

What is measured is what runs: `EVIDENCE_WORDS` of `sensecheck.measures.pairs`. Runs before `mpnet-11`
learned from 30 to 90 words; a reader that never saw longer evidence reads 200 words worse than 130.
"""
SHORT = 40
"""Evidence of fewer words may get others beside it."""
PADDED = 0.35
"""How often it does."""
UNPADDED = frozenset(
    {"everyday_means", "written_means", "written_near", "snli_devtest", "cad_nli", "e2e_pairs", "argkp"}
)
"""Sets whose claims speak of `the man` or `it`, which could be somebody in a sentence beside the evidence."""
Matrix = npt.NDArray[np.float32]


class Vectors:
    """Sentences and claims by meaning, made once by the packaged encoder."""

    def __init__(self, places: dict[str, int], rows: npt.NDArray[np.float16]) -> None:
        self.places = places
        self.rows = rows

    @classmethod
    def load(cls, folder: Path = FOLDER) -> "Vectors":
        """Those that were saved; none where nothing was."""
        if not (folder / "texts.json").is_file():
            return cls({}, np.zeros((0, 1), np.float16))
        texts = json.loads((folder / "texts.json").read_text("utf-8"))
        return cls({text: at for at, text in enumerate(texts)}, np.load(folder / "rows.npy"))

    def near(self, claim: str, pieces: Sequence[str]) -> Matrix | None:
        """How near each sentence lies to the claim; None when one of them has no vector."""
        if claim not in self.places or any(piece not in self.places for piece in pieces):
            return None
        rows = self.rows[[self.places[piece] for piece in pieces]].astype(np.float32)
        found: Matrix = rows @ self.rows[self.places[claim]].astype(np.float32)
        return found


@lru_cache(maxsize=20_000)
def split(text: str) -> tuple[str, ...]:
    """The sentences of a passage, on one line each."""
    return tuple(" ".join(text[start:end].split()) for start, end in sentences(text))


def read_with(pair: Pair, vectors: Vectors, rng: Random | None = None, *, others: Sequence[Pair] = ()) -> str:
    """The evidence as the reader sees it; without `rng` as much as at run time, and nothing beside it.

    Words in common lead to it, and meaning where the pair asks for that. `others` are pairs of the same set,
    of which a sentence or two may stand around evidence that is short.
    """
    total = length(pair.evidence)
    if total <= SHORT:
        if rng is None or not others or pair.source in UNPADDED or rng.random() >= PADDED:
            return " ".join(pair.evidence.split())
        return _padded(pair, rng, others)
    room = MOST if rng is None else rng.randint(LEAST, TRAINED)
    if total <= room:
        return " ".join(pair.evidence.split())
    pieces = split(pair.evidence)
    held = [stems(piece) for piece in pieces]
    chosen = gather(
        stems(pair.claim),
        held,
        vectors.near(pair.claim, pieces) if pair.near else None,
        lengths=[length(piece) for piece in pieces],
        rare=rarity(held),
        words=room,
    )
    return " ".join(pieces[index] for index in sorted(chosen))


def _padded(pair: Pair, rng: Random, others: Sequence[Pair]) -> str:
    """One or two sentences of other pairs before or behind the evidence."""
    around = [rng.choice(others) for _ in range(rng.randint(1, 2))]
    told = [rng.choice(split(other.evidence) or ("",)) for other in around if other.group != pair.group]
    told.insert(rng.randint(0, len(told)), " ".join(pair.evidence.split()))
    return " ".join(told)


def embed(texts: Iterable[str], folder: Path = FOLDER) -> int:
    """Add the vectors of all these texts to those that are there; return how many there are now."""
    had = Vectors.load(folder)
    distinct = sorted(set(texts) - had.places.keys(), key=lambda text: (len(text), text))
    if distinct:
        made = np.stack([place.vector for place in encoder(Settings()).encode(distinct)]).astype(np.float16)
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "rows.npy", np.concatenate([had.rows, made]) if had.places else made)
        (folder / "texts.json").write_text(json.dumps([*had.places, *distinct]), "utf-8")
    return len(had.places) + len(distinct)


def main() -> None:
    """Embed the claims and passages that are gathered by meaning, the development half with them."""
    data = data_folder()
    pairs = [
        *everyday_claims(data),
        *everyday_answers(data),
        *everyday_answers(data, "everyday/grounding.jsonl.gz"),
        *answer_pairs(written.answers(), "written_answers"),
        *answer_pairs(written.answers(written.LONGER), "written_longer"),
        *family(data, "joined"),
    ]
    told = embed(text for pair in pairs for text in (pair.claim, *split(pair.evidence)))
    print(f"{told:,} vectors in {FOLDER}")


if __name__ == "__main__":
    main()
