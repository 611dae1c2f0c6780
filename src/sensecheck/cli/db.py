"""`sensecheck db`: the database in which evaluations are kept."""

import typer

from sensecheck.cli.db_import import import_

app = typer.Typer(no_args_is_help=True, help="The database in which evaluations are kept.")
app.command("import")(import_)
