"""All that an evaluation is made of, loaded and connected before its first question."""

from dataclasses import dataclass
from typing import Any

from sensecheck import __version__
from sensecheck.cli.eval_answering import Answering, answering_of
from sensecheck.cli.eval_guard import ChainGuard
from sensecheck.cli.eval_order import Order
from sensecheck.cli.eval_panel import panel_of
from sensecheck.cli.eval_questions import Asked
from sensecheck.cli.eval_shown import shown_data
from sensecheck.core.run import Run
from sensecheck.evals.qa.conditions import Conditions
from sensecheck.evals.qa.panel import Panel
from sensecheck.evals.qa.running import AnswerEach
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.spec import chain_to_data


@dataclass(frozen=True, slots=True)
class Parts:
    """Who reads and who answers, and what decides about the readings."""

    panel: Panel
    answering: Answering
    conditions: Conditions

    def answer_each(self, run: Run) -> AnswerEach:
        """Whoever answers, from the question on at which the run is."""
        return self.answering.each(run)

    @property
    def at_once(self) -> int:
        """Answers that are read and kept together."""
        return self.answering.at_once

    @property
    def embedding(self) -> dict[str, Any]:
        """Which encoders compare meaning, as the test is configured."""
        return {"encoders": [one.name for one in self.panel.encoders]}

    @property
    def generation(self) -> dict[str, Any]:
        """How answers come about, as the test is configured."""
        return {**self.answering.configured, "guards": list(self.conditions.guards)}

    def must_answer(self) -> None:
        """Raise what an encoder says that does not tell who it is."""
        for one in self.panel.encoders:
            _ = one.encoder.fingerprint


def parts_of(order: Order, asked: Asked, chain: Chain | None) -> Parts:
    """As the command line and the settings say; nobody has been asked for anything yet."""
    panel = panel_of(order, asked.parts, guarded=chain is not None)
    guard = None if chain is None else ChainGuard.of(chain, panel.encoders[0].encoder)
    answering = answering_of(order, asked, chain, guard)
    conditions = Conditions(
        __version__,
        panel.metrics,
        panel.encoders,
        answering.fingerprint,
        answering.prompt,
        [] if chain is None else shown_data(chain_to_data(chain)),
        "" if panel.judge is None else panel.judge.fingerprint,
        "" if panel.pairs is None else order.settings.verifier,
        order.read_as,
    )
    return Parts(panel, answering, conditions)
