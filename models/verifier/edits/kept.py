"""Claims said otherwise that are still true."""

import re
from collections.abc import Callable, Iterator
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.kept_drops import said_less
from models.verifier.edits.kept_frames import combined, framed, lowered, marked_up
from models.verifier.edits.kept_moves import moved
from models.verifier.edits.kept_naming import renamed
from models.verifier.edits.kept_notation import other_notation
from models.verifier.edits.kept_words import other_word

Rewrite = Callable[[str, Article, Random], Iterator[str]]
"""Says a claim otherwise without changing what it means."""

_INSIDE: tuple[Rewrite, ...] = (other_word, other_word, other_word, other_notation, said_less, moved, renamed)
_AROUND: tuple[Rewrite, ...] = (framed, combined, lowered, marked_up)
"""Done last: what they give is no longer a plain sentence."""
_MOST = 10


def kept(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim reworded in one to three ways, each result once."""
    seen = {claim}
    for _ in range(_MOST):
        text = _reworded(claim, article, rng)
        if text not in seen and re.search(r"\w", text):
            seen.add(text)
            yield Edit("kept", text)


def _reworded(claim: str, article: Article, rng: Random) -> str:
    text = claim
    ways = [*rng.sample(_INSIDE, rng.choice((1, 2, 3, 4)))]
    if rng.random() < 0.25:
        ways.append(rng.choice(_AROUND))
    for rewrite in ways:
        text = next(rewrite(text, article, rng), text)
    return text
