"""`sensecheck worker`: the housekeeping of the service, in a process of its own."""

from typing import Annotated

import typer

from sensecheck.cli.log_look import log_look
from sensecheck.cli.options import Store, settings_with
from sensecheck.cli.paint import Paper

# ruff: noqa: PLC0415 - the worker needs its own extra, which `--help` does without


def worker(
    store: Store = None,
    once: Annotated[
        bool, typer.Option("--once", metavar="", help="Do what is to be done now, and end.")
    ] = False,
) -> None:
    """Drop what is too old and count up days, every hour, for services that leave it to a worker.

    Those have SENSECHECK_SERVE_HOUSEKEEPING=off. Any number of workers may run; each hour is done by one
    of them. It wants PostgreSQL.
    """
    import asyncio

    from sensecheck.core.extras import extra

    with extra("server"):
        from sensecheck.server.logs import write_logs
        from sensecheck.server.settings import ServiceSettings
        from sensecheck.server.upkeep.housekeeping import Housekeeping
        from sensecheck.store.service.service_store import ServiceStore
    with extra("worker"):
        from sensecheck.server.upkeep.worker import run_worker, worker_app
    from sensecheck.wiring import variables

    service = ServiceSettings.from_variables(variables())
    address = settings_with(None).store if store is None else store
    write_logs(look=log_look())
    held = ServiceStore.open(address)
    try:
        keeping = Housekeeping(held, service.retention_days, service.candidate_days)
        app = worker_app(address, keeping)
        said = "tidying once" if once else "tidying now, and every hour"
        asyncio.run(run_worker(app, lambda: Paper(stderr=True).say(said), wait=not once))
    finally:
        held.close()
