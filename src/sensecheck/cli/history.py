"""`sensecheck history`: evaluations that were kept, shown and compared."""

import typer

from sensecheck.cli.history_agreement import EXIT_CODES_OF_WEIGHT, agreement, weight
from sensecheck.cli.history_compare import EXIT_CODES, compare, encoders
from sensecheck.cli.history_export import export
from sensecheck.cli.history_label import label
from sensecheck.cli.history_list import list_
from sensecheck.cli.history_report import report
from sensecheck.cli.history_show import show
from sensecheck.cli.history_trend import trend

app = typer.Typer(no_args_is_help=True, help="Evaluations that were kept: shown and compared.")
app.command("list")(list_)
app.command("show")(show)
app.command("compare", epilog=EXIT_CODES)(compare)
app.command("encoders")(encoders)
app.command("trend")(trend)
app.command("label")(label)
app.command("agreement")(agreement)
app.command("weight", epilog=EXIT_CODES_OF_WEIGHT)(weight)
app.command("export")(export)
app.command("report")(report)
