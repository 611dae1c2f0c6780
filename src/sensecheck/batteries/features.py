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
    name: nearest
    for nearest, names in {
        "": "context-relevance conversation-relevance finish-reason guardrails human max-score perplexity "
        "perplexity-score select-best skill-used trace-error-spans trace-span-count trajectory:goal-success "
        "trajectory:step-count trajectory:tool-args-match trajectory:tool-sequence trajectory:tool-used",
        "`bleu`": "gleu",
        "`cluster`": "classifier",
        "`cluster`, or `llm-rubric`": "moderation",
        "`is-json` with a schema": "is-valid-function-call is-valid-openai-function-call "
        "is-valid-openai-tools-call",
        "`latency`": "trace-span-duration",
        "`llm-rubric`": "agent-rubric search-rubric",
        "`llm-rubric` with a `threshold`": "g-eval pi",
        "`python`": "is-html is-sql is-xml ruby tool-call-f1 webhook word-count",
        "`regex`, or `python`": "contains-html contains-sql contains-xml",
        "`rouge-n`, or `means`": "meteor",
        "`similar`": "similar:dot similar:euclidean",
    }.items()
    for name in names.split()
}
"""Types of assertions that only promptfoo has, each with the nearest of ours."""
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


JsonSchema: TypeAlias = dict[str, Any]
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

    read: Mapping[str, Mapping[str, Any]]
    """What may stand under each, for editors."""
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

    def schema(self) -> JsonSchema:
        """A closed mapping of the keys that are read, and of those that change nothing."""
        idle = {key: {"description": f"Changes nothing: {why}."} for key, why in self.idle.items()}
        return {
            "type": "object",
            "properties": {**self.read, **idle},
            "patternProperties": {"^x-": {}},
            "additionalProperties": False,
        }


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/$defs/{name}"}


def _several(name: str) -> JsonSchema:
    """One, or a list of them."""
    return {"anyOf": [_ref(name), {"type": "array", "items": _ref(name), "minItems": 1}]}


_TEXT: Final[JsonSchema] = {"type": "string"}
_TEXTS: Final[JsonSchema] = {"type": ["string", "array"], "items": _TEXT, "minItems": 1}
_TRUTH: Final[JsonSchema] = {"type": "boolean"}
_COUNT: Final[JsonSchema] = {"type": "integer", "minimum": 1}
_FREE: Final[JsonSchema] = {"type": "object"}
TRANSFORM: Final[JsonSchema] = {
    "type": "string",
    "description": "JavaScript that makes of `output` what is judged; Node runs it.",
}
REPEAT: Final = Keys(read={"runs": _COUNT, "pass": _COUNT})
OPTIONS_OF_RUNS: Final = Keys(
    read={"maxConcurrency": _COUNT, "repeat": _COUNT, "cache": {"const": True}},
    idle={"showProgressBar": "about the terminal", "silent": "about the terminal"},
    foreign={
        "delay": "say how many are asked at once with `maxConcurrency`",
        "filterRange": "choose tests on the command line",
        **dict.fromkeys(("timeoutMs", "maxEvalTimeMs", "generateSuggestions", "suggestionsCount"), ""),
        **dict.fromkeys(("interactiveProviders", "isRedteam"), ""),
    },
)
TOP: Final = Keys(
    read={
        "description": _TEXT,
        "prompts": {"anyOf": [_several("prompt"), {"type": "object", "additionalProperties": _TEXT}]},
        "providers": _several("provider"),
        "targets": _several("provider"),
        "tests": {
            "anyOf": [
                _TEXT | {"description": "A file of tests: `file://tests.csv`, .jsonl, .yaml, .json."},
                {"type": "array", "items": {"anyOf": [_TEXT, _ref("test")]}, "minItems": 1},
            ]
        },
        "defaultTest": {"anyOf": [_TEXT, _ref("defaultTest")]},
        "env": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
        "evaluateOptions": OPTIONS_OF_RUNS.schema(),
        "repeat": _ref("repeat"),
        "outputPath": _TEXTS | {"description": "Reports to write, by their endings."},
    },
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
        "commandLineOptions": "say them on the command line",
        **dict.fromkeys(("assertionTemplates", "$ref"), _ANCHORS),
        **dict.fromkeys(("extensions", "redteam", "tracing"), ""),
    },
)
PROVIDER: Final = Keys(
    read={"id": _TEXT, "label": _TEXT, "config": _FREE, "prompts": _TEXTS},
    foreign={
        "transform": "let the source give the text that is to be judged",
        "delay": "say how many are asked at once with `evaluateOptions: {maxConcurrency: …}`",
        "env": "put it into the battery's own `env`",
        "inputs": "",
    },
)
TEST: Final = Keys(
    read={
        "description": _TEXT,
        "vars": {
            "type": ["object", "string", "array"],
            "description": "What is put into prompts and assertions.",
        },
        "assert": {
            "type": "array",
            "items": _ref("assertion"),
            "description": "What is asked of the answer.",
        },
        "embedding_validation": _ref("embedding_validation"),
        "threshold": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "options": _ref("options"),
        "metadata": _FREE,
        "providerOutput": {"type": ["string", "object"], "description": "The answer; no source is asked."},
        "providers": _TEXTS | {"description": "Labels or ids of the sources that are asked."},
        "prompts": _TEXTS | {"description": "Labels of the prompts that are used."},
        "repeat": _ref("repeat"),
    },
    foreign={
        "provider": "list sources under the battery's `providers`, and name them in the test's `providers`",
        "assertScoringFunction": "give assertions a `weight`, and the test a `threshold`",
        "$ref": _ANCHORS,
    },
)
DEFAULT_TEST: Final = Keys(
    read={key: shape for key, shape in TEST.read.items() if key not in ("description", "providerOutput")},
    foreign=TEST.foreign,
)
OPTIONS: Final = Keys(
    read={
        "prefix": _TEXT | {"description": "Stands before the prompt."},
        "suffix": _TEXT | {"description": "Stands after the prompt."},
        "disableVarExpansion": _TRUTH | {"description": "Keep a list of texts as one value."},
        "disableDefaultAsserts": _TRUTH | {"description": "Ask only what the test itself asks."},
        "repeat": _COUNT,
        "transform": TRANSFORM,
    },
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
    read={"raw": _TEXT, "id": _TEXT, "label": _TEXT},
    foreign={
        "config": "put it into the `config` of the provider",
        **dict.fromkeys(("function", "display", "template"), ""),
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
