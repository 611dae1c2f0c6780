"""What an evaluation takes: beside the bare encoder, and beside other packages."""

from collections.abc import Sequence
from typing import Any

from benchmarks.figures.tables import Results, sentence, table
from benchmarks.speed.measured import shown

_HEAD = ("what is divided by what", "pairs", "goal", "measured", "lowest to highest")
_MANY = "pairs per CPU second"
WHOLE = ("first result: ", "cold: ", "second run: ")
"""How the names of the main figures begin; all others are variants."""


def many_pairs(results: Results) -> str:
    """The whole way of many pairs by what nobody can do without, and its memory."""
    rows = [_row(one, one["notes"].get("pairs", results["pairs"])) for one in results["measured"]]
    whole, memory = results["measured"][0]["notes"], results["measured"][1]["notes"]
    peaks = ", ".join(f"{value} at {name.rpartition(' ')[2]}" for name, value in memory.items())
    said = (
        f"{results['pairs']:,} pairs by {len(results['metrics'])} metrics: {whole[_MANY]:g} {_MANY}. "
        f"Peak memory in megabytes: {peaks} of the pairs."
    )
    return f"{table(_HEAD, rows)}\n\n{said}"


def peers(results: Results) -> str:
    """Other packages divided by ours."""
    main = [one for one in results["measured"] if one["name"].startswith(WHOLE)]
    versions = results["versions"]
    said = (
        f"ragas {versions['ragas']}, LlamaIndex {versions['llama-index-core']}, LangChain "
        f"{versions['langchain-classic']}, one thread. A goal applies to the nearest competitor. All "
        "give the same numbers, to a millionth."
    )
    return f"{table(_HEAD, _rows(main))}\n\n{said}"


def peers_variants(results: Results) -> str:
    """The same with caches for all, and with the answers of one system at a time."""
    return table(_HEAD, _rows([one for one in results["measured"] if not one["name"].startswith(WHOLE)]))


def _rows(found: Sequence[Any]) -> list[tuple[object, ...]]:
    return [_row(one, one["notes"].get("pairs", 1)) for one in found]


def _row(one: Any, pairs: int) -> tuple[object, ...]:
    spread = f"{shown(one['low'])} to {shown(one['high'])}"
    met = {True: "", False: ", **missed**", None: ""}[one["met"]]
    measured = f"**{shown(one['ratio'])}**"
    return sentence(one["about"]), f"{pairs:,}", f"{one['goal'] or 'none'}{met}", measured, spread
