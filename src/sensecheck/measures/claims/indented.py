"""Code that is set off by its indentation alone."""

import re
from collections.abc import Iterator, Sequence

_LIST_MARK = re.compile(r"\s*(?:[-*+•–]|\(?\w{1,3}[.)])\s")
_CODE = re.compile(
    r"(?:def|class|import|from|return|if|elif|else|for|while|try|with|function|const|let|var|public|private"
    r"|#include|using|package|SELECT|INSERT|UPDATE|CREATE)\b.*[:;({)\w*]$"
    r"|[$>%]{1,3} \S"
    r"|[}\])]+[;,]?$"
    r"|.*[{};]$"
    r"|[\w.\[\]]+\s*(?:[-+*/|:]?=|:=|<-)\s*\S"
    r"|[\w.]+\(.*\)[;:]?$"
    r"|(?:#|//|--|/\*)\s?\w"
)


def code_runs(text: str, places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """The blocks, with each run of indented blocks that reads like code joined into one, marked as code."""
    at, in_list = 0, False
    while at < len(places):
        until = max(at + 1, _run_end(text, places, at, in_list=in_list))
        start, end = places[at][0], places[until - 1][1]
        if _is_indented(text, start, end) and not in_list and _reads_like_code(text[start:end]):
            yield start, end, True
        else:
            yield from ((*place, False) for place in places[at:until])
        in_list = _opens_list(text[slice(*places[until - 1])], in_list=in_list)
        at = until


def _opens_list(block: str, *, in_list: bool) -> bool:
    """Whether what is indented below this block belongs to a list item."""
    return _LIST_MARK.match(block) is not None or (in_list and block[:1] in " \t")


def _run_end(text: str, places: Sequence[tuple[int, int]], at: int, *, in_list: bool) -> int:
    """The end of the run that starts here: first in the text or after an empty line, and not in a list."""
    after_space = at == 0 or places[at - 1][1] < places[at][0]
    while after_space and not in_list and at < len(places) and _is_indented(text, *places[at]):
        at += 1
    return at


def _is_indented(text: str, start: int, end: int) -> bool:
    lines = [line for line in text[start:end].split("\n") if line.strip()]
    return all(line.startswith(("    ", "\t")) for line in lines)


def _reads_like_code(run: str) -> bool:
    """Whether at least half of the lines look like code."""
    lines = [line.strip() for line in run.split("\n") if line.strip()]
    return 2 * sum(_CODE.match(line) is not None for line in lines) >= len(lines)
