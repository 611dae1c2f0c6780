"""How often a fitted cutoff breaks its promise: on readings, and for the verdicts of a check."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

_METHODS = {
    "exact": "`exact`",
    "conformal": "`conformal`, on average only",
    "empirical_quantile": "5% quantile of the rows at hand",
    "best_f1": "`best_f1`, the best F1 at hand",
}


def promise(results: Results) -> str:
    """A row for each kind of readings and each method."""
    rows = (
        (
            row["population"],
            _METHODS[row["method"]],
            share(row["broken"]),
            f"{row['mean_fpr']:.1%}",
            f"{row['mean_tpr']:.1%}",
        )
        for row in results["measured"]
    )
    wanted, each = results["wanted"], results["rows_per_label"]
    head = (
        "readings",
        "cutoff by",
        f"fits that let more than {wanted['fpr']:.0%} of the bad pass",
        "bad that pass, on average",
        "good that pass, on average",
    )
    said = f"{results['fits']:,} fits of each, on {each} good and {each} bad readings. {INTERVALS}"
    return f"{table(head, rows)}\n\n{said}"


_WAYS = {"verdicts": "verdicts, by the number of claims", "reading": "the reading alone, one cutoff for all"}
_ERRORS = {"fpr": "bad answers that pass", "fnr": "good answers that fail"}
_FEWEST_SPLITS = 20
"""Ranges of claims that fewer splits have a cutoff for are left out."""


def verdict_promise(results: Results) -> str:
    """A row for each promise and each number of claims that one was made for."""
    rows = (
        (
            f"`{row['policy']}`",
            _WAYS[row["way"]],
            f"{_ERRORS[next(iter(row['target']))]}{', both promised' if row['promise'] == 'both' else ''}",
            row["claims"],
            row["splits"],
            f"{row['errors']:.1%}",
            share(row["above"]),
            f"{row['by_chance']:.1%}" if row["way"] == "verdicts" else "",
            share(row["contradicted"]),
        )
        for row in results["measured"]
        if row["splits"] >= _FEWEST_SPLITS and (row["way"], row["promise"]) != ("reading", "both")
    )
    head = (
        "policy",
        "cutoff fitted on",
        f"promised: at most {results['wanted']:.0%} of",
        "answers of",
        "splits",
        "errors on the other half, on average",
        "splits with more errors than promised",
        "of these, by chance alone",
        "splits that contradict the promise",
    )
    said = (
        f"{results['splits']} random splits of {results['questions']} questions with {results['rows']} "
        f"answers, {results['bad']} of them bad. {INTERVALS}"
    )
    return f"{table(head, rows)}\n\n{said}"
