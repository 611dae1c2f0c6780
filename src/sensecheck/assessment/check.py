"""One answer judged by several questions about it, or many answers by one check."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sensecheck.assessment.rows import BATCH_SIZE, AssessedRow, AssessedRows, RowsRequest, assess_rows
from sensecheck.checks.assess import Case
from sensecheck.checks.policies import Policy
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.questions import PARAMETERS, ThresholdLike, preset_check
from sensecheck.checks.second_opinion import Opinions, has_second_opinion, seconded
from sensecheck.checks.spec import check_from_data
from sensecheck.config import card_library
from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.datasets.streams import data_from
from sensecheck.grounding.grounding import Grounding, ground_each
from sensecheck.sense import Sense

QUESTION_OPTIONS = (
    "`--means`, `--keeps-facts-of`, `--grounded-in`, `--not-refusal`, `--not-circling`, "
    "`--check` or `--preset`"
)


@dataclass(frozen=True, kw_only=True)
class AnswerCheckRequest(RowsRequest):
    """The questions about one answer, each for itself; or `rows`, and the check of all of them."""

    answer: str | None = None
    question: str | None = None
    """What was asked, for checks that read it."""
    means: str | None = None
    keeps_facts_of: str | None = None
    grounded_in: tuple[str, ...] = ()
    not_refusal: bool = False
    not_circling: bool = False
    check: Check | Mapping[str, Any] | str | Path | None = None
    """A check of your own: itself, as data, or the file that describes it."""
    preset: str | None = None
    """One of our checks by its name, instead of `check`."""
    expected: str | None = None
    """For `check` or `preset`."""
    passages: tuple[str, ...] = ()
    """For `check` or `preset`."""
    threshold: ThresholdLike | None = None
    doubt: float | None = None
    policy: str | None = None
    """How `grounded_in`, or `means`, decides."""

    def validate(self) -> None:
        """Raise `SpecError` where two fields do not go together, or nothing is asked."""
        has_own_check = self.check is not None or self.preset is not None
        if self.check is not None and self.preset is not None:
            raise SpecError("both `--check` and `--preset` were given; one check at a time")
        if self.preset is not None and self.preset not in PRESETS:
            raise SpecError(did_you_mean("preset", self.preset, PRESETS))
        if self.check is not None and self._parameters:
            raise SpecError(
                f"`--{next(iter(self._parameters))}` is not for `--check`; write it into the file"
            )
        texts = (self.means, self.keeps_facts_of)
        has_question = any(text is not None for text in texts) or bool(self.grounded_in)
        has_question = has_question or self.not_refusal or self.not_circling
        has_own_inputs = self.expected is not None or bool(self.passages)
        if self.rows is not None:
            if (
                not has_own_check
                or has_question
                or has_own_inputs
                or self.answer is not None
                or self.question is not None
            ):
                raise SpecError("`--file` must come with `--check` or `--preset`, and no other question")
        elif self.answer is None:
            raise SpecError("there is no answer to judge: give one, or `--file` with many")
        elif not (has_own_check or has_question):
            raise SpecError(f"nothing was asked about the answer; ask with {QUESTION_OPTIONS}")
        elif has_own_inputs and not has_own_check:
            raise SpecError(
                "`--expected` and `--passage` are for `--check` and `--preset`; neither was given"
            )

    def own_check(self) -> Check | None:
        """The check of `check` or `preset`, with the cutoffs of the cards that it names."""
        if self.preset is not None:
            cards = card_library(self.settings) if self._parameters else None
            return check_from_data({"kind": self.preset, **self._parameters}, at=self.preset, library=cards)
        if self.check is None or not isinstance(self.check, Mapping | str | Path):
            return self.check
        at = "check" if isinstance(self.check, Mapping) else str(self.check)
        data = self.check if isinstance(self.check, Mapping) else data_from(at)
        return check_from_data(data, at=at, library=card_library(self.settings))

    def cases(self) -> list[Case]:
        """One case for each question about the answer."""
        answer, question = self.answer or "", self.question
        samples: dict[str, Sample] = {}
        if self.means is not None:
            samples["means"] = Sample(answer, question, self.means)
        if self.keeps_facts_of is not None:
            samples["keeps_facts"] = Sample(answer, question, self.keeps_facts_of)
        if self.grounded_in:
            samples["grounded"] = Sample(answer, question, passages=self.grounded_in)
        if self.not_refusal:
            samples["not_a_refusal"] = Sample(answer, question)
        if self.not_circling:
            samples["not_circling"] = Sample(answer, question)
        own_check = self.own_check()
        parameters = {} if own_check is not None else self._parameters_by_preset(list(samples))
        cards = card_library(self.settings) if parameters else None
        cases: list[Case] = [
            (sample, preset_check(preset, cards, **parameters.get(preset, {})))
            for preset, sample in samples.items()
        ]
        if own_check is not None:
            cases.append((Sample(answer, question, self.expected, self.passages), own_check))
        return cases

    @property
    def _parameters(self) -> dict[str, Any]:
        """The parameters of the decision that were set."""
        parameters = {"threshold": self.threshold, "doubt": self.doubt, "policy": self.policy}
        return {name: value for name, value in parameters.items() if value is not None}

    def _parameters_by_preset(self, presets: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Each parameter, by the one question that takes it."""
        shared: dict[str, dict[str, Any]] = {}
        for name, value in self._parameters.items():
            takers = [preset for preset in presets if name in PARAMETERS[preset]]
            if len(takers) != 1:
                listed = " and ".join(f"`{taker}`" for taker in takers) or "none that takes it"
                raise SpecError(f"`--{name}` must be about one question; asked was {listed}")
            shared.setdefault(takers[0], {})[name] = value
        return shared


def check_answers(request: AnswerCheckRequest) -> AssessedRows[Verdict]:
    """The verdicts: one for each question about the answer, or one for each of the rows.

    No model is loaded for one answer where no question needs one.
    """
    request.validate()
    opinions = Opinions()
    if request.rows is None:
        cases = request.cases()
        if request.second_opinion is not None:
            checks = _with_second_opinion([check for _, check in cases])
            cases = [(sample, check) for (sample, _), check in zip(cases, checks, strict=True)]
        verdicts = map(opinions.count, _sense(request, cases).judge_each(cases))
        return AssessedRows((AssessedRow("", verdict) for verdict in verdicts), "answer", opinions)
    own_check = request.own_check()
    assert own_check is not None  # as validated
    check = own_check if request.second_opinion is None else _with_second_opinion([own_check])[0]
    sense = Sense.load(settings=request.chosen_settings)

    def judge(samples: Iterator[Sample]) -> Iterable[Verdict]:
        cases = ((sample, check) for sample in samples)
        return map(opinions.count, sense.judge_each(cases, batch_size=BATCH_SIZE))

    return assess_rows(request.rows, judge, opinions)


def _with_second_opinion(checks: Sequence[Check]) -> list[Check]:
    """The checks, with a judge behind each that has a question for one; at least one must have it."""
    with_judge = list(map(seconded, checks))
    if not any(map(has_second_opinion, with_judge)):
        names = ", ".join(f"`{check.name}`" for check in checks)
        raise SpecError(
            f"`--second-opinion` has no question to a judge in the place of {names}; "
            "write a `cascade` with a `judged` gate into a check of your own"
        )
    return with_judge


def _sense(request: AnswerCheckRequest, cases: Sequence[Case]) -> Sense:
    """What judges; without a model when none is needed and none is named."""
    names_model = request.encoder is not None or request.second_opinion is not None
    if names_model or any(check.needs(sample, Space()) for sample, check in cases):
        return Sense.load(settings=request.chosen_settings)
    return Sense(Backends())


@dataclass(frozen=True, kw_only=True)
class GroundingRequest(RowsRequest):
    """An answer and its passages, or `rows` that have theirs, and how it is decided."""

    answer: str | None = None
    passages: tuple[str, ...] = ()
    question: str | None = None
    """What was asked; a short answer is read with it."""
    policy: str | Path | Mapping[str, Any] | Policy = "default"
    """By its name, itself, as data, or the `.json` file that describes it."""
    threshold: ThresholdLike | None = None

    def chosen_policy(self) -> Policy:
        """The policy."""
        if isinstance(self.policy, Policy):
            return self.policy
        if isinstance(self.policy, Mapping):
            return Policy.from_data(self.policy)
        name = str(self.policy)
        return Policy.from_data(data_from(name) if name.endswith(".json") else name)

    def validate(self) -> None:
        """Raise `SpecError` where two fields do not go together, or something is missing."""
        policy = self.chosen_policy()
        if self.second_opinion is not None and policy.reads == "similarity-or-keywords":
            raise SpecError(f"`--second-opinion` is about what stays unsure, and `{policy.name}` never is")
        has_single_answer = self.answer is not None or self.passages or self.question is not None
        if self.rows is not None and has_single_answer:
            raise SpecError(
                "`--in` must stand without an answer, a passage or a question beside it, since its rows have "
                "them; put these into a row, or leave out `--in`"
            )
        if self.rows is None and self.answer is None:
            raise SpecError(
                "there is no answer; give one with `--answer` or `--answer-file`, or many with `--in`"
            )
        if self.rows is None and not self.passages:
            raise SpecError(
                "there is no passage to look into; give a file with `--passage`, or `--text-passage`"
            )


def ground_answers(request: GroundingRequest) -> AssessedRows[Grounding]:
    """What is found of the answer, or of each of the rows, with all claims and their evidence."""
    request.validate()
    settings, opinions = request.chosen_settings, Opinions()
    sense, cards, policy = Sense.load(settings=settings), card_library(settings), request.chosen_policy()

    def ground(samples: Iterable[Sample]) -> Iterator[Grounding]:
        for grounding in ground_each(
            samples,
            policy,
            partial(sense.judge_each, batch_size=BATCH_SIZE),
            library=cards,
            threshold=request.threshold,
            second_opinion=request.second_opinion is not None,
        ):
            opinions.add(() if grounding.second_opinion is None else (grounding.second_opinion,))
            yield grounding

    if request.rows is not None:
        return assess_rows(request.rows, ground, opinions)
    sample = Sample(request.answer or "", request.question, passages=request.passages)
    return AssessedRows((AssessedRow("", grounding) for grounding in ground([sample])), "answer", opinions)
