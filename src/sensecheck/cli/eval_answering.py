"""Who answers the questions of an evaluation: a file, or a model that is asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sensecheck.cli.eval_asking import Asking
from sensecheck.cli.eval_guard import block_of_texts
from sensecheck.cli.eval_order import Order
from sensecheck.cli.eval_questions import Asked, question_rows
from sensecheck.cli.eval_shown import shown_address
from sensecheck.cli.eval_unreached import Heeded, UnlessUnreached
from sensecheck.cli.guard_chain import block_of
from sensecheck.core.run import Run
from sensecheck.evals.qa.files.reading import digest_of_file
from sensecheck.evals.qa.generating import Generating
from sensecheck.evals.qa.guarding import Guard, Guarded
from sensecheck.evals.qa.recorded import BesideQuestions, InAnswerTable
from sensecheck.evals.qa.running import AT_ONCE, AT_ONCE_LIVE, AnswerEach
from sensecheck.retrieval.chain import Chain

_RECORDED = {"answers": "recorded"}


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, and what that is known by."""

    each: Callable[[Run], AnswerEach]
    """Whoever answers, from the question on at which a run is."""
    fingerprint: str
    """Changes whenever other answers are to be expected."""
    configured: dict[str, Any] = field(default_factory=lambda: dict(_RECORDED))
    """How answers come about, as the test is configured."""
    prompt: str = ""
    """The digest of the prompt, where somebody is asked."""
    at_once: int = AT_ONCE
    """Answers that are read and kept together."""


def answering_of(order: Order, asked: Asked, chain: Chain | None, guard: Guard | None) -> Answering:
    """As the command line says; nobody has been asked for anything yet."""
    if order.asking is not None:
        return _asked(order, order.asking, chain, guard)
    if asked.table is not None and order.answers is not None:
        table = InAnswerTable(asked.table)
        return Answering(lambda _: _guarded(table, guard), f"recorded:{digest_of_file(order.answers)}")
    rows = question_rows(order)
    mark = f"recorded:{digest_of_file(rows.path)}"
    return Answering(lambda run: _guarded(BesideQuestions(rows, after=run.done), guard), mark)


def _guarded(answering: AnswerEach, guard: Guard | None) -> AnswerEach:
    return answering if guard is None else Guarded(answering, guard)


def _asked(order: Order, asking: Asking, chain: Chain | None, guard: Guard | None) -> Answering:
    source, template = Heeded(asking.source(order.settings)), order.template()
    block = block_of_texts(block_of(chain or Chain(), order.short))
    live = Generating(source, template, block, guard, asking.at_once)
    url = shown_address(asking.url)
    configured = {
        "answers": "asked",
        "model": asking.model,
        "url": url,
        "parameters": asking.parameters,
        "prompt": template.with_references,
    }
    together = max(AT_ONCE_LIVE, 4 * asking.at_once)
    return Answering(
        lambda run: UnlessUnreached(live, source, run, url),
        source.fingerprint,
        configured,
        template.digest,
        together,
    )
