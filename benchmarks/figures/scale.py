"""Large runs: what they cost beside the encoder, and what follows for a billion pairs and more."""

from typing import Any

from benchmarks.figures.tables import Results, sentence, table
from benchmarks.speed.measured import shown

_HEAD = ("what is divided by what", "goal", "measured", "lowest to highest")
_STORED = {
    "input": "input",
    "routed": "routed copy",
    "results": "results",
    "vectors_float32": "vectors, float32",
    "vectors_float16": "vectors, float16",
}


def overhead(results: Results) -> str:
    """Each executor by the bare encoder."""
    starts = ", ".join(
        f"{_middle(one['notes']['CPU seconds before workers are ready'])} by `{one['name']}`"
        for one in results["measured"]
    )
    ray = next(one["notes"] for one in results["measured"] if one["name"] == "ray")
    said = (
        f"{results['rows']:,} pairs, {results['texts']:,} texts, {results['distinct']:,} of them distinct. "
        f"Not in it are the CPU seconds until workers are ready: {starts}. In it are those of Ray's own "
        f"daemons: {_middle(ray['of these, of daemons'])} of {_middle(ray['CPU seconds'])}."
    )
    return f"{_measured(results)}\n\n{said}"


def null_rows(results: Results) -> str:
    """A row without an encoder, and memory as rows grow."""
    peaks = results["measured"][1]["notes"]
    said = ", ".join(f"{value:,} at {name.rpartition(' ')[2]} rows" for name, value in peaks.items())
    return f"{_measured(results)}\n\nPeak memory of all processes in megabytes: {said}."


def simulated(results: Results) -> str:
    """One large run without an encoder."""
    rows = [
        ("rows", f"{results['rows']:,}"),
        ("microseconds of CPU time a row", f"{results['microseconds_a_row']:.1f}"),
        ("minutes, on two cores", f"{results['seconds'] / 60:.0f}"),
        ("peak memory of all processes, megabytes", f"{results['megabytes']:,}"),
        ("files of results", f"{results['files']:,}"),
        ("routed copy, GB", f"{results['routed_bytes'] / 1e9:.1f}"),
        ("results, GB", f"{results['result_bytes'] / 1e9:.1f}"),
        ("manifest, MB", f"{results['manifest_bytes'] / 1e6:.2f}"),
    ]
    return table(("", "measured"), rows)


def identical(results: Results) -> str:
    """Whether all executors give the same bytes."""
    rows = [(f"`{on}`", f"`{digest[:16]}…`") for on, digest in results["digests"].items()]
    same = "byte for byte the same" if results["same"] else "**different**"
    said = f"{results['rows']:,} pairs with {results['distinct']:,} distinct texts: {same}."
    return f"{table(('executor', 'digest of the sorted table'), rows)}\n\n{said}"


def throughput(results: Results) -> str:
    """Two workers by one."""
    rows = [
        (sentence(one["about"]), f"**{shown(one['ratio'])}**", f"{shown(one['low'])} to {shown(one['high'])}")
        for one in results["measured"]
    ]
    return table(("what is divided by what", "measured", "lowest to highest"), rows)


def compared(results: Results) -> str:
    """Two large runs compared within a limit of memory."""
    rows = [
        ("rows in each run", f"{results['rows']:,}"),
        ("memory that the queries may use, MB", f"{results['memory_limit_mb']:,}"),
        ("peak memory of the process, MB", f"{results['peak_mb']:,}"),
        ("microseconds of CPU time a row", f"{1e6 * results['cpu_seconds'] / results['rows']:.1f}"),
    ]
    return table(("", "measured"), rows)


def distinct(results: Results) -> str:
    """How much is left to encode when each text is read once."""
    rows = [
        (
            one["name"],
            f"{one['rows']:,}",
            f"{one['references'] / one['rows']:.0%}",
            f"{one['answers'] / one['rows']:.0%}",
            f"{one['left_by_references']:.0%}",
            f"{one['left']:.0%}",
        )
        for one in results["sets"]
    ]
    head = (
        "set",
        "pairs",
        "distinct references",
        "distinct answers",
        "tokens left, references once",
        "tokens left, answers once too",
    )
    return table(head, rows)


def core(results: Results) -> str:
    """What one core does."""
    rates = results["rates"]
    rows = [
        ("tokens a second, with all that a run does around them", f"{rates['tokens_by_core_second']:,.0f}"),
        ("pairs a second, of the pairs that were measured", f"{rates['rows_by_core_second']:,.0f}"),
        ("tokens of such a pair, each text read once", f"{rates['tokens_a_row']:.0f}"),
        ("pairs a second without an encoder", f"{rates['null_rows_by_core_second']:,.0f}"),
    ]
    return table(("one core", "measured"), rows)


def published(results: Results) -> str:
    """What others measured of accelerators."""
    rows = [
        (
            one["accelerator"],
            one["model"],
            f"{one['texts_a_second']:,.0f}",
            f"[{one['said']}]({one['source']})",
        )
        for one in results["published"]
    ]
    return table(("accelerator", "model", "texts a second", "as published, not measured by us"), rows)


def cost(results: Results) -> str:
    """What a million and a billion pairs cost, by machine."""
    rows = [
        (
            f"{one['name']}, {one['about']}" + ("" if one["measured_by_us"] else " (rate as published)"),
            f"{one['rows_a_second']:,.0f}",
            f"{one['million']:.2f}",
            f"{one['million_spot']:.2f}",
            f"{one['billion']:,.0f}",
            f"{one['billion_spot']:,.0f}",
            f"{one['billion_hours']:,.1f} on {one['together']:,} {one['of']}",
        )
        for one in results["machines"]
    ]
    head = (
        "machine",
        "pairs a second",
        "a million, dollars",
        "spare capacity",
        "a billion, dollars",
        "spare capacity",
        "hours of a billion",
    )
    return f"{table(head, rows)}\n\nPrices of {results['prices_of']}: `benchmarks/scale/prices.json`."


def storage(results: Results) -> str:
    """Bytes by size of the run."""
    sizes = results["sizes"]
    rows = [
        (f"{said}, GB", *(_many(one["gigabytes"][name]) for one in sizes)) for name, said in _STORED.items()
    ]
    rows.append(("results, dollars a month", *(_many(one["storage_a_month"]) for one in sizes)))
    return table(_sizes(results), rows)


def limits(results: Results) -> str:
    """What grows with a run, and how far."""
    told = {
        "pieces": "routed files",
        "shards": "files of results",
        "groups": "groups of rows, in all routed files",
        "rows_of_a_group": "rows of such a group",
        "gets": "requests that read",
        "requests": "all requests, dollars",
        "hours_of_gets": "hours that one prefix of a store takes for them",
        "driver_megabytes": "memory of the driver for the list of groups, MB",
        "manifest_megabytes": "manifest, MB",
        "listings": "requests to list what is done",
    }
    rows = [(said, *(_many(one[name]) for one in results["sizes"])) for name, said in told.items()]
    return table(_sizes(results), rows)


def failures(results: Results) -> str:
    """What goes away during a billion pairs, and what is done again."""
    one = results["failures"]
    rows = [
        ("hours of machines with 16 cores", f"{one['machine_hours']:,.0f}"),
        ("machines that are taken away, at 5% of them a month", f"{one['lost']:.2g}"),
        ("minutes that a core works on a shard", f"{one['shard_minutes']:.0f}"),
        ("share of the pairs that is assessed twice", f"{one['done_again']:.3%}"),
    ]
    return table((f"{one['rows']:,} pairs on spare capacity", "computed"), rows)


def killed(results: Results) -> str:
    """What came of kills at random moments."""
    kills = f"{results['nodes']} machines, {results['actors']} actors, {results['drivers']} drivers"
    rows = [
        ("killed at random moments", kills),
        (f"runs of {results['rows']:,} pairs whose table was another one", results["other_tables"]),
        (f"of {results['shards']:,} shards, done again after one kill, at most", results["most_redone"]),
        (
            "seconds of the same command once the run was finished, at most",
            f"{results['finished_again']:.1f}",
        ),
    ]
    return table(("on a head and two worker nodes of Ray", "measured"), rows)


def _measured(results: Results) -> str:
    rows = []
    for one in results["measured"]:
        met = {True: "", False: ", **missed**", None: ""}[one["met"]]
        spread = f"{shown(one['low'])} to {shown(one['high'])}" if one["rounds"] > 1 else ""
        rows.append(
            (sentence(one["about"]), f"{one['goal'] or 'none'}{met}", f"**{shown(one['ratio'])}**", spread)
        )
    return table(_HEAD, rows)


def _sizes(results: Results) -> tuple[str, ...]:
    return ("pairs", *(f"{one['rows']:,}" for one in results["sizes"]))


def _many(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.2g}"


def _middle(numbers: list[Any]) -> str:
    return f"{sorted(numbers)[len(numbers) // 2]:g}"
