"""Closeness of texts to a query, measured here: for retrievers that give none, or not a cosine."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from sensecheck.checks.staircase import Staircase
from sensecheck.core.encoder import Answerers, Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.encoders.remembered import remembering
from sensecheck.retrieval.match import Match, Retrieved


def matched(query: str, texts: Sequence[str], encoder: Encoder) -> tuple[Match, ...]:
    """Each text as a match, in the order given; a text that cannot be read raises `Unreadable`."""
    return next(matched_each([(query, texts)], encoder)).matches


def matched_each(
    queries: Iterable[tuple[str, Sequence[str]]],
    encoder: Encoder,
    *,
    at_once: int = 256,
    remember: int = 8192,
) -> Iterator[Retrieved]:
    """`matched` for each (query, texts), in order; each distinct text is encoded once among `at_once`."""
    if at_once < 1 or remember < 0:
        raise SpecError(f"`at_once` wants at least 1, `remember` at least 0; found {at_once}, {remember}")
    answerers = Answerers(remembering(encoder, remember))
    stream = iter(queries)
    while some := list(islice(stream, at_once)):
        wanted = dict.fromkeys(text for query, texts in some for text in (query, *texts))
        space = Staircase(answerers).answer(Needs(texts=tuple(wanted)))
        for query, texts in some:
            yield Retrieved(query, _matches(query, texts, space))


def _matches(query: str, texts: Sequence[str], space: Space) -> tuple[Match, ...]:
    if not texts:
        return ()
    near = space.closenesses(query, texts)
    return tuple(
        Match(text, closeness, encoder=space.encoder, vector=space.vector(text))
        for text, closeness in zip(texts, near.tolist(), strict=True)
    )
