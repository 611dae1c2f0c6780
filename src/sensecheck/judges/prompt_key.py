"""The digest by which a prompt is known without being kept."""

import json

from sensecheck.core.canonical import text_key
from sensecheck.core.needs import Prompt


def prompt_key(prompt: Prompt) -> bytes:
    """A digest of the prompt as it is given, the same on every machine."""
    return text_key(json.dumps([prompt.system, prompt.user]))
