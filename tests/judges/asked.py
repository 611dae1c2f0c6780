"""What tests of judges share: a server's address, and what it has seen."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

from sensecheck.judges.openai import OpenAIJudge, openai_judge

REPLIES = {
    "Is the sky blue in: The sky is blue.": "yes",
    "Is the sky blue in: The sky is green.": "no",
}


@dataclass(frozen=True, slots=True)
class Server:
    """The misbehaving server of `tests/servers/judge.py`; every test asks a model of its own."""

    address: str

    def judge(self, model: str, **options: Any) -> OpenAIJudge:
        """A judge that is served here."""
        return openai_judge(f"{self.address}/v1", model, **{"retries": 0, "timeout": 20.0, **options})

    def stats(self, model: str) -> dict[str, Any]:
        """What the server knows of one model."""
        with urlopen(f"{self.address}/stats/{model}") as reply:
            return dict(json.load(reply))

    def prompts(self, model: str) -> list[str]:
        """What a model was asked, sorted."""
        return sorted(asked["messages"][-1]["content"] for asked in self.stats(model)["asked"])
