"""Any server that answers over HTTP: what is sent and where the answer stands is told by the battery."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sensecheck.core.extras import extra
from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.sources.digests import digest
from sensecheck.evals.sources.http_config import HttpConfig
from sensecheck.evals.sources.http_request import request_for
from sensecheck.evals.sources.options import AT_ONCE, SourceOptions
from sensecheck.evals.sources.secrets import brought_but_keys
from sensecheck.evals.sources.source import Answer, NoAnswer, Question
from sensecheck.evals.sources.web_client import Told, WebClient


@dataclass(frozen=True, slots=True)
class HttpSource:
    """Sends a request for each question, and takes the answer from where the battery says it stands."""

    label: str
    config: HttpConfig = field(repr=False)
    client: WebClient
    environment: Mapping[str, str] = field(repr=False)
    fingerprint: str
    at_once: int = AT_ONCE
    kept: bool = True

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer that stands in the server's reply, or why there is none."""
        request = request_for(self.config, question, self.environment)
        if isinstance(request, NoAnswer):
            return request
        told = self.client.send(request)
        if not isinstance(told, Told):
            return told
        text = self.config.answer_at.find(told.text)
        if text is None:
            return NoAnswer(
                f"`{self.config.shown}` answered, but there is nothing at `{self.config.answer_at.written}`"
            )
        return Answer(text, latency_ms=told.latency_ms)


def fits(source_id: str) -> bool:
    """Whether an id is an address, or says that the config has one."""
    return source_id in ("http", "https") or source_id.startswith(("http://", "https://"))


def check(spec: SourceSpec) -> HttpConfig:
    """What the file says about the server."""
    return HttpConfig.read(spec)


def load(spec: SourceSpec, options: SourceOptions) -> HttpSource:
    """The server that the battery describes."""
    with extra("http"):
        import httpx  # noqa: F401, PLC0415 - to say now what is missing
    config = check(spec)
    retries = options.retries if config.retries is None else config.retries
    client = WebClient(options.timeout, retries)
    described = [spec.id, spec.config.plain()]
    described.append(brought_but_keys(options.environment, described))
    return HttpSource(
        spec.label, config, client, options.environment, f"http:{digest(described)}", at_once=options.at_once
    )
