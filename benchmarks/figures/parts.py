"""Parts of ours beside libraries that could do their work."""

from benchmarks.figures.tables import Results, table


def parts(results: Results) -> str:
    """A row for each library: lines, weight and speed."""
    rows = (
        (
            f"`{one['library']}` {one['version']}",
            one["part"],
            one["lines"],
            one["around"],
            one["distributions"],
            f"{one['kilobytes']:,}",
            _ratio(one["speed"]),
        )
        for one in results["measured"]
    )
    head = (
        "library",
        "for",
        "lines of ours",
        "lines around it",
        "distributions",
        "kB installed",
        "its CPU time by ours",
    )
    return table(head, rows)


def parts_messages(results: Results) -> str:
    """A row for each mistake: what ours says, and what the library does."""
    rows = (
        (f"`{one['library']}`", _cell(told["mistake"]), _said(told["ours"]), _said(told["theirs"]))
        for one in results["measured"]
        for told in one["messages"]
    )
    return table(("library", "mistake", "ours", "the library"), rows)


def parts_limits(results: Results) -> str:
    """What a request costs in Redis."""
    one = _of(results, "limits")
    ours, theirs = one["round_trips"]
    rows = [
        ("round trips to Redis for one request", ours, theirs),
        ("CPU time of the service for one request in Redis", 1, _ratio(one["redis"])),
    ]
    return table(("", "ours", "`limits`"), rows)


def parts_msgspec(results: Results) -> str:
    """What msgspec makes of our cards, and of the schema of a dataclass."""
    one = _of(results, "msgspec")
    rows = [
        ("cards that we ship, and that are read", one["cards"], one["cards"] - one["cards_refused"]),
        ("the schema refuses unknown keys", "yes", _yes(one["schema_is_closed"])),
        ("the schema describes its fields", "yes", _yes(one["schema_has_descriptions"])),
    ]
    return table(("", "ours", "`msgspec`"), rows)


def _of(results: Results, library: str) -> Results:
    return next(row for row in results["measured"] if row["library"] == library)


def _yes(found: bool) -> str:
    return "yes" if found else "no"


def _ratio(found: Results) -> str:
    return f"**{found['ratio']:g}** ({found['low']:g}–{found['high']:g})"


def _said(message: str) -> str:
    return _cell(message) if message else "*takes it*"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
