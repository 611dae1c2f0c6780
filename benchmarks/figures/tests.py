"""How far the tests reach, and what they notice."""

from benchmarks.figures.tables import INTERVALS, Results, share, table


def coverage_core(results: Results) -> str:
    """A row for each package: lines and branches that its tests reach."""
    rows = [
        (_name(one["package"]), *(_reached(one[what]) for what in ("lines", "branches")))
        for one in results["packages"]
    ]
    return table(("package", "lines", "branches"), rows)


def coverage_lines(results: Results) -> str:
    """Lines of all of src that tests run, before the checks were rearranged and after."""
    rows = [
        (name, f"{one['modules']:,}", f"{one['statements']:,}", f"{one['run']:,}", f"{one['share']:.1%}")
        for name in ("before", "after")
        for one in [results[name]]
    ]
    head = ("", "modules", "lines that can run", "lines that tests run", "share")
    lost = f"{results['lost']} lines that are the same in the same file were run before and not after."
    return f"{table(head, rows)}\n\n{lost}"


def mutation(results: Results) -> str:
    """A row for each package, and for each kind of change: how many of the changes a test noticed."""
    head = ("", "changes tried", "noticed", "not reached by a test", "without effect")
    rows = [
        (
            _name(one["name"]),
            f"{one['mutants']:,}",
            share(one["found"]),
            one["not_reached"],
            one["equivalent"],
        )
        for one in (*results["packages"], *results["kinds"], results["all"])
    ]
    tried = results["all"]["mutants"]
    which = "All of them were tried." if tried == results["of"] else f"A sample of {tried:,} was tried."
    said = f"There are {results['of']:,} such changes. {which} {INTERVALS}"
    return f"{said}\n\n{table(head, rows)}"


def _name(name: str) -> str:
    return (
        f"**{name}**" if name == "all" else f"`{name}`" if name in ("core", "checks", "calibration") else name
    )


def _reached(found: Results) -> str:
    return f"{found['reached'] / found['of']:.1%} of {found['of']:,}"
