"""What a check asks for before it decides."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question for a judge."""

    user: str
    system: str = ""


class Needs(NamedTuple):
    """Texts to place, texts whose token vectors are wanted, pairs to score, prompts to ask."""

    texts: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Texts that are to be placed word by word as well as whole."""
    pairs: tuple[tuple[str, str], ...] = ()
    """(claim, evidence) pairs for a cross-encoder."""
    prompts: tuple[Prompt, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.texts or self.tokens or self.pairs or self.prompts)

    def __or__(self, other: "Needs") -> "Needs":
        return Needs.union((self, other))

    @staticmethod
    def union(all_needs: Iterable["Needs"]) -> "Needs":
        """Everything that any of them asks for."""
        texts, tokens, pairs, prompts = zip(Needs(), *all_needs, strict=True)
        return Needs(_joined(texts), _joined(tokens), _joined(pairs), _joined(prompts))


def _joined(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(parts))
