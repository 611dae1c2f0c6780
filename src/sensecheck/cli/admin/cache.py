"""`sensecheck cache`: vectors, scores of pairs, judges' replies and answers of batteries, on disk."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.options import Json, option

if TYPE_CHECKING:
    from sensecheck.installation.cache import CacheUse

# ruff: noqa: PLC0415 - SQLite and the settings are for these verbs only

WORD_FOR_WORD = {
    "replies": "what judges replied, word for word; that may repeat what they were asked",
    "answers": "what sources of batteries answered, word for word",
}
app = typer.Typer(help="Show or clear what is cached on disk.", no_args_is_help=True)


@app.command()
def show(as_json: Json = False) -> None:
    """Show where vectors, scores, replies and answers are cached, and how many by which model or source."""
    from sensecheck.installation.cache import cache_contents

    caches = cache_contents()
    if not caches:
        _show_off(as_json=as_json)
    elif as_json:
        write_json(
            _joined(
                {
                    cache.kind: {
                        "path": cache.path,
                        "bytes": cache.bytes,
                        "max_bytes": cache.max_bytes,
                        cache.kind: cache.counts,
                    }
                    for cache in caches
                }
            )
        )
    else:
        for cache in caches:
            _show(Console(), cache)


@app.command()
def clear(
    encoder: Annotated[
        str | None, option("--encoder FINGERPRINT", "Only this encoder's, as `show` names it.")
    ] = None,
    verifier: Annotated[
        str | None, option("--verifier FINGERPRINT", "Only this verifier's, as `show` names it.")
    ] = None,
    judge: Annotated[
        str | None, option("--judge FINGERPRINT", "Only this judge's, as `show` names it.")
    ] = None,
    source: Annotated[
        str | None, option("--source FINGERPRINT", "Only this source's, as `show` names it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything, also when it is damaged.")] = False,
    as_json: Json = False,
) -> None:
    """Clear vectors, scores, replies and answers; they are made again when they are needed."""
    from sensecheck.installation.cache import ClearRequest, clear_cache

    cleared = clear_cache(
        ClearRequest(encoder=encoder, verifier=verifier, judge=judge, source=source, everything=everything)
    )
    if not cleared:
        _show_off(as_json=as_json)
    elif as_json:
        write_json(
            _joined(
                {
                    entry.kind: {"path": entry.path, entry.kind: entry.count, "bytes": entry.bytes}
                    for entry in cleared
                }
            )
        )
    else:
        for entry in cleared:
            path = safe(entry.path)
            if entry.count is None:
                Console().line(f"deleted the damaged file {path} ({entry.bytes:,} bytes)")
            else:
                Console().line(f"cleared {path}: {entry.kind} {entry.count:,}, bytes {entry.bytes:,}")


def _show(console: Console, use: "CacheUse") -> None:
    from sensecheck.installation.cache import STORED

    console.line((safe(use.path), "bold"))
    limit = "" if use.max_bytes is None else f"; the {STORED[use.kind]} may take {use.max_bytes:,}"
    console.line(f"{use.bytes:,} bytes{limit}", indent=2)
    for fingerprint, count in use.counts.items():
        console.line((f"{count:,} {use.kind} ", "cyan"), safe(fingerprint), indent=2)
    if not use.counts:
        console.line("empty", indent=2)
    elif use.kind in WORD_FOR_WORD:
        console.line((WORD_FOR_WORD[use.kind], "yellow"), indent=2)


def _joined(by_kind: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The data of the vectors, with that of the others inside; or that of the only one there is."""
    others = {kind: data for kind, data in by_kind.items() if kind != "texts"}
    if "texts" in by_kind:
        return {**by_kind["texts"], **others}
    (alone,) = others.values()
    return alone


def _show_off(*, as_json: bool) -> None:
    if as_json:
        write_json({"path": None})
    else:
        Console().line("the cache is off: SENSECHECK_CACHE=off")
