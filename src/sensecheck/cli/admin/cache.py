"""`sensecheck cache`: vectors, scores of pairs, judges' replies and answers of batteries, on disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.options import Json, settings_with
from sensecheck.core.errors import CacheError, SpecError

if TYPE_CHECKING:
    from sensecheck.encoders.disk_cache import Keeper

# ruff: noqa: PLC0415 - SQLite and the settings are for these verbs only

Counted = Literal["texts", "pairs", "replies", "answers"]
"""What entries belong to: the vectors of texts, a verifier's scores of pairs, a judge's replies, or a
source's answers."""
BESIDE = ("-wal", "-shm", "")
"""Endings of a cache's files, the main one last: what is left without it is not read again."""
STORED: dict[Counted, str] = {"texts": "vectors", "pairs": "scores"}
"""What is stored, where that is called otherwise than what is counted."""
WORD_FOR_WORD: dict[Counted, str] = {
    "replies": "what judges said, word for word; that may repeat what they were asked",
    "answers": "what sources of batteries answered, word for word",
}
app = typer.Typer(help="Show or clear what is kept on disk.", no_args_is_help=True)


@app.command()
def show(as_json: Json = False) -> None:
    """Show where vectors, scores, replies and answers are kept, and how many by which model or source."""
    keepers = _keepers()
    if not keepers:
        _say_off(as_json=as_json)
        return
    counts = {counted: _count(keeper) for counted, keeper in keepers.items()}
    if as_json:
        write_json(
            _joined(
                {
                    counted: {**_described(keeper), counted: counts[counted]}
                    for counted, keeper in keepers.items()
                }
            )
        )
        return
    paper = Paper()
    for counted, keeper in keepers.items():
        _show(paper, keeper, counted, counts[counted])


@app.command()
def clear(
    encoder: Annotated[
        str | None,
        typer.Option("--encoder", metavar="FINGERPRINT", help="Only this encoder's, as `show` names it."),
    ] = None,
    verifier: Annotated[
        str | None,
        typer.Option("--verifier", metavar="FINGERPRINT", help="Only this verifier's, as `show` names it."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="FINGERPRINT", help="Only this judge's, as `show` names it."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="FINGERPRINT", help="Only this source's, as `show` names it."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything, also when it is damaged.")] = False,
    as_json: Json = False,
) -> None:
    """Let go of vectors, scores, replies and answers; they are made again when they are needed."""
    maker: dict[Counted, str | None] = {
        "texts": encoder,
        "pairs": verifier,
        "replies": judge,
        "answers": source,
    }
    if everything + sum(named is not None for named in maker.values()) != 1:
        raise SpecError(
            "say what to clear: one of `--encoder FINGERPRINT`, `--verifier FINGERPRINT`, "
            "`--judge FINGERPRINT`, `--source FINGERPRINT` and `--all`"
        )
    keepers = _keepers()
    if not keepers:
        _say_off(as_json=as_json)
        return
    gone = {
        counted: _cleared(keeper, counted, maker[counted])
        for counted, keeper in keepers.items()
        if everything or maker[counted] is not None
    }
    if as_json:
        write_json(_joined(gone))
        return
    for counted, cleared in gone.items():
        _say_cleared(cleared, counted)


def _keepers() -> "dict[Counted, Keeper]":
    """The caches, by what is counted there; none when the cache is off."""
    from sensecheck.encoders.caches import keeper_at
    from sensecheck.io.blobcache import AnswerFile, ReplyFile

    settings = settings_with(None)
    vectors, replies, answers = settings.cache_address(), settings.replies_file(), settings.answers_file()
    if vectors is None or replies is None or answers is None:
        return {}
    most = settings.cache_mb * 1_000_000
    return {
        "texts": keeper_at(vectors, max_bytes=most),
        "pairs": keeper_at(vectors, max_bytes=most, what="pairs"),
        "replies": ReplyFile(replies, max_bytes=most),
        "answers": AnswerFile(answers),
    }


def _show(paper: Paper, keeper: "Keeper", counted: Counted, counts: Mapping[str, int]) -> None:
    paper.say((safe(keeper.address), "bold"))
    stored = STORED.get(counted, counted)
    most = "" if keeper.max_bytes is None else f"; the {stored} may take {keeper.max_bytes:,}"
    paper.say(f"{_size(keeper):,} bytes{most}", indent=2)
    for fingerprint, count in counts.items():
        paper.say((f"{count:,} {counted} ", "cyan"), safe(fingerprint), indent=2)
    if not counts:
        paper.say("empty", indent=2)
    elif counted in WORD_FOR_WORD:
        paper.say((WORD_FOR_WORD[counted], "yellow"), indent=2)


def _joined(by_file: Mapping[Counted, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The data of the vectors, with that of the others inside; or that of the only one there is."""
    others: dict[str, Any] = {name: data for name, data in by_file.items() if name != "texts"}
    if "texts" in by_file:
        return {**by_file["texts"], **others}
    (alone,) = others.values()
    return dict(alone)


def _described(keeper: "Keeper") -> dict[str, Any]:
    return {"path": keeper.address, "bytes": _size(keeper), "max_bytes": keeper.max_bytes}


def _say_off(*, as_json: bool) -> None:
    if as_json:
        write_json({"path": None})
    else:
        Paper().say("the cache is off: SENSECHECK_CACHE=off")


def _cleared(keeper: "Keeper", counted: Counted, maker: str | None) -> dict[str, Any]:
    before = _size(keeper)
    count = _emptied(keeper) if maker is None else _cleared_by_maker(keeper, counted, maker)
    return {"path": keeper.address, counted: count, "bytes": before - _size(keeper)}


def _cleared_by_maker(keeper: "Keeper", counted: Counted, maker: str) -> int:
    known = _count(keeper)
    if maker not in known:
        makers = ", ".join(f"`{name}`" for name in known) or "nothing"
        stored = STORED.get(counted, counted)
        raise SpecError(f"the cache keeps no {stored} of `{maker}`; it keeps those of: {makers}")
    return keeper.clear(maker)


def _emptied(keeper: "Keeper") -> int | None:
    """Let go of all; how much it held, or None when that can no longer be read."""
    count: int | None
    try:
        count = sum(_count(keeper).values())
    except CacheError:
        count = None
    path = _file_of(keeper)
    if path is None:
        keeper.clear()
    else:
        _delete(path)
    return count


def _delete(path: Path) -> None:
    try:
        for ending in BESIDE:
            Path(f"{path}{ending}").unlink(missing_ok=True)
    except OSError as wrong:
        raise CacheError(f"`{path}` cannot be deleted: {wrong.strerror}") from wrong


def _count(keeper: "Keeper") -> dict[str, int]:
    """How many there are, by their maker; a file that is not there is not made by looking."""
    path = _file_of(keeper)
    return keeper.count() if path is None or path.exists() else {}


def _size(keeper: "Keeper") -> int:
    path = _file_of(keeper)
    if path is None:
        return keeper.used_bytes()
    return sum(file.stat().st_size for file in (Path(f"{path}{e}") for e in BESIDE) if file.is_file())


def _file_of(keeper: "Keeper") -> Path | None:
    """The one SQLite file that holds everything; None where it lies elsewhere."""
    from sensecheck.io.blobcache import KeptFile

    return keeper.path if isinstance(keeper, KeptFile) else None


def _say_cleared(cleared: Mapping[str, Any], counted: Counted) -> None:
    path = safe(cleared["path"])
    if cleared[counted] is None:
        Paper().say(f"deleted the damaged file {path} ({cleared['bytes']:,} bytes)")
    else:
        Paper().say(f"cleared {path}: {counted} {cleared[counted]:,}, bytes {cleared['bytes']:,}")
