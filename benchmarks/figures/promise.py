"""How often a fitted line breaks its promise."""

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
        "line by",
        f"fits that let more than {wanted['fpr']:.0%} of the bad pass",
        "bad that pass, on average",
        "good that pass, on average",
    )
    said = f"{results['fits']:,} fits of each, on {each} good and {each} bad readings. {INTERVALS}"
    return f"{table(head, rows)}\n\n{said}"
