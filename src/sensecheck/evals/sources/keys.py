"""The keys under a source's `config`: those that promptfoo has and we have not are told by name."""

from collections.abc import Iterable, Mapping

from sensecheck.evals.node import Node


def keys_of(
    config: Node, source: str, known: Iterable[str], *, foreign: Iterable[str] = ()
) -> Mapping[str, Node]:
    """The entries of a `config`; a key that nobody reads is an error."""
    what = f"`config` of `{source}`"
    for key in config.mapping(what):
        if key in foreign:
            message = f"`{key}` is a key of promptfoo that sensecheck does not have for `{source}`"
            raise config.wrong(message, key=key)
    return config.mapping(what, known)


def no_keys(config: Node, source: str) -> None:
    """For a source that has nothing to say under `config`."""
    for key in config.mapping(f"`config` of `{source}`"):
        raise config.wrong(f"`{source}` has no keys under `config`; found `{key}`", key=key)
