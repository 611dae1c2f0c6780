"""`sensecheck cache`: the vectors that are kept on disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.options import Json, settings_with
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import CacheError, SpecError

if TYPE_CHECKING:
    from sensecheck.encoders.vector_file import VectorFile

# ruff: noqa: PLC0415 - SQLite and the settings are for these verbs only

app = typer.Typer(help="Show or clear the vectors kept on disk.", no_args_is_help=True)
BESIDE = ("-wal", "-shm", "")
"""Endings of the cache's files, the main one last: what is left without it is not read again."""


@app.command()
def show(as_json: Json = False) -> None:
    """Show where vectors are kept, and how many by which encoder."""
    file = _file()
    if file is None:
        _say_off(as_json=as_json)
        return
    texts = file.count() if file.path.exists() else {}
    size = _size(file.path)
    if as_json:
        write_json({"path": str(file.path), "bytes": size, "max_bytes": file.max_bytes, "texts": texts})
        return
    paper = Paper()
    paper.say((safe(str(file.path)), "bold"))
    paper.say(f"{size:,} bytes; the vectors may take {file.max_bytes:,}", indent=2)
    for fingerprint, count in texts.items():
        paper.say((f"{count:,} texts ", "cyan"), safe(fingerprint), indent=2)
    if not texts:
        paper.say("empty", indent=2)


@app.command()
def clear(
    encoder: Annotated[
        str | None,
        typer.Option("--encoder", metavar="FINGERPRINT", help="Only this encoder's, as `show` names it."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything, also when it is damaged.")] = False,
    as_json: Json = False,
) -> None:
    """Let go of kept vectors; they are made again when they are needed."""
    if everything == (encoder is not None):
        raise SpecError("say what to clear: either `--encoder FINGERPRINT` or `--all`")
    file = _file()
    if file is None:
        _say_off(as_json=as_json)
        return
    before = _size(file.path)
    texts = _deleted(file) if encoder is None else _cleared(file, encoder)
    gone = before - _size(file.path)
    if as_json:
        write_json({"path": str(file.path), "texts": texts, "bytes": gone})
    elif texts is None:
        Paper().say(f"deleted the damaged file {safe(str(file.path))} ({gone:,} bytes)")
    else:
        Paper().say(f"cleared {safe(str(file.path))}: texts {texts:,}, bytes {gone:,}")


def _file() -> "VectorFile | None":
    from sensecheck.encoders.vector_file import VectorFile

    settings = settings_with(None)
    path = settings.cache_file()
    return None if path is None else VectorFile(path, max_bytes=settings.cache_mb * 1_000_000)


def _cleared(file: "VectorFile", encoder: str) -> int:
    known = file.count() if file.path.exists() else {}
    if encoder not in known:
        held = ", ".join(f"`{name}`" for name in known) or "nothing"
        raise SpecError(f"the cache keeps no vectors of `{encoder}`; it keeps those of: {held}")
    return file.clear(encoder)


def _deleted(file: "VectorFile") -> int | None:
    """Delete the files; how many texts they held, or None when that can no longer be read."""
    texts: int | None = 0
    try:
        texts = sum(file.count().values()) if file.path.exists() else 0
    except CacheError:
        texts = None
    try:
        for ending in BESIDE:
            Path(f"{file.path}{ending}").unlink(missing_ok=True)
    except OSError as wrong:
        raise CacheError(f"`{file.path}` cannot be deleted: {wrong.strerror}") from wrong
    return texts


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (Path(f"{path}{e}") for e in BESIDE) if file.is_file())


def _say_off(*, as_json: bool) -> None:
    if as_json:
        write_json({"path": None})
    else:
        Paper().say("the cache is off: SENSECHECK_CACHE=off")
