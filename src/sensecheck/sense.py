"""The friendly face: ask a question about an answer, get a verdict."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Self

from sensecheck.checks.assess import Case, assess
from sensecheck.checks.expectation import Expectation
from sensecheck.checks.policies import Policy
from sensecheck.checks.presets import MeansPolicy
from sensecheck.checks.questions import PolicyLike, ThresholdLike, preset_check
from sensecheck.config import (
    MULTILINGUAL,
    Settings,
    answerers,
    card_library,
    chain_parts,
    judges_other_languages,
)
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Passages, Sample, samples_of
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.memory import remembering, remembering_pairs
from sensecheck.grounding.grounding import Grounding, ground_each
from sensecheck.measures.exemplars import Nearness, clusters_of
from sensecheck.text.languages import is_short, language_of

if TYPE_CHECKING:
    import pyarrow as pa

    from sensecheck.calibration.library import CardLibrary
    from sensecheck.retrieval.chain import Chain
    from sensecheck.retrieval.match import NotSelected
    from sensecheck.retrieval.matching import References
    from sensecheck.retrieval.parts import Parts
    from sensecheck.retrieval.selection import Selection
    from sensecheck.retrieval.stage import Stage

    ChainLike = Chain | Stage | Sequence[str | Mapping[str, Any]]
    "A chain, a stage that is all of one, or the data that describes one."


MEMORY = 4096
"""How many texts stay encoded, and pairs scored, from one question to the next."""
Clusters = Mapping[str, tuple[str, ...] | list[str]]
Texts = Iterable[str | Sample]
"""Answers as they are, or samples."""
Pairs = Iterable[tuple[str, str] | Sample]
"""(answer, expected), or samples."""
Expected = Iterable[tuple[str, str] | tuple[str, str, str | None] | Sample]
"""(answer, expected), the same with the question, or samples."""
Sourced = Iterable[tuple[str, Passages] | tuple[str, Passages, str | None] | Sample]
"""(answer, passages), the same with the question, or samples."""
_ENCODER_PARTS = ("name", "fingerprint", "dimension", "encode")
_LOADING = Lock()


class Sense:
    """Checks of answers. A verdict is true only when it is a `pass`, and `explain()`s itself.

    Each question has a form for one answer and, ending in `_each`, one for any number of them, which reads
    its input as it goes and yields verdicts in order; in the place of an answer, or of a tuple that begins
    with one, it takes a `Sample` too. `grounded` gives a verdict with all its claims.
    """

    def __init__(
        self, answerers: Backends, library: "CardLibrary | None" = None, *, settings: Settings | None = None
    ) -> None:
        remembers = remembering(answerers.encoder, MEMORY) if answerers.encoder is not None else None
        scores = remembering_pairs(answerers.pairs, MEMORY) if answerers.pairs is not None else None
        self._answerers = replace(answerers, encoder=remembers, pairs=scores)
        self._uncached_answerers = answerers
        """The same without a memory, for what must not depend on what was asked before."""
        self._library = library
        self._settings = settings
        self._parts: Parts | None = None

    @classmethod
    def load(cls, encoder: str | Encoder | None = None, *, settings: Settings | None = None) -> Self:
        """Ready to use, as the settings say; without any, as the environment says.

        The encoder goes by its name, or is one that is made already.
        """
        base_settings = settings or Settings.from_environment()
        if encoder is None or isinstance(encoder, str):
            chosen_settings = base_settings if encoder is None else replace(base_settings, encoder=encoder)
            return cls(answerers(chosen_settings), card_library(chosen_settings), settings=chosen_settings)
        lacking = [part for part in _ENCODER_PARTS if not hasattr(encoder, part)]
        if lacking or isinstance(encoder, type):
            raise SpecError(
                "`encoder` must be a name such as `minilm`, or an encoder with `name`, `fingerprint`, "
                f"`dimension` and `encode`; got {_described(encoder)}"
                + (f", which has no `{lacking[0]}`" if lacking else "")
            )
        own_settings = replace(base_settings, encoder=encoder.name)  # so that no other one goes by its name
        return cls(answerers(own_settings, encoder), card_library(own_settings), settings=own_settings)

    def means(
        self,
        answer: str,
        expected: str,
        *,
        question: str | None = None,
        threshold: ThresholdLike | None = None,
        doubt: float | None = None,
        policy: MeansPolicy | None = None,
    ) -> Verdict:
        """Does the answer say what was expected, with none of its facts changed?"""
        check = self._preset_check("means", threshold, doubt=doubt, policy=policy)
        return self.judge(Sample(answer, question=question, expected=expected), check)

    def means_each(
        self,
        pairs: Expected,
        *,
        threshold: ThresholdLike | None = None,
        doubt: float | None = None,
        policy: MeansPolicy | None = None,
    ) -> Iterator[Verdict]:
        """`means` for each (answer, expected), (answer, expected, question) or `Sample`."""
        samples = samples_of(pairs, "answer", "expected", optional="question", of="means_each")
        check = self._preset_check("means", threshold, doubt=doubt, policy=policy)
        return self.judge_each((sample, check) for sample in samples)

    def keeps_facts_of(self, answer: str, reference: str) -> Verdict:
        """Are the answer's numbers, dates, names and negations those of the reference?"""
        return self.judge(Sample(answer, expected=reference), self._preset_check("keeps_facts"))

    def keeps_facts_of_each(self, pairs: Pairs) -> Iterator[Verdict]:
        """`keeps_facts_of` for each (answer, reference), or `Sample` with the reference as expected."""
        samples = samples_of(pairs, "answer", "expected", of="keeps_facts_of_each")
        check = self._preset_check("keeps_facts")
        return self.judge_each((sample, check) for sample in samples)

    def not_a_refusal(
        self, answer: str, *, threshold: ThresholdLike | None = None, doubt: float | None = None
    ) -> Verdict:
        """Does the answer do anything else than refuse?

        Other languages than English are judged where the extra `multilingual` is installed.
        """
        return next(self.not_a_refusal_each((answer,), threshold=threshold, doubt=doubt))

    def not_a_refusal_each(
        self, answers: Texts, *, threshold: ThresholdLike | None = None, doubt: float | None = None
    ) -> Iterator[Verdict]:
        """`not_a_refusal` for each answer or `Sample`."""
        samples = samples_of(answers, "answer", of="not_a_refusal_each")
        check = self._preset_check("not_a_refusal", threshold, doubt=doubt)
        if threshold is None and doubt is None:
            return self._refusal_verdicts(samples, check)
        return self.judge_each((sample, check) for sample in samples)

    def _refusal_verdicts(self, samples: Iterable[Sample], check: Check) -> Iterator[Verdict]:
        """The verdicts on refusals; what is unsure in another language goes to the multilingual sense."""
        pending: deque[Sample] = deque()

        def cases() -> Iterator[Case]:
            for sample in samples:
                pending.append(sample)
                yield sample, check

        for verdict in self.judge_each(cases()):
            sample = pending.popleft()
            foreign = verdict.outcome == "unsure" and language_of(sample.answer) is not None
            can_judge = foreign and not is_short(sample.answer)
            multilingual_sense = self._multilingual_sense() if can_judge else None
            yield (
                verdict
                if multilingual_sense is None
                else multilingual_sense.judge(sample, preset_check("not_a_refusal_multilingual"))
            )

    def _multilingual_sense(self) -> "Sense | None":
        """The sense for other languages than English, if available: it has its own encoder and heads."""
        if self._settings is None or not judges_other_languages(self._settings):
            return None
        with _LOADING:
            return _loaded(replace(self._settings, encoder=MULTILINGUAL))

    def verdict_is(
        self,
        judgement: str,
        wanted: Literal["pass", "fail"] = "pass",
        *,
        threshold: ThresholdLike | None = None,
    ) -> Verdict:
        """Does the text of a judge amount to this verdict, as it states it or as a head understands it?"""
        return self.judge(Sample(judgement), self._preset_check("verdict_is", threshold, wanted=wanted))

    def verdict_is_each(
        self,
        judgements: Texts,
        wanted: Literal["pass", "fail"] = "pass",
        *,
        threshold: ThresholdLike | None = None,
    ) -> Iterator[Verdict]:
        """`verdict_is` for each text of a judge, or `Sample` with it as the answer."""
        samples = samples_of(judgements, "answer", of="verdict_is_each")
        check = self._preset_check("verdict_is", threshold, wanted=wanted)
        return self.judge_each((sample, check) for sample in samples)

    def classified_as(
        self,
        answer: str,
        clusters: Clusters,
        wanted: str,
        *,
        doubt: float | None = None,
        by: Nearness | None = None,
    ) -> Verdict:
        """Is the answer more like the wanted cluster of examples than like any other?"""
        exemplars = clusters_of(clusters)
        return self.judge(
            Sample(answer),
            self._preset_check("classified_as", clusters=exemplars, wanted=wanted, doubt=doubt, by=by),
        )

    def classified_as_each(
        self,
        answers: Texts,
        clusters: Clusters,
        wanted: str,
        *,
        doubt: float | None = None,
        by: Nearness | None = None,
    ) -> Iterator[Verdict]:
        """`classified_as` for each answer or `Sample`."""
        samples = samples_of(answers, "answer", of="classified_as_each")
        exemplars = clusters_of(clusters)
        check = self._preset_check("classified_as", clusters=exemplars, wanted=wanted, doubt=doubt, by=by)
        return self.judge_each((sample, check) for sample in samples)

    def grounded(
        self,
        answer: str,
        passages: Passages,
        *,
        question: str | None = None,
        policy: PolicyLike = "default",
        threshold: ThresholdLike | None = None,
    ) -> Grounding:
        """Does the answer come from the passages, claim by claim, as the policy decides it?"""
        sample = Sample.of(answer, question=question, passages=passages)
        return next(self._ground([sample], policy, threshold))

    def grounded_each(
        self,
        pairs: Sourced,
        *,
        policy: PolicyLike = "default",
        threshold: ThresholdLike | None = None,
    ) -> Iterator[Grounding]:
        """`grounded` for each (answer, passages), (answer, passages, question) or `Sample`."""
        samples = samples_of(pairs, "answer", "passages", optional="question", of="grounded_each")
        return self._ground(samples, policy, threshold)

    def guard(self, query: str, references: "References", keep: "ChainLike") -> "Selection":
        """Which references may enter the prompt, in which order, and why not the others.

        References are texts, whose similarity to the query is measured, or matches, which have theirs.
        Raises `CannotJudge` where there is no selection.
        """
        from sensecheck.retrieval.match import NotSelected  # noqa: PLC0415  # for those who retrieve

        selection = next(self.guard_each([(query, references)], keep))
        if isinstance(selection, NotSelected):
            raise selection.error
        return selection

    def guard_each(
        self, queries: "Iterable[tuple[str, References]]", keep: "ChainLike"
    ) -> "Iterator[Selection | NotSelected]":
        """`guard` for each (query, references); where there is no selection, why."""
        from sensecheck.retrieval.chain import Chain, chain  # noqa: PLC0415  # for those who retrieve
        from sensecheck.retrieval.matching import matched_each  # noqa: PLC0415

        stages = keep if isinstance(keep, Chain) else chain(keep) if callable(keep) else self.chain(keep)
        return stages.each(matched_each(queries, self._answerers.encoder), self._answerers)

    def chain(self, data: "Sequence[str | Mapping[str, Any]]") -> "Chain":
        """The chain that data describes, with the lines of your own cards and ours."""
        from sensecheck.retrieval.spec import chain_from_data, chain_from_parts  # noqa: PLC0415  # as above

        if self._settings is None:
            return chain_from_data(data, library=self._library)
        if self._parts is None:
            self._parts = chain_parts(self._settings, self._answerers.encoder)
        return chain_from_parts(data, self._parts)

    def not_circling(self, answer: str, *, threshold: ThresholdLike | None = None) -> Verdict:
        """Does the answer get on, rather than say the same again?"""
        return self.judge(Sample(answer), self._preset_check("not_circling", threshold))

    def not_circling_each(
        self, answers: Texts, *, threshold: ThresholdLike | None = None
    ) -> Iterator[Verdict]:
        """`not_circling` for each answer or `Sample`."""
        samples = samples_of(answers, "answer", of="not_circling_each")
        check = self._preset_check("not_circling", threshold)
        return self.judge_each((sample, check) for sample in samples)

    def expect(self, answer: str) -> Expectation:
        """What a test expects of the answer: `sense.expect(answer).means(reference).is_not_refusal()`."""
        return Expectation(answer, self.judge, self._library)

    def check(self, data: Mapping[str, Any]) -> Check:
        """The check that data describes, with the lines of your own cards and ours, by name or by promise."""
        from sensecheck.checks.spec import check_from_data  # noqa: PLC0415  # for those who have data

        return check_from_data(data, library=self._library)

    def judge(self, sample: Sample, check: Check) -> Verdict:
        """The verdict of any check on one sample."""
        return next(self.judge_each([(sample, check)]))

    def judge_each(self, cases: Iterable[Case], *, batch_size: int = 1024) -> Iterator[Verdict]:
        """The verdict on each (sample, check), in order."""
        return assess(map(_require_case, cases), self._answerers, batch_size=batch_size)

    def assess_table(
        self,
        table: "pa.Table",
        *,
        metrics: Sequence[str] = (),
        checks: Sequence[Check | Mapping[str, Any]] = (),
        columns: Mapping[str, str] | None = None,
    ) -> "pa.Table":
        """An Arrow table with what was read off its rows: a column a metric, two a check, `status`, `reason`.

        Without metrics and checks, all metrics that apply to its columns. `columns` names those that hold the
        parts of a row, as `{"answer": "reply"}`, where they are not called as `sensecheck eval` knows them.
        """
        with extra("scale"):
            from sensecheck.tables.assess import assess_table  # noqa: PLC0415
            from sensecheck.tables.order import order_for  # noqa: PLC0415

        parsed_checks = [self.check(check) if isinstance(check, Mapping) else check for check in checks]
        judge = self._answerers.judge is not None
        order = order_for(
            table.column_names, metrics=metrics, checks=parsed_checks, columns=columns, judge=judge
        )
        return assess_table(table, order, self._uncached_answerers)

    def _preset_check(self, preset: str, threshold: ThresholdLike | None = None, **options: Any) -> Check:
        return preset_check(preset, self._library, threshold=threshold, **options)

    def _ground(
        self, samples: Iterable[Sample], policy: PolicyLike, threshold: ThresholdLike | None
    ) -> Iterator[Grounding]:
        parsed_policy = policy if isinstance(policy, Policy) else Policy.from_data(policy)
        return ground_each(
            samples, parsed_policy, self.judge_each, library=self._library, threshold=threshold
        )


def _described(thing: object) -> str:
    """What a thing is, in words: a class is not one of its objects."""
    return f"the class `{thing.__name__}`" if isinstance(thing, type) else type(thing).__name__


def _require_case(case: Case) -> Case:
    """The case, unless it is something else: its two parts in the other order, say."""
    sample, check = case
    if not isinstance(sample, Sample):
        raise SampleError(
            f"`sample` must be a `Sample`; got {type(sample).__name__}; the sample comes before the check"
        )
    if not hasattr(check, "decide"):
        raise SpecError(
            f"`check` must be a check; got {type(check).__name__}; `Gate(measure, cutoff)` makes one of a "
            "measure, and `sense.check(data)` one of data"
        )
    return case


def shared_sense() -> Sense:
    """As the environment says: one model in memory, however many and whichever threads ask for it."""
    with _LOADING:
        return _loaded(Settings.from_environment())


@cache
def _loaded(settings: Settings) -> Sense:
    return Sense.load(settings=settings)
