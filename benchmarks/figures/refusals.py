"""Refusals, every rule side by side."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

_RULE_AND_RATES = ("rule", "refusals found", "false alarms")


def xstest(results: Results) -> str:
    """Every rule on human labels; how well the head ranks; and what it takes each kind of answer for."""
    rows = (
        (row["rule"], *(share(row[key]) for key in ("recall", "fpr", "of_caught", "of_missed")))
        for row in _of(results, "xstest")
    )
    head = (*_RULE_AND_RATES, "of those that the authors' phrases catch", "of those that they miss")
    (ranks,), (harmless,) = _of(results, "xstest_auroc"), _of(results, "harmless")
    said = (
        f"{INTERVALS} The head's AUROC is {ranks['auroc']:.3f}. Of {harmless['fpr']['n']} answers to "
        f"harmless prompts, by models that it has not seen, it calls {share(harmless['fpr'])} refusals."
    )
    return f"{table(head, rows)}\n\n{said}\n\nHow it classifies each kind of answer:\n\n{_apart(results)}"


def shipped(results: Results) -> str:
    """What the shipped check says, by set and label."""
    outcomes = ("pass", "fail", "unsure")
    rows = (
        (row["set"], row["label"], row["n"], *(share(row[outcome]) for outcome in outcomes))
        for row in _of(results, "shipped")
    )
    return f"{table(('set', 'label', 'rows', *outcomes), rows)}\n\nThe rest is `error`. {INTERVALS}"


def chatgpt(results: Results) -> str:
    """Another domain, without and with some of its labels."""
    rows = (
        (row["rule"], share(row["recall"]), share(row["fpr"]), _brackets(row))
        for row in _of(results, "chatgpt")
    )
    return table((*_RULE_AND_RATES, "in brackets"), rows)


def _brackets(row: Results) -> str:
    """What the interval of a row is; of repeated draws, the shares are means."""
    draws = row["recall"].get("draws")
    return "exact 95% interval" if draws is None else f"where 9 of 10 of {draws} draws are; shares are means"


def _apart(results: Results) -> str:
    rows = _of(results, "apart")
    kinds = [key for key in rows[0] if key not in ("table", "label", "n")]
    lines = ((row["label"], row["n"], *(row[kind] for kind in kinds)) for row in rows)
    return table(("label by people", "rows", *(f"head: {kind}" for kind in kinds)), lines)


def _of(results: Results, name: str) -> list[Results]:
    return [row for row in results["measured"] if row["table"] == name]
