"""What may stand in a battery: keys that are read, that change nothing, and that only promptfoo has.

Types and keys of promptfoo that we do not have are named, with what is nearest to them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from sensecheck.core.errors import BatteryError
from sensecheck.core.serialization import did_you_mean
from sensecheck.documents.node import Node

_OFF: Final[tuple[Any, ...]] = (None, False, (), {})
"""A feature that is switched off asks nothing of us."""
_ANCHORS: Final = "use an anchor of YAML, `&name` and `*name`"
_IN_PYTHON: Final = "make what is asked independent of it, or write a `python` assertion"

TYPES: Mapping[str, str] = {
    "agent-rubric": "`llm-rubric`",
    "classifier": "`cluster`",
    "contains-html": "`regex`, or `python`",
    "contains-sql": "`regex`, or `python`",
    "contains-xml": "`regex`, or `python`",
    "context-relevance": "",
    "conversation-relevance": "",
    "finish-reason": "",
    "g-eval": "`llm-rubric` with a `threshold`",
    "gleu": "`bleu`",
    "guardrails": "",
    "human": "",
    "is-html": "`python`",
    "is-sql": "`python`",
    "is-valid-function-call": "`is-json` with a schema",
    "is-valid-openai-function-call": "`is-json` with a schema",
    "is-valid-openai-tools-call": "`is-json` with a schema",
    "is-xml": "`python`",
    "max-score": "",
    "meteor": "`rouge-n`, or `means`",
    "moderation": "`cluster`, or `llm-rubric`",
    "perplexity": "",
    "perplexity-score": "",
    "pi": "`llm-rubric` with a `threshold`",
    "ruby": "`python`",
    "search-rubric": "`llm-rubric`",
    "select-best": "",
    "similar:dot": "`similar`",
    "similar:euclidean": "`similar`",
    "skill-used": "",
    "tool-call-f1": "`python`",
    "trace-error-spans": "",
    "trace-span-count": "",
    "trace-span-duration": "`latency`",
    "trajectory:goal-success": "",
    "trajectory:step-count": "",
    "trajectory:tool-args-match": "",
    "trajectory:tool-sequence": "",
    "trajectory:tool-used": "",
    "webhook": "`python`",
    "word-count": "`python`",
}
_REDTEAM = "promptfoo:redteam:"
_OPENAI: Final = "openai:"
_OPENAI_URL: Final = "https://api.openai.com/v1"

ENCODER: Final = "name the encoder of `similar` in SENSECHECK_ENCODER"


def _judge_of(provider: Node) -> str:
    """How the model that grades in promptfoo is named as the judge, or that of embeddings as the encoder."""
    if isinstance(provider.value, Mapping) and provider.value.keys() == {"embedding"}:
        return ENCODER
    found, config = provider, Node({}, provider.place)
    while isinstance(found.value, Mapping):
        config = found.value.get("config", config)
        inner = next((found.value[key] for key in ("text", "id") if key in found.value), None)
        if inner is None:
            break
        found = inner
    if not (isinstance(found.value, str) and found.value.startswith(_OPENAI)):
        return (
            "name the judge, any server with the API of OpenAI: `export SENSECHECK_JUDGE='openai:URL#MODEL'`"
        )
    url = config.value.get("apiBaseUrl") if isinstance(config.value, Mapping) else None
    address = url.value if url is not None and isinstance(url.value, str) else _OPENAI_URL
    judge = f"openai:{address}#{found.value.rpartition(':')[2]}"
    return f"name the judge, and its key in SENSECHECK_JUDGE_KEY: `export SENSECHECK_JUDGE='{judge}'`"


Instead: TypeAlias = str | Callable[[Node], str]
"""What to do in place of a feature, in words; it may depend on what was asked of the feature."""
KEYS_OF_ASSERTIONS: Mapping[str, Instead] = {
    "config": "write what it holds into the assertion itself",
    "contextTransform": "give `grounded` its `passages`",
    "provider": _judge_of,
    "rubricPrompt": "write the whole rubric under `value`",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one mapping of a battery."""

    read: tuple[str, ...]
    idle: Mapping[str, str] = field(default_factory=dict)
    """Accepted though nothing is done with them, and why that changes no result."""
    foreign: Mapping[str, Instead] = field(default_factory=dict)
    """Keys of promptfoo that would change results, and what to do instead."""

    def of(self, node: Node, what: str) -> Mapping[str, Node]:
        """The entries that are read; a key that would be ignored is an error."""
        for wrong in self.unread(node, what):
            raise wrong
        return self.known(node, what)

    def known(self, node: Node, what: str) -> Mapping[str, Node]:
        """The entries that are read, whatever else stands there."""
        return {key: item for key, item in node.mapping(what).items() if key in self.read}

    def unread(self, node: Node, what: str) -> Iterator[BatteryError]:
        """What is wrong with each key that would be ignored."""
        for key, item in node.mapping(what).items():
            if key in self.foreign and item.value not in _OFF:
                instead = _in_words(self.foreign[key], item)
                message = f"`{key}` is a feature of promptfoo that sensecheck does not support"
                message += f"; {instead}" if instead else ""
                yield node.error(message, key=key)
            if key not in self.read and key not in self.idle and key not in self.foreign:
                yield node.error(did_you_mean(f"key of {what}", key, self.read), key=key)


TOP: Final = Keys(
    read=(
        "description",
        "prompts",
        "providers",
        "targets",
        "tests",
        "defaultTest",
        "env",
        "evaluateOptions",
        "repeat",
        "outputPath",
    ),
    idle={
        "$schema": "for editors",
        "tags": "labels of the file",
        "metadata": "notes about the file",
        "writeLatestResults": "about promptfoo's own history",
    },
    foreign={
        "scenarios": "write the tests out, or give `vars` a list of values",
        "sharing": "nothing is ever uploaded",
        "nunjucksFilters": "the filters of Jinja are there",
        "derivedMetrics": "sum up metrics from the JSON output",
        "extensions": "",
        "redteam": "",
        "tracing": "",
        "commandLineOptions": "say them on the command line",
        "assertionTemplates": _ANCHORS,
        "$ref": _ANCHORS,
    },
)
OPTIONS_OF_RUNS: Final = Keys(
    read=("maxConcurrency", "repeat", "cache"),
    idle={"showProgressBar": "about the terminal", "silent": "about the terminal"},
    foreign={
        "delay": "say how many are asked at once with `maxConcurrency`",
        "timeoutMs": "",
        "maxEvalTimeMs": "",
        "generateSuggestions": "",
        "suggestionsCount": "",
        "interactiveProviders": "",
        "isRedteam": "",
        "filterRange": "choose tests on the command line",
    },
)
PROVIDER: Final = Keys(
    read=("id", "label", "config", "prompts"),
    foreign={
        "transform": "let the source give the text that is to be judged",
        "delay": "say how many are asked at once with `evaluateOptions: {maxConcurrency: …}`",
        "env": "put it into the battery's own `env`",
        "inputs": "",
    },
)
TEST: Final = Keys(
    read=(
        "description",
        "vars",
        "assert",
        "embedding_validation",
        "threshold",
        "options",
        "metadata",
        "providerOutput",
        "providers",
        "prompts",
        "repeat",
    ),
    foreign={
        "provider": "list sources under the battery's `providers`, and name them in the test's `providers`",
        "assertScoringFunction": "give assertions a `weight`, and the test a `threshold`",
        "$ref": _ANCHORS,
    },
)
DEFAULT_TEST: Final = Keys(
    read=tuple(key for key in TEST.read if key not in ("description", "providerOutput")),
    foreign=TEST.foreign,
)
OPTIONS: Final = Keys(
    read=("prefix", "suffix", "disableVarExpansion", "disableDefaultAsserts", "repeat", "transform"),
    idle={"disableConversationVar": "there is no variable `_conversation`"},
    foreign={
        "postprocess": _IN_PYTHON,
        "transformVars": "write the variables as they are wanted",
        "storeOutputAs": "a test does not see the answer of another",
        "rubricPrompt": "write the whole rubric under `value` of the assertion",
        "provider": _judge_of,
        "factuality": "",
        "runSerially": "say `evaluateOptions: {maxConcurrency: 1}`",
    },
)
PROMPT: Final = Keys(
    read=("raw", "id", "label"),
    foreign={
        "function": "",
        "config": "put it into the `config` of the provider",
        "display": "",
        "template": "",
    },
)


PRESET_TYPES: Mapping[str, str] = {
    "not_a_refusal": "not-refusal",
    "not_circling": "not-reasoning-loop",
    "keeps_facts": "keeps-facts",
    "keeps_facts_of": "keeps-facts",
    "classified_as": "cluster",
    "verdict_is": "verdict",
}
"""Checks by their names in Python, and the type of assertion that each has in a battery."""


def no_type_of_ours(name: str) -> str:
    """What to say of a type that promptfoo or Python has; empty when neither has one of this name."""
    spelled = name.replace("-", "_")
    if spelled in PRESET_TYPES:
        return f"`{name}` is the check's name in Python; in a battery its type is `{PRESET_TYPES[spelled]}`"
    base = name.removeprefix("not-")
    if base not in TYPES and not base.startswith(_REDTEAM):
        return ""
    nearest = TYPES.get(base, "")
    hint = f"; the nearest of ours: {nearest}" if nearest else ""
    return f"`{name}` is a type of promptfoo that sensecheck does not support{hint}"


def no_key_of_ours(key: str, item: Node, named: str) -> str:
    """What to say of a key that an assertion of promptfoo has; empty when it has none of this name either."""
    if key not in KEYS_OF_ASSERTIONS:
        return ""
    embeds = key == "provider" and named.removeprefix("not-").startswith("similar")
    instead = ENCODER if embeds else _in_words(KEYS_OF_ASSERTIONS[key], item)
    return f"`{key}` is a key of promptfoo that sensecheck does not support; {instead}"


def _in_words(instead: Instead, item: Node) -> str:
    return instead if isinstance(instead, str) else instead(item)
