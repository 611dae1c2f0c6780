"""`sensecheck model`: the models that we pin."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED
from sensecheck.cli.options import Json, settings_with
from sensecheck.core.errors import MissingExtra, WeightsError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.encoders.pinned import KnownModel


# ruff: noqa: PLC0415 - models bring numpy along, which `--help` does without

app = typer.Typer(help="List, download or verify models.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The model's name.", metavar="NAME")]


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the models that we know to the bit, and where they are."""
    from sensecheck.encoders.pinned import MODELS

    rows = [_described(model) for model in MODELS.values()]
    if as_json:
        write_json(rows)
        return
    paper = Paper()
    for row in rows:
        paper.say((row["name"], "bold"), f"  {row['about']}")
        if row["folder"] is None:
            paper.say(("not installed", "yellow"), f": {row['install']}", indent=2)
        else:
            paper.say(("installed", "green"), f" in {safe(row['folder'])}", indent=2)
        paper.say((f"hub: {row['repository']} at {row['revision']}", "dim"), indent=2)


@app.command()
def pull(
    name: Annotated[
        str, typer.Argument(help="`minilm`, or ORG/NAME@COMMIT of the Hugging Face hub.", metavar="NAME")
    ] = "minilm",
    as_json: Json = False,
) -> None:
    """Download a model from the Hugging Face hub; every file is verified."""
    with extra("hub"):
        from sensecheck.encoders.hub import pull as pulled

    folder = pulled(name, token=settings_with(None).hub_token)
    if as_json:
        write_json({"model": name, "folder": str(folder), "encoder": f"hub:{name}"})
        return
    paper = Paper()
    paper.say(("verified", "green"), f" in {safe(str(folder))}")
    paper.say("use it with: ", (f"--encoder hub:{safe(name)}", "bold cyan"))


@app.command()
def verify(
    name: Name = "minilm",
    folder: Annotated[
        Path | None, typer.Option("--folder", help="A copy of the model; as installed unless given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Hold every file of a model against the SHA-256 that we pinned."""
    from sensecheck.encoders.pinned import known_model, packaged

    model = known_model(name)
    place = packaged(model) if folder is None else folder
    files = _verified(place, model.package_files)
    if folder is not None:
        files = min(files, _verified(place, model.hub_files), key=_wrong)
    if as_json:
        write_json({"model": name, "folder": str(place), "verified": not _wrong(files), "files": files})
    else:
        _show(name, place, files)
    raise typer.Exit(NOT_JUDGED if _wrong(files) else 0)


def _described(model: "KnownModel") -> dict[str, Any]:
    from sensecheck.encoders.pinned import packaged

    try:
        folder = str(packaged(model))
    except MissingExtra:
        folder = None
    return {
        "name": model.name,
        "about": model.about,
        "folder": folder,
        "install": f"pip install 'sensecheck[{model.extra}]'",
        "repository": model.repository,
        "revision": model.revision,
    }


def _verified(folder: Path, files: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each file, whether it is the pinned one, and if not, why."""
    from sensecheck.encoders.pinned import must_be

    found: list[dict[str, Any]] = []
    for file, wanted in files.items():
        try:
            must_be(folder, {file: wanted})
            found.append({"file": file, "sha256": wanted, "verified": True})
        except WeightsError as wrong:
            found.append({"file": file, "sha256": wanted, "verified": False, "because": str(wrong)})
    return found


def _wrong(files: list[dict[str, Any]]) -> int:
    return sum(not file["verified"] for file in files)


def _show(name: str, folder: Path, files: list[dict[str, Any]]) -> None:
    paper = Paper()
    paper.say((safe(name), "bold"), f" in {safe(str(folder))}")
    widest = max(len(file["file"]) for file in files)
    for file in files:
        if file["verified"]:
            said = f"{file['file']:<{widest}}"
            paper.say(("verified ", "green"), said, (f"  SHA-256 {file['sha256'][:16]}…", "dim"), indent=2)
        else:
            paper.say(("WRONG    ", "bold red"), f"{file['file']}: {safe(file['because'])}", indent=2)
    if _wrong(files):
        paper.say((f"{_wrong(files)} of {len(files)} files are not what we pinned", "bold red"))
    else:
        paper.say((f"all {len(files)} files are what we pinned", "bold green"))
