"""Sources that promptfoo has and we have not: they are told by name."""

_OURS_INSTEAD = "any OpenAI-compatible address works as `openai:chat:MODEL` with `config: {apiBaseUrl: …}`"
_IN_PYTHON = "call it from a Python file: `file://answers.py`"
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


def no_source_of_ours(source_id: str) -> str:
    """What to say of a source that promptfoo has; empty when it has none of this name either."""
    name = source_id.partition(":")[0].strip().lower()
    if name == "openai":
        wanted = "of OpenAI's routes only chat is asked: wanted `openai:chat:MODEL` or `openai:MODEL`"
        return f"`{source_id}` is a source of promptfoo that sensecheck does not have; {wanted}"
    if name in _MODELS:
        return f"`{source_id}` is a source of promptfoo that sensecheck does not have; {_OURS_INSTEAD}"
    if name in _PROGRAMS or source_id.endswith((".js", ".cjs", ".mjs", ".ts", ".go", ".rb")):
        return f"`{source_id}` is a source of promptfoo that sensecheck does not have; {_IN_PYTHON}"
    return ""
