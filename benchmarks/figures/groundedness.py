"""Groundedness: how well each rule ranks and tells answers, set by set."""

from collections.abc import Callable, Iterable, Mapping

from benchmarks.figures.tables import INTERVALS, Results, share, table

DRAWN = "In brackets: 95% intervals from resampling complete groups."
_POLICIES = {"similarity-or-keywords": "common rule"}


def sets(results: Results) -> str:
    """What is read of each set, and what the reader has learned from."""
    lines = [(row["set"], row["rows"], row["of"], _learned(row)) for row in _of(results, "sets")]
    text = table(("set", "answers read", "of", "what the reader was trained on of it"), lines)
    reader = results["reader"]
    known = sorted(reader["learned"].items(), key=lambda one: -one[1])
    told = ", ".join(f"{name} {share:.1%}" for name, share in known if share)
    runs = ", then ".join(f"`{run}`" for run in reader["runs"])
    return f"{text}\n\nThe reader is `{reader['fingerprint']}`" + (
        f", of the run {runs}. Shares of its training pairs: {told}." if told else "."
    )


def ranking(results: Results) -> str:
    """AUROC: a row for each set, a column for each rule."""
    rows = _of(results, "ranking")
    head = ("set", "answers", "unsupported", "left out")
    size = {row["set"]: (row["n"], row["unsupported"], row["left_out"]) for row in rows}
    text = _wide(head, rows, "set", size, lambda row: figure(row["auroc"]))
    note = f"**{results['note']}**\n\n" if "note" in results else ""
    return f"{note}{text}\n\n{DRAWN}"


def detecting(results: Results) -> str:
    """F1 of detecting unsupported answers, rule by rule."""
    lines = [
        (
            row["rule"],
            figure(row["at_shipped"]),
            figure(row["cross_fitted"]),
            figure(row["by_looking"]),
        )
        for row in _of(results, "detecting")
    ]
    head = ("rule", "F1 at the shipped cutoff", "cutoff from other groups", "best cutoff on these labels")
    return f"{table(head, lines)}\n\n{DRAWN}"


def telling(results: Results) -> str:
    """Balanced accuracy and F1 at a cutoff from other groups; figures of others as they published them."""
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
    text = _wide(("answers", "expected", "rows"), passed, "kind", size, lambda row: share(row["pass"]))
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


def _learned(row: Results) -> str:
    if row["learned"] is None:
        return "not known"
    if not row["learned"]:
        return "nothing"
    return f"{'other domains' if row['other_domains'] else 'the set'}: {row['learned']:.1%} of its pairs"


def _passes(row: Results) -> str:
    return f"{row['pass']['share']:.1%}; {row['fail']['share']:.1%}"


def _rights(row: Results) -> str:
    return f"{row['right']['share']:.0%}; {row['accepted_or_not']['share']:.0%}"


def _of(results: Results, name: str) -> list[Results]:
    return [row for row in results["measured"] if row["table"] == name]
