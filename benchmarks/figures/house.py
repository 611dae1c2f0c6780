"""How the package is cut into modules."""

from benchmarks.figures.tables import Results, table

_COUNTS = {
    "modules": "modules",
    "lines": "lines",
    "median_lines": "lines of a module, median",
    "p90_lines": "lines of a module, nine of ten have fewer",
    "largest_lines": "lines of the largest",
    "files_under_40_lines": "modules under 40 lines",
    "single_importers": "modules that one other imports",
    "class_names_used_twice": "class names used more than once",
}


def house(results: Results) -> str:
    """What can be counted, before and now."""
    rows = [
        (about, f"{results['before'][name]:,g}", f"{results['now'][name]:,g}")
        for name, about in _COUNTS.items()
    ]
    return table(("", "before", "now"), rows)


def house_packages(results: Results) -> str:
    """A row for each package that has more modules than were planned, and one for all others."""
    planned, now = results["planned"], results["packages"]
    more = sorted((planned.get(name, 0) - now[name][0], name) for name in now)
    rows = [
        (
            f"`{name}`" if name else "the top",
            planned.get(name, "not planned"),
            now[name][0],
            f"{now[name][1]:,}",
        )
        for growth, name in more
        if growth < 0
    ]
    others = [name for growth, name in more if growth >= 0]
    rows.append(
        (
            f"{len(others)} others",
            sum(planned[name] for name in others),
            sum(now[name][0] for name in others),
            f"{sum(now[name][1] for name in others):,}",
        )
    )
    return table(("package", "modules, planned", "modules, now", "lines, now"), rows)


def files_executed(results: Results) -> str:
    """In how many files each use calls functions."""
    rows = [(use, one["before"], one["now"]) for use, one in results.items()]
    return table(("files in which functions are called", "before", "now"), rows)


def run_family(results: Results) -> str:
    """What runs cost in lines while they were three families, and as one."""
    sides = ("before", "now")
    rows = [
        ("all of it", *(_modules_and_lines(results[side]) for side in sides)),
        (
            "for what one side alone can do",
            *(
                f"{sum(one['lines'] for one in results[key]):,}"
                for key in ("removed_features", "new_features")
            ),
        ),
        ("for the same features", *(_modules_and_lines(results[f"{side}_same"]) for side in sides)),
    ]
    return table(("lines of src", "before", "now"), rows)


def _modules_and_lines(counts: Results) -> str:
    return f"{counts['lines']:,} in {counts['modules']} modules"
