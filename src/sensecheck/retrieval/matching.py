"""Closeness of texts to a query, measured here: for retrievers that give none, or not a cosine."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from sensecheck.checks.assess import Staircase, must_be_sizes
from sensecheck.core.backends import Answerers, Encoder
from sensecheck.core.errors import SampleError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.retrieved import NotSelected, Retrieved, Unread, must_be_read

References = Iterable[str | Match]
"""What a retriever gave: bare texts, or matches that have their closeness already."""
_Held = Sequence[str | Match]


def matched(query: str, references: References, encoder: Encoder) -> tuple[Match, ...]:
    """Each reference as a match, in the order given; a text that cannot be read raises `Unreadable`."""
    return must_be_read(next(matched_each([(query, references)], encoder)))


def matched_each(
    queries: Iterable[tuple[str, References]],
    encoder: Encoder | None,
    *,
    at_once: int = 256,
    remember: int = 8192,
) -> Iterator[Retrieved | NotSelected]:
    """What was measured for each (query, references), in order; each distinct text is encoded once.

    A reference that cannot be read stands apart; a query that cannot be read has no matches. Queries are
    taken `at_once` at a time, and the `remember` texts used last stay placed. No encoder is wanted where
    every reference is a match already.
    """
    must_be_sizes(at_once, remember)
    answerers = Answerers(None if encoder is None else remembering(encoder, remember))
    stream = ((query, _held(references)) for query, references in queries)
    while some := list(islice(stream, at_once)):
        wanted = (text for query, references in some for text in _to_place(query, references))
        space = Staircase(answerers, strict=True).answer(Needs(texts=tuple(dict.fromkeys(wanted))))
        for query, references in some:
            yield _retrieved(query, references, space)


def _held(references: References) -> _Held:
    """The references, gone through once; what is neither a text nor a match is an error."""
    if isinstance(references, str | Match):
        raise SampleError(f"references want a list of them; found one {type(references).__name__}")
    held = tuple(references)
    for at, reference in enumerate(held):
        if not isinstance(reference, str | Match):
            raise SampleError(f"reference {at} wants a text or a match; found {type(reference).__name__}")
    return held


def _to_place(query: str, references: _Held) -> list[str]:
    texts = [reference for reference in references if isinstance(reference, str)]
    return [query, *texts] if texts else []


def _retrieved(query: str, references: _Held, space: Space) -> Retrieved | NotSelected:
    texts = [reference for reference in references if isinstance(reference, str)]
    try:
        if texts:
            space.vector(query)
    except Unreadable as reason:
        return NotSelected(query, Unreadable(f"the query cannot be read: {reason}"))
    unread = tuple(
        Unread(reference, space.failed[reference], place)
        for place, reference in enumerate(references)
        if isinstance(reference, str) and reference in space.failed
    )
    read = [text for text in texts if text not in space.failed]
    near = iter(space.closenesses(query, read).tolist() if read else ())
    return Retrieved(
        query,
        tuple(
            reference
            if isinstance(reference, Match)
            else Match(reference, next(near), encoder=space.encoder, vector=space.vector(reference))
            for reference in references
            if isinstance(reference, Match) or reference not in space.failed
        ),
        unread,
    )
