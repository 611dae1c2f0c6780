"""Passages of questions through a chain of guards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sensecheck.core.backends import Answerers, Encoder
from sensecheck.core.errors import CannotJudge, MissingInput, Unreadable
from sensecheck.encoders.memory import remembering
from sensecheck.evals.qa.guarding import Candidates, Left
from sensecheck.evals.qa.prompting import Block
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.prompt import Format
from sensecheck.retrieval.retrieved import NotSelected
from sensecheck.retrieval.selection import Selection

REMEMBERED = 8192


@dataclass(frozen=True, slots=True)
class ChainGuard:
    """Keeps what the chain keeps; each distinct text is placed once a batch."""

    chain: Chain
    answerers: Answerers

    @classmethod
    def of(cls, chain: Chain, encoder: Encoder) -> "ChainGuard":
        """With the encoder that measures how close a passage is to its question."""
        return cls(chain, Answerers(remembering(encoder, REMEMBERED)))

    def __call__(self, found: Sequence[Candidates]) -> list[Left]:
        """What is left for each question, or why nobody can say."""
        asked = [(one.question, one.passages) for one in found if one.question is not None and one.passages]
        measured = matched_each(asked, self.answerers.encoder)
        selected = self.chain.each(measured, self.answerers)
        return [_left(one, selected) for one in found]


def block_of_texts(format_: Format) -> Block:
    """Passages as the block that a chain's budget counts."""
    return partial(_block, format_)


def _block(format_: Format, texts: Sequence[str]) -> str:
    return format_([Match(text, 0.0) for text in texts])


def _left(one: Candidates, selected: Iterator[Selection | NotSelected]) -> Left:
    if not one.passages:
        return ()
    if one.question is None:
        return MissingInput("there is no question to hold them against")
    found = next(selected)
    return found.error if isinstance(found, NotSelected) else _kept(found)


def _kept(found: Selection) -> tuple[str, ...] | CannotJudge:
    """One that could not be read might have been the one that mattered: then nothing is known."""
    for one in found.unread:
        return Unreadable(f"passage {one.place + 1} cannot be read: {one.because}")
    return tuple(match.text for match in found.kept)
