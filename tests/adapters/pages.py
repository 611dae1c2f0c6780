"""The code of a page that runs only where another package is installed: blocks that are marked `py`."""

import re
from pathlib import Path

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"


def code_of(page: str, mentions: str) -> str:
    """The blocks of a page that mention something, one after the other."""
    blocks = re.findall(
        r"^```py(?: title=[^\n]*)?\n(.*?)^```$", (HOW_TO / page).read_text(), re.MULTILINE | re.DOTALL
    )
    found = [block for block in blocks if mentions in block]
    assert found, f"{page} has no code that mentions `{mentions}`"
    return "\n".join(found)
