"""Types and keys of promptfoo that we do not have: each is told by its name, and what is nearest to it."""

from collections.abc import Mapping

TYPES: Mapping[str, str] = {
    "agent-rubric": "`llm-rubric`",
    "answer-relevance": "`means`, or `llm-rubric`",
    "classifier": "`cluster`",
    "contains-html": "`regex`, or `python`",
    "contains-sql": "`regex`, or `python`",
    "contains-xml": "`regex`, or `python`",
    "context-faithfulness": "`grounded`",
    "context-recall": "`grounded`",
    "context-relevance": "",
    "conversation-relevance": "",
    "factuality": "`keeps-facts`, or `means`",
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
    "javascript": "`python`",
    "max-score": "",
    "meteor": "`rouge-n`, or `means`",
    "model-graded-closedqa": "`llm-rubric`",
    "model-graded-factuality": "`keeps-facts`, or `means`",
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
KEYS: Mapping[str, str] = {
    "config": "write what it holds into the assertion itself",
    "contextTransform": "give `grounded` its `passages`",
    "provider": "the judge is named by SENSECHECK_JUDGE, and the encoder by SENSECHECK_ENCODER",
    "rubricPrompt": "the rubric stands under `value`",
    "transform": "write a `python` assertion that looks at the part that is meant",
}
_REDTEAM = "promptfoo:redteam:"


def no_type_of_ours(name: str) -> str:
    """What to say of a type that promptfoo has; empty when it has none of this name either."""
    base = name.removeprefix("not-")
    if base not in TYPES and not base.startswith(_REDTEAM):
        return ""
    nearest = TYPES.get(base, "")
    hint = f"; the nearest of ours: {nearest}" if nearest else ""
    return f"`{name}` is a type of promptfoo that sensecheck does not support{hint}"


def no_key_of_ours(key: str) -> str:
    """What to say of a key that promptfoo has; empty when it has none of this name either."""
    return (
        f"`{key}` is a key of promptfoo that sensecheck does not support; {KEYS[key]}" if key in KEYS else ""
    )
