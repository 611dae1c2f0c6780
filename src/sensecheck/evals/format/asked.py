"""Assertions with the variables of their test put in."""

import re
from collections.abc import Mapping
from typing import Any, Final

from sensecheck.core.errors import BatteryError
from sensecheck.evals.documents.content import SCHEME
from sensecheck.evals.format.files import Files
from sensecheck.evals.node import Node, Place
from sensecheck.evals.templates import render

_ONE_NAME: Final = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def filled_in(node: Node, variables: Mapping[str, Any], environment: Mapping[str, str], files: Files) -> Node:
    """The same node with every text filled in; a text that is one variable becomes its list or mapping."""
    known = {**variables, "env": environment}

    def fill_in(text: str, place: Place) -> Any:
        whole = _ONE_NAME.fullmatch(text)
        if whole and isinstance(variables.get(whole[1]), list | dict):
            _must_name_no_file(variables[whole[1]], place)
            return variables[whole[1]]
        made = render(text, known, place)
        if not text.startswith(SCHEME):
            _must_name_no_file(made, place)
        elif made.startswith(SCHEME):
            files.meet(made)
        return made

    return node.rendered(fill_in)


def _must_name_no_file(brought: Any, place: Place) -> None:
    """Raise for the name of a file that a variable brings along, alone or among others."""
    if isinstance(brought, list | dict):
        for item in brought.values() if isinstance(brought, dict) else brought:
            _must_name_no_file(item, place)
    elif isinstance(brought, str) and brought.startswith(SCHEME):
        raise BatteryError(f"{place}: a variable must not name the file that is read; write `file://…`")
