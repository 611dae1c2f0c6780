"""What the four specifications name, and all that the package offers by name.

Pinned elsewhere, and not again here: `/openapi.json` in `sdk/api/openapi.json` (compared in
`tests/house/test_sdk.py`), every byte of `POST /query-selected-text` in `tests/server/test_contract.py`, the
data of checks, batteries and chains in `tests/golden/json/schema*.json`, tables in `tests/store`.
"""

import dataclasses
import inspect
import re
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import sensecheck
from sensecheck import mcp, rag_eval, references, validators
from sensecheck.checks.policies import POLICIES
from sensecheck.cli import exit_codes as outcomes
from sensecheck.core.sample import Sample
from sensecheck.grounding.writer import FALLBACK, WriterRequest, messages_for
from sensecheck.mcp.server import TOOLS
from sensecheck.mcp.tool import arguments_schema
from sensecheck.measures.metrics import opinions
from sensecheck.measures.rubric import Judged
from sensecheck.sense import Sense
from sensecheck.server.schemas import answers as contract
from tests.golden.pinned import pin_data

MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
"""Where a type lives is no part of a contract: modules move."""
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
SAMPLE = Sample("At nine.", question="When?", expected="At nine o'clock.", passages=("It opens at nine.",))


def signature(thing: Any) -> str:
    """Names, order, defaults and types, as far as Python can tell."""
    try:
        return ADDRESS.sub("", MODULES.sub("", str(inspect.signature(thing))))
    except (TypeError, ValueError):
        return type(thing).__name__


def described(thing: Any) -> Any:
    """What somebody who uses it may lean on."""
    if not inspect.isclass(thing):
        return signature(thing) if callable(thing) else thing
    members = [(name, member) for name, member in inspect.getmembers(thing) if not name.startswith("_")]
    told: dict[str, Any] = {"init": signature(thing)}
    told |= {name: signature(member) for name, member in members if inspect.isroutine(member)}
    told |= {name: "property" for name, member in members if isinstance(member, property)}
    if dataclasses.is_dataclass(thing):
        told["fields"] = [field.name for field in dataclasses.fields(thing)]
    return told


def offered(module: Any) -> dict[str, Any]:
    """Everything that a module names as its own."""
    return {name: described(getattr(module, name)) for name in sorted(module.__all__)}


def test_selected_text() -> None:
    found = {
        "fallback": FALLBACK,
        "longest query": contract.LONGEST_QUERY,
        "longest selected text": contract.LONGEST_SELECTED,
        "policies": {name: policy.to_data() for name, policy in POLICIES.items()},
        "prompt": messages_for(WriterRequest("When?", "It opens at nine."), "<delimiter>"),
    }
    pin_data("contracts/selected-text.json", found)


def test_semantic_validation() -> None:
    found = {
        "validators": offered(validators),
        "client": offered(mcp),
        "tools": {
            name: {
                "title": tool.title,
                "about": tool.about,
                "input": arguments_schema(tool),
                "output": tool.result,
            }
            for name, tool in TOOLS.items()
        },
    }
    pin_data("contracts/semantic-validation.json", found)


def test_retrieval_guardrails() -> None:
    pin_data("contracts/retrieval-guardrails.json", offered(references))


def test_semantic_similarity() -> None:
    pin_data("contracts/semantic-similarity.json", offered(rag_eval))


def test_prompts_of_judged_metrics() -> None:
    """A changed word is another reading."""
    measures = {
        **opinions(),
        "pass or fail": Judged("It is polite.", None, ("question", "expected", "passages")),
        "a scale": Judged("It is polite.", (1.0, 5.0), ()),
    }
    found = {
        name: [[prompt.system, prompt.user] for prompt in measure.needs(SAMPLE).prompts]
        for name, measure in measures.items()
    }
    pin_data("contracts/prompts.json", found)


def test_what_the_package_offers() -> None:
    groups = sorted(group for group in entry_points().groups if group.startswith("sensecheck."))
    codes = {
        name: value for name, value in vars(outcomes).items() if name.isupper() and isinstance(value, int)
    }
    found = {
        "sensecheck": offered(sensecheck),
        "sensecheck.testing": offered(import_module("sensecheck.testing")),
        "Sense": described(Sense),
        "entry points": {group: sorted({one.name for one in entry_points(group=group)}) for group in groups},
        "exit codes": codes,
    }
    pin_data("contracts/package.json", found)
