"""Measured figures as Markdown: one function for each marker that a page may hold."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.measured import shown

Results = Mapping[str, Any]
FAMILIES = ("meaning", "refusals", "groundedness", "circling")


class NoFigures(Exception):
    """A page asks for figures that are not there."""


def figures(name: str, results: Path) -> str:
    """The Markdown for a marker, from the folder of results."""
    if name not in FIGURES:
        raise NoFigures(f"`{name}` names no figures; known: {', '.join(FIGURES)}")
    file, write = FIGURES[name]
    path = results / f"{file}.json"
    if not path.is_file():
        raise NoFigures(f"the figures `{name}` want `{path.name}`, which nobody has measured yet")
    return write(json.loads(path.read_bytes()))


def _speed(results: Results) -> str:
    rows = (
        (_sentence(one["about"]), one["goal"] or "none", f"**{shown(one['ratio'])}**", _met(one["met"]))
        for one in results["measured"]
    )
    return _table(("what is divided by what", "goal", "measured", "met"), rows)


def _met(met: bool | None) -> str:
    return {True: "yes", False: "**no**", None: ""}[met]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _weight(results: Results) -> str:
    rows = [
        ("`sensecheck`", results["base_distributions"], f"{results['base_megabytes']:g} MB"),
        ("`sensecheck[minilm]`", results["distributions"], f"{results['megabytes']:g} MB"),
    ]
    return _table(("install", "distributions", "on disk"), rows)


def _defaults(results: Results) -> str:
    return "\n\n".join(f"**{_sentence(family)}**\n\n{_family(family)(results)}" for family in FAMILIES)


def _family(family: str) -> Callable[[Results], str]:
    """A row for each set and label, the rules side by side."""

    def write(results: Results) -> str:
        rows = [row for row in results["measured"] if row["family"] == family]
        rules = list(dict.fromkeys(row["rule"] for row in rows))
        by_label: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
        for row in rows:
            key = (row["set"], row["label"], row["wanted"], str(row["n"]))
            by_label.setdefault(key, {})[row["rule"]] = _right_and_wrong(row)
        head = [
            *("set", "label", "wanted", "rows"),
            *(f"`{r}` {w}" for r in rules for w in ("right", "wrong")),
        ]
        lines = ([*key, *(cell for rule in rules for cell in said[rule])] for key, said in by_label.items())
        return f"{_table(head, lines)}\n\nThe rest is `unsure` or `error`. In brackets: exact 95% intervals."

    return write


def _right_and_wrong(row: Mapping[str, Any]) -> tuple[str, str]:
    right, wrong = ("pass", "fail") if row["wanted"] == "pass" else ("fail", "pass")
    return _share(row[right]), _share(row[wrong])


def _share(share: Mapping[str, float]) -> str:
    return f"{share['share']:.1%} ({100 * share['low']:.1f}–{100 * share['high']:.1f})"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


FIGURES: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "speed": ("speed", _speed),
    "weight": ("weight", _weight),
    "defaults": ("defaults", _defaults),
    **{f"defaults_{family}": ("defaults", _family(family)) for family in FAMILIES},
}
"""By marker: the file of results, and who writes the Markdown."""
