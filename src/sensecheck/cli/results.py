"""`sensecheck results`: what a large run came to, read where its results lie."""

import typer

from sensecheck.cli.results_compare import EXIT_CODES, compare
from sensecheck.cli.results_export import export
from sensecheck.cli.results_report import report
from sensecheck.cli.results_summary import summary

app = typer.Typer(
    no_args_is_help=True, help="Results of large runs (`sensecheck eval … --out`): read where they lie."
)
app.command("summary")(summary)
app.command("compare", epilog=EXIT_CODES)(compare)
app.command("report")(report)
app.command("export")(export)
