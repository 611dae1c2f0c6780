"""`sensecheck model`: the models that we pin."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED
from sensecheck.cli.options import Json, argument, settings_with
from sensecheck.core.extras import extra
from sensecheck.core.serialization import to_data

if TYPE_CHECKING:
    from sensecheck.installation.models import ModelVerification

# ruff: noqa: PLC0415 - models bring numpy along, which `--help` does without

app = typer.Typer(help="List, download or verify models.", no_args_is_help=True)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the models that we know to the bit, and where they are."""
    from sensecheck.installation.models import list_models

    models = list_models()
    if as_json:
        write_json([asdict(model) for model in models])
        return
    console = Console()
    for model in models:
        console.line((model.name, "bold"), f"  {model.about}")
        if model.folder is None:
            console.line(("not installed", "yellow"), f": {model.install}", indent=2)
        else:
            console.line(("installed", "green"), f" in {safe(model.folder)}", indent=2)
        console.line((f"hub: {model.repository} at {model.revision}", "dim"), indent=2)


@app.command()
def pull(
    name: Annotated[
        str, argument("NAME", "`minilm`, or ORG/NAME@COMMIT of the Hugging Face hub.", default=True)
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
    console = Console()
    console.line(("verified", "green"), f" in {safe(str(folder))}")
    console.line("use it with: ", (f"--encoder hub:{safe(name)}", "bold cyan"))


@app.command()
def verify(
    name: Annotated[str, argument("NAME", "The model's name.", default=True)] = "minilm",
    folder: Annotated[
        Path | None, typer.Option("--folder", help="A copy of the model; as installed unless given.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every file of a model against the SHA-256 that we pinned."""
    from sensecheck.installation.models import verify_model

    verification = verify_model(name, folder)
    if as_json:
        files = [to_data(file) for file in verification.files]
        write_json(
            {
                "model": name,
                "folder": str(verification.folder),
                "verified": not verification.wrong,
                "files": files,
            }
        )
    else:
        _show(verification)
    raise typer.Exit(NOT_JUDGED if verification.wrong else 0)


def _show(verification: "ModelVerification") -> None:
    console = Console()
    console.line((safe(verification.model), "bold"), f" in {safe(str(verification.folder))}")
    widest = max(len(file.file) for file in verification.files)
    for file in verification.files:
        if file.verified:
            name = f"{file.file:<{widest}}"
            console.line(("verified ", "green"), name, (f"  SHA-256 {file.sha256[:16]}…", "dim"), indent=2)
        else:
            console.line(("WRONG    ", "bold red"), f"{file.file}: {safe(file.because or '')}", indent=2)
    if verification.wrong:
        console.line(
            (f"{verification.wrong} of {len(verification.files)} files are not what we pinned", "bold red")
        )
    else:
        console.line((f"all {len(verification.files)} files are what we pinned", "bold green"))
