"""What it takes: speed as ratios, and the weight of an install."""

from benchmarks.figures.tables import Results, sentence, table
from benchmarks.speed.measured import shown


def speed(results: Results) -> str:
    """A row for each measured ratio."""
    rows = (
        (sentence(one["about"]), one["goal"] or "none", f"**{shown(one['ratio'])}**", _met(one["met"]))
        for one in results["measured"]
    )
    return table(("what is divided by what", "goal", "measured", "met"), rows)


def weight(results: Results) -> str:
    """Both installs."""
    rows = [
        ("`sensecheck`", results["base_distributions"], f"{results['base_megabytes']:g} MB"),
        ("`sensecheck[local]`", results["distributions"], f"{results['megabytes']:g} MB"),
    ]
    return table(("install", "distributions", "on disk"), rows)


def check_times(results: Results) -> str:
    """What the checks took before and after they were parted, and the sizes of both trees."""
    columns = [name for name in ("before", "after") if name in results]
    recipes = sorted({recipe for name in columns for recipe in results[name].get("recipes", {})})
    rows = [(f"`just {recipe}`", *(_took(results[name], recipe) for name in columns)) for recipe in recipes]
    for key, about in (
        ("src_modules", "modules of `src`"),
        ("src_lines", "lines of `src`"),
        ("tests_modules", "modules of `tests`"),
        ("tests_lines", "lines of `tests`"),
    ):
        rows.append((about, *(f"{results[name][key]:,}" for name in columns)))
    rows.append(("tests, collected", *(f"{results[name]['collection']['tests']:,}" for name in columns)))
    return table(("", *columns), rows)


def before_and_after(results: Results) -> str:
    """What ordinary uses cost now, divided by what they cost at an earlier commit."""
    rows = [
        (use, f"**{one['now / before']:g}**", "{:g} to {:g}".format(*one["spread"]))
        for use, one in results["ratios"].items()
    ]
    return table(("CPU time", f"now / `{results['before']}`", "from the luckiest to the worst round"), rows)


def _took(row: Results, recipe: str) -> str:
    if recipe not in row.get("recipes", {}):
        return "not there"
    times = row["recipes"][recipe]
    failed = "" if times["exit_code"] == 0 else ", failed"
    return f"{times['wall_seconds'] / 60:.1f} min, {times['cpu_seconds'] / 60:.1f} min of CPU time{failed}"


def sdk_size(results: Results) -> str:
    """Ours, then those of others."""
    ours = [(f"**{sentence(one['name'])}**", f"**{_kilobytes(one)}**") for one in results["ours"]]
    peers = [(f"`{one['name']}` {one['version']}", _kilobytes(one)) for one in results["peers"]]
    return table(("", "kB, gzipped"), [*ours, *peers])


def _kilobytes(one: Results) -> str:
    return f"{one['bytes'] / 1000:,.1f}"


def promptfoo(results: Results) -> str:
    """Each of the others divided by `sensecheck run`: by CPU time, and by the clock."""
    by_name: dict[str, list[str]] = {}
    for one in results["measured"]:
        by_name.setdefault(one["name"].rpartition(", ")[0], []).append(f"**{shown(one['ratio'])}**")
    about = {one["name"].rpartition(", ")[0]: one["about"].rpartition(", ")[0] for one in results["measured"]}
    lines = ((sentence(about[name]), *cells) for name, cells in by_name.items())
    said = (
        f"{results['pairs']:,} pairs, median of {results['rounds']} rounds, "
        f"promptfoo {results['promptfoo']}, sensecheck {results['sensecheck']}."
    )
    return f"{table(('what is divided by what', 'CPU time', 'on the clock'), lines)}\n\n{said}"


def guards(results: Results) -> str:
    """Other frameworks' filters divided by our chain, in each of the ways in which candidates come."""
    rows = (
        (sentence(one["about"]), one["goal"] or "none", f"**{shown(one['ratio'])}**", _met(one["met"]))
        for one in results["measured"]
        if not one["name"].startswith(("our ", "the encoder"))
    )
    shared, versions = results["shared"], results["versions"]
    said = (
        f"{shared['queries']:,} queries with {results['candidates']} candidates each, of which "
        f"{shared['distinct_candidates']:,} are distinct; LangChain {versions['langchain-core']}, LlamaIndex "
        f"{versions['llama-index-core']}, the same encoder for all. Where no candidate occurs twice, "
        f"{results['strangers']['queries']} queries. What was kept is the same for all; candidates "
        f"within a hundred-thousandth of the cutoff: {shared['within_noise_of_the_cutoff']}."
    )
    return f"{table(('what is divided by what', 'goal', 'measured', 'met'), rows)}\n\n{said}"


def readers_speed(results: Results) -> str:
    """What a claim costs with each reader, and what other engines would cost."""
    rows = (
        (sentence(one["about"]), one["goal"] or "none", f"**{shown(one['ratio'])}**", _met(one["met"]))
        for one in results["measured"]
    )
    refused = "".join(f" {name} was refused: {why}." for name, why in results["refused"].items())
    said = (
        f"One thread, median of {results['measured'][0]['rounds']} rounds; ONNX Runtime "
        f"{results['packages']['onnxruntime']}, OpenVINO {results['packages']['openvino']}.{refused}"
    )
    return f"{table(('what is divided by what', 'goal', 'measured', 'met'), rows)}\n\n{said}"


def lexical(results: Results) -> str:
    """The reference packages divided by our measures, for each kind of pair."""
    rows = (
        (sentence(one["about"]), one["notes"]["pairs"], one["goal"] or "none", f"**{shown(one['ratio'])}**")
        for one in results["measured"]
    )
    packages = results["packages"]
    said = (
        f"sacrebleu {packages['sacrebleu']}, rouge-score {packages['rouge-score']}, one thread, median of "
        f"{results['measured'][0]['rounds']} rounds; all give the same numbers, to 10⁻⁹."
    )
    return f"{table(('what is divided by what', 'pairs', 'goal', 'measured'), rows)}\n\n{said}"


def pgvector(results: Results) -> str:
    """What is found through the graph, and what the guards behind it cost."""
    rows = (
        (sentence(one["about"]), _of(one["name"]), one["goal"] or "none", f"**{shown(one['ratio'])}**")
        for one in results["measured"]
        if one["name"].startswith(("recall", "all guards", "guards without"))
    )
    said = (
        f"{results['vectors']:,} vectors of {results['dimension']} numbers, {results['queries']} queries, "
        f"PostgreSQL {results['postgresql']}, pgvector {results['pgvector extension']}. "
        f"{sentence(results['about'])}."
    )
    return f"{table(('what', '', 'goal', 'measured'), rows)}\n\n{said}"


def _of(name: str) -> str:
    return name.rpartition(", ")[2] if name.startswith("recall") else name.rpartition(", ")[0]


def _met(met: bool | None) -> str:
    return {True: "yes", False: "**no**", None: ""}[met]
