"""Example texts that somebody gives to a measure."""

from collections.abc import Iterable, Mapping

from sensecheck.core.errors import SpecError

Clusters = Mapping[str, tuple[str, ...]]


def must_be_texts(what: str, given: object) -> None:
    """Raise unless it is a list of texts with at least one; a single text is a frequent slip."""
    if not isinstance(given, tuple | list) or not all(isinstance(text, str) for text in given):
        raise SpecError(f"`{what}` wants a list of texts; found {type(given).__name__}")
    if not given:
        raise SpecError(f"`{what}` is empty; wanted at least one text")


def clusters_of(given: Mapping[str, Iterable[str]]) -> Clusters:
    """Clusters as measures take them, from lists or tuples of texts."""
    for label, texts in given.items():
        must_be_texts(f"clusters.{label}", texts)
    return {label: tuple(texts) for label, texts in given.items()}
