"""What it takes: speed as ratios, and the weight of an install."""

from benchmarks.figures.tables import Results, sentence, table
from benchmarks.speed.measured import shown


def speed(results: Results) -> str:
    """A row for each measured ratio."""
    rows = (
        (sentence(one["about"]), one["goal"] or "none", f"**{shown(one['ratio'])}**", _met(one["met"]))
        for one in results["measured"]
    )
    return table(("what is divided by what", "goal", "measured", "met"), rows)


def weight(results: Results) -> str:
    """Both installs."""
    rows = [
        ("`sensecheck`", results["base_distributions"], f"{results['base_megabytes']:g} MB"),
        ("`sensecheck[minilm]`", results["distributions"], f"{results['megabytes']:g} MB"),
    ]
    return table(("install", "distributions", "on disk"), rows)


def _met(met: bool | None) -> str:
    return {True: "yes", False: "**no**", None: ""}[met]
