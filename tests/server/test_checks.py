"""Jobs of one request end together."""

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from sensecheck.server.checks import finish_checks
from sensecheck.server.engine.jobs import EngineAway, Result
from sensecheck.server.metrics import Metrics
from sensecheck.server.problems import Problem
from sensecheck.server.startup import ServiceParts


def test_where_one_claim_cannot_be_judged_the_others_are_not_judged_for_nothing() -> None:
    async def run() -> None:
        parts = cast(ServiceParts, SimpleNamespace(metrics=Metrics()))
        loop = asyncio.get_running_loop()
        jobs: list[asyncio.Future[Result]] = [loop.create_future() for _ in range(3)]
        jobs[1].set_exception(EngineAway("it fell over this very job"))
        with pytest.raises(Problem) as told:
            await finish_checks(parts, jobs)
        assert told.value.kind.name == "engine-away"
        assert [job.cancelled() for job in jobs] == [True, False, True]

    asyncio.run(run())
