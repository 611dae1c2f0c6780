"""What vectors that are kept in fewer bits do to decisions."""

from benchmarks.figures.tables import Results, table


def precision(results: Results) -> str:
    """A row for each set and each way of keeping vectors."""
    rules = list(results["lines"])
    head = (
        "set",
        "kept in",
        "bytes a vector",
        "closeness moves by at most",
        *(f"flipped by `{rule}`, line {results['lines'][rule]:g}" for rule in rules),
        "flipped over all lines",
        "of these beyond a band of doubt",
    )
    rows = (
        (
            row["set"],
            row["kept"],
            f"{results['bytes_a_vector'][row['kept']]:,}",
            f"{row['largest_move']:.5f}",
            *(f"{row['flipped'][rule]:,} of {row['pairs']:,}" for rule in rules),
            f"{row['flipped_of_sweep']:,} of {row['pairs'] * results['sweep'][2]:,}",
            row["beyond_band"],
        )
        for row in results["measured"]
    )
    low, high, count = results["sweep"]
    pairs = ", ".join(
        f"{n:,} of {name}" for name, n in {r["set"]: r["pairs"] for r in results["measured"]}.items()
    )
    said = (
        f"Pairs: {pairs}. All lines are the {count} from {low:g} to {high:g}; the band of doubt reaches "
        f"{results['band']:g} to either side."
    )
    return f"{table(head, rows)}\n\n{said}"
