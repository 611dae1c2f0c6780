"""A stage as data: as short as it can be written, and nothing lost."""

from collections.abc import Mapping
from typing import Any

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import to_data
from sensecheck.encoders.token_counter import TokenCounter
from sensecheck.retrieval.described import DescribedEncoder, DescribedScorer
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stages.above import Above
from sensecheck.retrieval.stages.distinct import Distinct
from sensecheck.retrieval.stages.diverse import Diverse
from sensecheck.retrieval.stages.reorder import Reorder
from sensecheck.retrieval.stages.rerank import Rerank, RerankByPairs
from sensecheck.retrieval.stages.tagged import Tagged
from sensecheck.retrieval.stages.top import Top
from sensecheck.retrieval.stages.within_chars import WithinChars
from sensecheck.retrieval.stages.within_tokens import WithinTokens

PLAIN: Mapping[str, type[Distinct | Diverse | Reorder | Top | WithinChars]] = {
    stage.name: stage for stage in (Distinct, Diverse, Reorder, Top, WithinChars)
}
"""The stages that hold nothing but numbers and words."""
MAIN: Mapping[str, str] = {
    "distinct": "closeness",
    "diverse": "weight",
    "reorder": "order",
    "top": "k",
    "within_chars": "chars",
}
"""What a value alone stands for: `top: 4` is `top: {k: 4}`."""


def stage_to_data(stage: Stage, *, at: str) -> Any:
    """`{name: …}`, or the name alone where all is as without saying; only our own stages are data."""
    told = _told(stage, at)
    return stage.name if told == {} else {stage.name: told}


def _told(stage: Stage, at: str) -> Any:
    if type(stage) in PLAIN.values():
        told = to_data(stage)
        return told[MAIN[stage.name]] if list(told) == [MAIN[stage.name]] else told
    if isinstance(stage, Above):
        line = _line(stage.cutoff)
        return line if stage.unsure == "drop" else {"line": line, "unsure": stage.unsure}
    if isinstance(stage, Tagged):
        return {key: list(each) if len(each) > 1 else each[0] for key, each in stage.wanted.items()}
    if isinstance(stage, Rerank | RerankByPairs):
        return _by(stage, at)
    if isinstance(stage, WithinTokens):
        return _tokens(stage, at)
    raise SpecError(f"`{at}` is a {type(stage).__name__}; only our own stages are data")


def _line(cutoff: Cutoff) -> Any:
    """A hand-picked line is its number; more is known of a fitted one."""
    return cutoff.line if cutoff == Cutoff(cutoff.line, "above") else cutoff.to_data()


def _by(stage: Rerank | RerankByPairs, at: str) -> dict[str, str]:
    if isinstance(stage, Rerank) and stage.encoder is None:
        return {}
    if isinstance(stage, Rerank) and isinstance(stage.encoder, DescribedEncoder):
        return {"encoder": stage.encoder.described}
    if (
        isinstance(stage, RerankByPairs)
        and isinstance(stage.scorer, DescribedScorer)
        and stage.good == "below"
    ):
        return {"verifier": stage.scorer.described}
    raise SpecError(
        f"`{at}` ranks by a model that was made by hand, which is no data; "
        "one that a chain can write down is made by `Parts().encoder('minilm')`, or by reading a chain"
    )


def _tokens(stage: WithinTokens, at: str) -> dict[str, Any]:
    if type(stage.formatted) is not Block:
        raise SpecError(f"`{at}` counts what a function of yours writes, which is no data; wanted a `Block`")
    if not isinstance(stage.counter, TokenCounter):
        raise SpecError(
            f"`{at}` counts tokens with a function of yours, which is no data; "
            "wanted a `token_counter`, such as that of `tokenizer:FILE.json`"
        )
    over = {} if stage.over == "stop" else {"over": stage.over}
    return {
        "tokens": stage.tokens,
        "counter": stage.counter.described,
        **over,
        **to_data(stage.formatted),
    }
