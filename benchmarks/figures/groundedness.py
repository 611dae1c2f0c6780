"""Groundedness: how well each rule ranks and tells answers, set by set."""

from collections.abc import Callable, Iterable, Mapping

from benchmarks.figures.tables import INTERVALS, Results, share, table

DRAWN = "In brackets: 95% intervals over draws of whole groups."
_POLICIES = {"similarity-or-keywords": "common rule"}


def ranking(results: Results) -> str:
    """AUROC: a row for each set, a column for each rule."""
    rows = _of(results, "ranking")
    head = ("set", "answers", "unsupported", "left out")
    size = {row["set"]: (row["n"], row["unsupported"], row["left_out"]) for row in rows}
    text = _wide(head, rows, "set", size, lambda row: figure(row["auroc"]))
    note = f"**{results['note']}**\n\n" if "note" in results else ""
    return f"{note}{text}\n\n{DRAWN}"


def detecting(results: Results) -> str:
    """F1 of detecting unsupported answers, rule by rule, without labels of the set and with some."""
    lines = [
        (
            row["rule"],
            "not measured" if row["at_shipped"] is None else figure(row["at_shipped"]),
            figure(row["cross_fitted"]),
            figure(row["by_looking"]),
        )
        for row in _of(results, "detecting")
    ]
    head = ("rule", "F1 at the line that ships", "line placed on other groups", "best line, by looking")
    return f"{table(head, lines)}\n\n{DRAWN}"


def trained(results: Results) -> str:
    """A small model that is taught labels of the same set."""
    rows = _of(results, "trained")
    lines = ((row["rule"], figure(row["auroc"]), figure(row["f1"])) for row in rows)
    return table(("model over", "AUROC", "F1, line placed on the groups it has seen"), lines)


def telling(results: Results) -> str:
    """Balanced accuracy and F1 at a line placed on other groups; figures of others as they published them."""
    lines = [
        (row["set"], row["rule"], figure(row["bacc"]), figure(row["f1"])) for row in _of(results, "telling")
    ]
    lines += [(row["set"], row["rule"], f"{row['bacc']:.3f}", "") for row in _of(results, "published")]
    head = ("set", "rule", "balanced accuracy", "F1")
    return f"{table(head, sorted(lines, key=lambda line: str(line[0])))}\n\n{DRAWN}"


def domains(results: Results) -> str:
    """Balanced accuracy on domains that nothing was trained or placed on."""
    rows = _of(results, "domains")
    names = list(rows[0]["bacc"]) if rows else []
    lines = (
        (row["rule"], figure(row["mean"]), *(_known(row["bacc"][name]) for name in names)) for row in rows
    )
    return f"{table(('rule', 'mean', *names), lines)}\n\n{DRAWN}"


def changes(results: Results) -> str:
    """AUROC by what was changed in a claim."""
    rows = _of(results, "changes")
    size = {row["kind"]: (row["n"],) for row in rows}
    return f"{_wide(('changed', 'claims'), rows, 'kind', size, lambda row: figure(row['auroc']))}\n\n{DRAWN}"


def decided(results: Results) -> str:
    """What each policy passes and fails, of supported and of unsupported answers."""
    rows = _of(results, "decided")
    size = {row["answers"]: (row["pass"]["n"],) for row in rows}
    cells = [{**row, "rule": f"{_policy(row)}: passes; fails"} for row in rows]
    text = _wide(("answers", "rows"), cells, "answers", size, _passes)
    return f"{text}\n\nThe rest is `unsure`, or an `error` for what the encoder cannot read."


def accepted(results: Results) -> str:
    """What each policy passes and fails, by what the answers are."""
    rows = _of(results, "accepted")
    size = {row["kind"]: (row["wanted"], row["pass"]["n"]) for row in rows}
    passed = [{**row, "rule": f"{_policy(row)} passes"} for row in rows]
    text = _wide(("answers", "wanted", "rows"), passed, "kind", size, lambda row: share(row["pass"]))
    return f"{text}\n\n{INTERVALS}"


def contrast(results: Results) -> str:
    """The contrast suite: labels that are right, and answers that are rightly accepted or not."""
    rows = _of(results, "contrast")
    size = {row["family"]: (row["right"]["n"],) for row in rows}
    cells = [{**row, "rule": f"{_policy(row)}: label; accepted or not"} for row in rows]
    return _wide(("family", "cases"), cells, "family", size, _rights)


def figure(found: Mapping[str, float]) -> str:
    """`0.812 (0.790–0.833)`."""
    return f"{found['value']:.3f} ({found['low']:.3f}–{found['high']:.3f})"


def _wide(
    head: Iterable[str],
    rows: Iterable[Results],
    by: str,
    size: Mapping[str, tuple[object, ...]],
    cell: Callable[[Results], str],
) -> str:
    """A line for each set, kind or family, the rules side by side; what was not measured stays empty."""
    cells = {(row[by], row["rule"]): cell(row) for row in rows}
    rules = list(dict.fromkeys(rule for _, rule in cells))
    lines = ((name, *told, *(cells.get((name, rule), "") for rule in rules)) for name, told in size.items())
    return table((*head, *rules), lines)


def _policy(row: Results) -> str:
    return _POLICIES.get(row["policy"], f"`{row['policy']}`")


def _known(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _passes(row: Results) -> str:
    return f"{row['pass']['share']:.1%}; {row['fail']['share']:.1%}"


def _rights(row: Results) -> str:
    return f"{row['right']['share']:.0%}; {row['accepted_or_not']['share']:.0%}"


def _of(results: Results, name: str) -> list[Results]:
    return [row for row in results["measured"] if row["table"] == name]


def trainings(results: Results) -> str:
    """AUROC of the verifier's log odds alone, training by training."""
    lines = (
        (
            row["training"],
            f"{row['pairs']:,}",
            *(figure(row[name]) for name in ("perturbed", "summedits", "ragtruth_qa")),
        )
        for row in results["measured"]
    )
    head = ("training", "pairs", "changed claims", "summedits, unseen domains", "ragtruth_qa")
    return f"{table(head, lines)}\n\n{DRAWN}"
