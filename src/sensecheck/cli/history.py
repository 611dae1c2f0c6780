"""`sensecheck history`: evaluations that were kept, shown, compared and drawn."""

import typer

app = typer.Typer(no_args_is_help=True, help="Evaluations that were kept: shown, compared, drawn.")


@app.command("list")
def list_() -> None:
    """The runs that are kept."""
