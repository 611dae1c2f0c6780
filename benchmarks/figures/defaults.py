"""What the shipped rules do, each next to the rule that the field commonly uses."""

from collections.abc import Callable

from benchmarks.figures.tables import INTERVALS, Results, sentence, share, table

FAMILIES = ("meaning", "circling")


def defaults(results: Results) -> str:
    """All families, one after the other."""
    return "\n\n".join(f"**{sentence(family)}**\n\n{of_family(family)(results)}" for family in FAMILIES)


def of_family(family: str) -> Callable[[Results], str]:
    """A row for each set and label, the rules side by side."""

    def write(results: Results) -> str:
        rows = [row for row in results["measured"] if row["family"] == family]
        rules = list(dict.fromkeys(row["rule"] for row in rows))
        by_label: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
        for row in rows:
            key = (row["set"], row["label"], row["wanted"], str(row["n"]))
            by_label.setdefault(key, {})[row["rule"]] = _right_and_wrong(row)
        head = [
            *("set", "label", "expected", "rows"),
            *(f"`{r}` {w}" for r in rules for w in ("right", "wrong")),
        ]
        lines = ([*key, *(cell for rule in rules for cell in said[rule])] for key, said in by_label.items())
        return f"{table(head, lines)}\n\nThe rest is `unsure` or `error`. {INTERVALS}"

    return write


def _right_and_wrong(row: Results) -> tuple[str, str]:
    right, wrong = ("pass", "fail") if row["wanted"] == "pass" else ("fail", "pass")
    return share(row[right]), share(row[wrong])
