"""The service: what it does under load, and what follows for larger ones."""

from math import ceil

from benchmarks.figures.tables import Results, sentence, share, table
from benchmarks.speed.measured import shown

BUSY = 0.6
"""How busy a core may be on average, so that the queue stays short."""
NEW = 0.5
"""The share of questions that nobody asked before of the same passage."""
CORE_HOUR = 0.04
"""What a core costs in an hour, in dollars, where it is rented by the hour."""
SECONDS_A_DAY = 86_400
PEAK = 4
"""How much more comes in the busiest hour than on average."""
TIERS = (("a site", 1), ("a large site", 100), ("a platform", 10_000), ("the internet", 1_000_000))
"""Questions a second in the busiest hour."""
_KINDS = {
    "answered": "the passage answers it",
    "another name": "a name or a date was swapped",
    "same article": "another paragraph of the same article",
    "another article": "a paragraph of another article",
}
_PAGES = {
    "on the page": "a section answers it",
    "taken out": "the section that answers was taken out",
    "another article": "a page of another article",
}


def load(results: Results) -> str:
    """What was measured, by its goal."""
    head = ("", "goal", "measured", "lowest to highest")
    rows = []
    for one in results["measured"]:
        met = {True: "", False: ", **missed**", None: ""}[one["met"]]
        spread = f"{shown(one['low'])} to {shown(one['high'])}" if one["rounds"] > 1 else ""
        about = sentence(f"{one['name']}: {one['about']}")
        rows.append((about, f"{one['goal']}{met}", f"**{shown(one['ratio'])}**", spread))
    return table(head, rows)


def cost(results: Results) -> str:
    """CPU time by length, as a multiple of that of 1,000 characters of prose."""
    head = ("characters", *(f"{length:,}" for length in results["lengths"]), "R² of a line", "by estimate")
    rows = [
        (name, *(f"{value:.1f}" for value in one["cpu"]), f"{one['r2']:.3f}", f"{one['by_estimate']:.2f}")
        for name, one in results["kinds"].items()
    ]
    return table(head, rows)


def attack(results: Results) -> str:
    """What readers saw while one key sent the worst that it may."""
    rows = [
        (
            "readers: the time that 95 of 100 do not exceed, by that of a quiet service",
            "at most 2",
            f"{results['p95_by_quiet']:.2f}",
        ),
        ("readers who were answered", "all", f"{results['readers_answered']:.1%}"),
        (
            "longest wait for a refusal, by the limit that is set",
            "at most 1.2",
            f"{results['longest_refusal_by_limit']:.2f}",
        ),
        (
            "requests of the attacker: answered, refused",
            "",
            f"{results['attacks_answered']:,}, {results['attacks_refused']:,}",
        ),
        ("refusals with `Retry-After`", "all", f"{results['refusals_with_retry_after']:.1%}"),
    ]
    return table(("", "goal", "measured"), rows)


def faults(results: Results) -> str:
    """What was acknowledged, lost and doubled, and how long it took to be well again."""
    told = results["summary"]
    slowest = max(told["worst_recovery"], key=told["worst_recovery"].__getitem__)
    rows = [
        ("services killed at random moments, under load", f"{told['kills']:,}"),
        ("messages acknowledged, in all scenes", f"{told['acknowledged']:,}"),
        ("of these, lost", f"{told['lost']:,}"),
        ("of these, there twice", f"{told['doubled']:,}"),
        (f"slowest to recover ({slowest}), in seconds", f"{told['worst_recovery'][slowest]:.1f}"),
    ]
    return table(("", "measured"), rows)


def capacity(results: Results) -> str:
    """What each tier takes, from what one core did."""
    fresh, known = results["peak"], _rate(results, "everything cached")
    head = ("", "questions a second", "engine cores", "web cores", "cores, dollars a day", "kept a day, GB")
    rows = []
    for name, rate in TIERS:
        engines = max(1, ceil(rate * NEW / fresh / BUSY))
        webs = max(1, ceil(rate / known / BUSY))
        kept = rate / PEAK * SECONDS_A_DAY * results["kept"]["bytes_each"] / 1e9
        cost = (engines + webs) * CORE_HOUR * 24
        rows.append((name, f"{rate:,}", f"{engines:,}", f"{webs:,}", f"{cost:,.0f}", f"{kept:,.1f}"))
    return table(head, rows)


def core(results: Results) -> str:
    """What one core did."""
    kept = results["kept"]
    rows = [
        ("checks a second by one engine, new answers and new passages", f"{results['peak']:.0f}"),
        ("checks a second by one web process, judged before", f"{_rate(results, 'everything cached'):,.0f}"),
        ("bytes of a message in PostgreSQL, with its indexes", f"{kept['bytes_each']:,.0f}"),
        (
            "messages a second by one writer, committed by the hundred",
            f"{results['kept']['each_second']:,.0f}",
        ),
    ]
    return table(("", "measured"), rows)


def extractive(results: Results) -> str:
    """What the writer without a language model does."""
    rows = []
    for one in results["measured"]:
        right = share(one["right"]) if "right" in one else ""
        rows.append((_KINDS[one["kind"]], f"{one['given']['n']:,}", share(one["given"]), right))
    return table(("the question", "n", "gets an answer", "with the right sentence"), rows)


def page_questions(results: Results) -> str:
    """How questions about whole pages are answered."""
    later = results["later"]
    rules = (
        ("by words and the encoder alone", results["extraction"]),
        ("with the reader, fitted on the other pages", results["left_out"]),
        ("the later pages alone: by words and the encoder", later["extraction"]),
        ("the later pages alone: with the reader, fitted on the earlier ones", later["by_earlier_pages"]),
    )
    rows = [
        (said, *(share(shares[name]) for name in ("useful", "wrong", "shown_unanswerable")))
        for said, shares in rules
    ]
    head = ("sentences are found", "useful, of answerable", "wrong, of all", "shown, of unanswerable")
    asked = f"{results['questions']} questions about {results['pages']} pages"
    answerable = results["left_out"]["useful"]["n"]
    return f"{table(head, rows)}\n\n{asked}, of which {answerable} are answered by their page."


def related(results: Results) -> str:
    """What is told of the sections of a page."""
    rows = []
    for one in results["measured"]:
        right = [share(one[key]) if key in one else "" for key in ("right", "first")]
        rows.append((_PAGES[one["kind"]], f"{one['given']['n']:,}", share(one["given"]), *right))
    head = (
        "the question",
        "n",
        "gets a section",
        f"the right one in the first {results['top']}",
        "right first",
    )
    return table(head, rows)


def _rate(results: Results, name: str) -> float:
    return next(float(one["ratio"]) for one in results["measured"] if one["name"] == name)
