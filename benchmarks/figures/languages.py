"""Ways to tell the language of a text, side by side."""

from benchmarks.figures.tables import INTERVALS, Results, share, table

_SHORT = "20 to 40"


def languages(results: Results) -> str:
    """A row for each: weight, licence, time, and both kinds of error, of all texts and of the shortest."""
    head = (
        "way",
        "installed",
        "licence",
        "a text",
        "English taken for another",
        "of 20 to 40 characters",
        "another taken for English",
        "of 20 to 40 characters",
    )
    rows = [
        (
            one["name"],
            f"{one['kilobytes']:,} kB",
            one["licence"],
            f"{one['milliseconds_a_text']:.2f} ms",
            *_errors(one["english_taken_for_another"]),
            *_errors(one["others_taken_for_english"]),
        )
        for one in results["measured"]
    ]
    counts = f"{results['english']:,} English texts and {results['others']:,} in other languages"
    return f"{table(head, rows)}\n\n{counts}, each of at least 20 characters. {INTERVALS}"


def _errors(found: Results) -> tuple[str, str]:
    return share(found["all"]), share(found[_SHORT]) if _SHORT in found else ""
