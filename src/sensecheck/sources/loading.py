"""From what a battery says about its sources to sources that can be asked.

Sources that promptfoo has and sensecheck has not are named in messages.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from sensecheck.core.serialization import did_you_mean
from sensecheck.io.blobcache import AnswerFile
from sensecheck.sources import command, http, http_request, openai, python, replay
from sensecheck.sources.cache import CachedSource, Patient
from sensecheck.sources.source import AnswerSource, SourceOptions, SourceSpec

__all__ = ["SourceOptions", "connect", "load_source", "require_known_source"]


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One way to get answers."""

    written: tuple[str, ...]
    """How its ids are written, in the words of messages."""
    fits: Callable[[str], bool]
    check: Callable[[SourceSpec], object]
    """Reads all that the file says about the source; what is wrong is an error with its place."""
    load: Callable[[SourceSpec, SourceOptions], AnswerSource]
    reads_vars: bool = True
    """Whether two questions with one prompt may get different answers for their variables."""
    lasting: bool = False
    """Whether the fingerprint covers everything, so that an answer of another run is as good."""


KINDS = (
    SourceKind(("echo",), lambda source_id: source_id == "echo", replay.check_echo, replay.load_echo),
    SourceKind(
        ("openai:chat:MODEL", "openai:MODEL"),
        openai.fits,
        openai.OpenAIConfig.read,
        openai.load,
        reads_vars=False,
        lasting=True,
    ),
    SourceKind(
        ("http://HOST", "https://HOST", "http", "https"), http.fits, http_request.HttpConfig.read, http.load
    ),
    SourceKind(("file://FILE.py", "python:FILE.py"), python.fits, python.check, python.load),
    SourceKind(("exec: COMMAND",), command.fits, command.check, command.load),
    SourceKind(
        ("recorded:FILE",),
        lambda source_id: source_id.startswith(replay.PREFIX),
        replay.check_recorded,
        replay.load_recorded,
    ),
)


def connect(
    specs: Iterable[SourceSpec], options: SourceOptions, *, cache_file: Path | None, run: str
) -> tuple[AnswerSource, ...]:
    """The sources of a battery, ready to be asked; their answers are cached in a file, unless it is None.

    What a program or a page answers is found again only under the name of the same run: its code may have
    changed since. What a model answers is found again by every run that asks it in the same way.
    """
    cache = None if cache_file is None else AnswerFile(cache_file)
    return tuple(_connected(spec, options, cache, run) for spec in specs)


def load_source(spec: SourceSpec, options: SourceOptions) -> AnswerSource:
    """The source that the battery describes."""
    require_known_source(spec)
    return _kind(spec).load(spec, options)


def require_known_source(spec: SourceSpec) -> None:
    """Raise `BatteryError` unless the source is one that we know, described by keys that it has."""
    _kind(spec).check(spec)


def _connected(spec: SourceSpec, options: SourceOptions, cache: AnswerFile | None, run: str) -> AnswerSource:
    kind, source = _kind(spec), load_source(spec, options)
    if not source.cacheable:
        return source
    patient = Patient(source)
    if cache is None:
        return patient
    return CachedSource(patient, cache, namespace="" if kind.lasting else run, reads_vars=kind.reads_vars)


def _kind(spec: SourceSpec) -> SourceKind:
    for kind in KINDS:
        if kind.fits(spec.id):
            return kind
    foreign = _promptfoo_hint(spec.id)
    written = [way for kind in KINDS for way in kind.written]
    raise spec.config.error(foreign or did_you_mean("source of answers", spec.id, written))


_MODELS = frozenset(
    (
        *("abliteration", "ai21", "aimlapi", "alibaba", "alicloud", "aliyun", "anthropic", "atlascloud"),
        *("azure", "azureopenai", "bam", "bedrock", "cerebras", "claude", "cloudera", "cloudflare-ai"),
        *("cloudflare-gateway", "cohere", "cometapi", "dashscope", "databricks", "deepseek", "docker"),
        *("envoy", "f5", "fireworks", "github", "google", "groq", "helicone", "hf", "huggingface"),
        *("hyperbolic", "jfrog", "litellm", "llama", "llamaapi", "llamafile", "localai", "meta", "minimax"),
        *("mistral", "mlflow-gateway", "moonshot", "novita", "nscale", "nvidia", "ollama", "openrouter"),
        *("orcarouter", "palm", "perplexity", "portkey", "qwak", "replicate", "sagemaker", "snowflake"),
        *("text-generation-webui", "togetherai", "transformers", "truefoundry", "vercel", "vertex", "vllm"),
        *("voyage", "watsonx", "xai"),
    )
)
_PROGRAMS = frozenset(
    (
        *("a2a", "agentcore", "bedrock-agent", "browser", "elevenlabs", "fal", "golang", "javascript", "mcp"),
        *("modelslab", "n8n", "openclaw", "opencode", "openinterpreter", "package", "promptfoo", "quiverai"),
        *("ruby", "sequence", "slack", "webhook", "ws", "wss"),
    )
)


def _promptfoo_hint(source_id: str) -> str:
    """What to say of a source that promptfoo has; empty when it has none of this name either."""
    name = source_id.partition(":")[0].strip().lower()
    if name == "openai":
        hint = "of OpenAI's routes only chat is asked: wanted `openai:chat:MODEL` or `openai:MODEL`"
    elif name in _MODELS:
        hint = "any OpenAI-compatible address works as `openai:chat:MODEL` with `config: {apiBaseUrl: …}`"
    elif name in _PROGRAMS or source_id.endswith((".js", ".cjs", ".mjs", ".ts", ".go", ".rb")):
        hint = "call it from a Python file: `file://answers.py`"
    else:
        return ""
    return f"`{source_id}` is a source of promptfoo that sensecheck does not have; {hint}"
