"""The guards of a request: a chain in a file, one that is made already, or single guards."""

from dataclasses import dataclass, field
from pathlib import Path

from sensecheck.config import Settings, chain_parts
from sensecheck.core.errors import SpecError
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.flags import ChainFlags, chosen_chain
from sensecheck.retrieval.prompt import Empty
from sensecheck.retrieval.scales import Scale


@dataclass(frozen=True, kw_only=True)
class ChainRequest:
    """A chain, or single guards in their fixed order, and the settings under which they work."""

    chain: str | Path | Chain | None = None
    """A chain, or the file that describes one; its guards are all there are."""
    min_similarity: float | str | None = None
    """Keep references at least this close to the query: a number, or the name of a card."""
    dedupe: float | None = None
    """Keep one of those at least this close to each other."""
    top_k: int | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    """Tokens of the block in the prompt, its tags included."""
    tokenizer: str | None = None
    """Who counts `max_tokens`: `minilm`, `onnx:FOLDER` or `tokenizer:FILE.json`; None is `minilm`."""
    scale: Scale | None = None
    """What the `score` of references is; None where they have none."""
    settings: Settings = field(default_factory=Settings.from_environment)

    def single_guards(self, empty: Empty | None = None) -> ChainFlags:
        """Those that are named one by one."""
        line = None if self.min_similarity is None else str(self.min_similarity)
        limits = (self.top_k, self.max_chars, self.max_tokens, self.tokenizer)
        return ChainFlags(line, self.dedupe, *limits, empty)

    def guards(self, empty: Empty | None = None) -> Chain:
        """The chain; what it names is loaded, and what does not go together is `SpecError`."""
        single = self.single_guards(empty)
        if isinstance(self.chain, Chain):
            if single != ChainFlags():
                raise SpecError(
                    "`chain` is a chain already; single guards and `empty` are for none, or a file"
                )
            return self.chain
        file = None if self.chain is None else Path(self.chain)
        return chosen_chain(file, single, chain_parts(self.settings), self.settings.cards_folder())
