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

References = Sequence[str | Match]
"""What a retriever gave: bare texts, or matches that have their closeness already."""


def matched(query: str, references: References, encoder: Encoder) -> tuple[Match, ...]:
    """Each reference as a match, in the order given; a text that cannot be read raises `Unreadable`."""
    return next(matched_each([(query, references)], encoder)).matches


def matched_each(
    queries: Iterable[tuple[str, References]],
    encoder: Encoder | None,
    *,
    at_once: int = 256,
    remember: int = 8192,
) -> Iterator[Retrieved]:
    """`matched` for each (query, references), in order; each distinct text is encoded once.

    Queries are taken `at_once` at a time, and the `remember` texts used last stay placed. No encoder is
    wanted where every reference is a match already.
    """
    if at_once < 1 or remember < 0:
        raise SpecError(f"`at_once` wants at least 1, `remember` at least 0; found {at_once}, {remember}")
    answerers = Answerers(None if encoder is None else remembering(encoder, remember))
    stream = iter(queries)
    while some := list(islice(stream, at_once)):
        wanted = (text for query, references in some for text in _to_place(query, references))
        space = Staircase(answerers, strict=True).answer(Needs(texts=tuple(dict.fromkeys(wanted))))
        for query, references in some:
            yield Retrieved(query, _matches(query, references, space))


def _to_place(query: str, references: References) -> list[str]:
    texts = [reference for reference in references if isinstance(reference, str)]
    return [query, *texts] if texts else []


def _matches(query: str, references: References, space: Space) -> tuple[Match, ...]:
    texts = [reference for reference in references if isinstance(reference, str)]
    near = iter(space.closenesses(query, texts).tolist() if texts else ())
    return tuple(
        reference
        if isinstance(reference, Match)
        else Match(reference, next(near), encoder=space.encoder, vector=space.vector(reference))
        for reference in references
    )
