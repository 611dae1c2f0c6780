"""`sensecheck check`: one answer judged by the questions asked about it, or a file of answers."""

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer
from rich.text import Text

from sensecheck.cli.check.view import show
from sensecheck.cli.console import Paper, outcome, outcome_counts, safe, write_line
from sensecheck.cli.exit_codes import WORST_FIRST, exit_code
from sensecheck.cli.options import (
    DECIDED,
    Doubt,
    Encoder,
    Json,
    SecondOpinion,
    Threshold,
    settings_with,
    threshold_of,
)
from sensecheck.cli.progress import bar
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.datasets.streams import Texts, count_lines, data_from, samples_from

if TYPE_CHECKING:
    from sensecheck.calibration.library import Shelf
    from sensecheck.checks.assess import Case
    from sensecheck.checks.second_opinion import Opinions
    from sensecheck.config import Settings
    from sensecheck.core.protocols import Check
    from sensecheck.sense import Sense

# ruff: noqa: PLC0415 - checks, and the parts that judge, bring numpy along, which `--help` does without

AT_ONCE = 64
"""Few enough for a bar that moves; more at once is hardly faster."""
QUESTION_OPTIONS = (
    "`--means`, `--keeps-facts-of`, `--grounded-in`, `--not-refusal`, `--not-circling`, "
    "`--check` or `--preset`"
)
_ASK = "Questions"
_OWN = "A check of your own"
_MANY = "Many answers"


def _option(flag: str, about: str, panel: str = _ASK, metavar: str = "TEXT") -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=False)


def check(
    answer: Annotated[
        str | None, typer.Argument(help="The answer to judge.", metavar="ANSWER", show_default=False)
    ] = None,
    means: Annotated[str | None, _option("--means", "Does it say this, with no fact changed?")] = None,
    keeps_facts_of: Annotated[
        str | None, _option("--keeps-facts-of", "Are its numbers, dates, names and negations those of TEXT?")
    ] = None,
    grounded_in: Annotated[
        list[str] | None, _option("--grounded-in", "Does it come from TEXT? Repeat for more passages.")
    ] = None,
    not_refusal: Annotated[
        bool, _option("--not-refusal", "Does it do anything else than refuse?", metavar="")
    ] = False,
    not_circling: Annotated[
        bool, _option("--not-circling", "Does it get on, without repeating?", metavar="")
    ] = False,
    question: Annotated[str | None, _option("--question", "What was asked, for checks that read it.")] = None,
    own: Annotated[
        str | None, _option("--check", "A check as data; see `sensecheck schema`.", _OWN, "FILE.json")
    ] = None,
    preset: Annotated[str | None, _option("--preset", "One of our checks by its name.", _OWN, "NAME")] = None,
    expected: Annotated[
        str | None, _option("--expected", "The expected answer, for that check.", _OWN)
    ] = None,
    passage: Annotated[
        list[str] | None, _option("--passage", "A passage, for that check. Repeat for more.", _OWN)
    ] = None,
    file: Annotated[
        str | None,
        _option("--file", "One sample a line; judged by --check or --preset.", _MANY, "SAMPLES.jsonl"),
    ] = None,
    threshold: Threshold = None,
    doubt: Doubt = None,
    policy: Annotated[
        str | None,
        _option("--policy", "How `--grounded-in`, or `--means`, decides.", DECIDED, "NAME"),
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Judge an answer, or a file of answers.

    Wherever a TEXT or the ANSWER is wanted, `@path` reads it from a file and `-` from standard input.
    Several questions can be asked at once. Put `--` before an answer that begins with a dash.
    """
    texts = Texts()
    text = texts.maybe(answer)
    decided_by = {"threshold": threshold_of(threshold), "doubt": doubt, "policy": policy}
    given = {name: value for name, value in decided_by.items() if value is not None}
    for_own = own is not None or preset is not None
    questions = Questions(
        means=texts.maybe(means),
        keeps_facts_of=texts.maybe(keeps_facts_of),
        grounded_in=tuple(map(texts.read, grounded_in or ())),
        not_refusal=not_refusal,
        not_circling=not_circling,
        own=own_check(own, preset, given),
        given={} if for_own else given,
        expected=texts.maybe(expected),
        passages=tuple(map(texts.read, passage or ())),
    )
    if file is not None:
        alone = text is None and question is None and questions == Questions(own=questions.own)
        if questions.own is None or not alone:
            raise SpecError("`--file` wants `--check` or `--preset`, and nothing else that is asked")
        settings = settings_with(encoder, second_opinion)
        second = second_opinion is not None
        raise typer.Exit(_judge_file(file, questions.own, settings, second=second, as_json=as_json))
    named = (encoder, second_opinion)
    raise typer.Exit(_judge(text, questions, texts.maybe(question), named, as_json=as_json))


class JudgedAnswer(Protocol):
    """What is known of one answer that was judged."""

    @property
    def outcome(self) -> Outcome:
        """One of the five outcomes."""
        ...

    @property
    def because(self) -> str:
        """Why, in words."""
        ...


J = TypeVar("J", bound=JudgedAnswer)


def judge_file(
    path: str,
    settings: "Settings",
    judge: "Callable[[Sense, Iterator[Sample]], Iterator[J]]",
    *,
    as_json: Callable[[J], str] | None,
    opinions: "Opinions | None" = None,
) -> int:
    """Judge every sample of a file, and write each in a line of words or of JSON; the exit code."""
    from sensecheck.sense import Sense

    waiting: deque[str] = deque()
    sense = Sense.load(settings=settings)
    tally: Counter[Outcome] = Counter()
    with bar(hidden=as_json is not None and sys.stdout.isatty()) as progress:
        task = progress.add_task("judging", total=count_lines(path))
        paper = progress.console if isinstance(progress.console, Paper) and _one_screen() else Paper()
        for judged in judge(sense, _samples(path, waiting)):
            label = waiting.popleft()
            if as_json is not None:
                write_line(as_json(judged))
            else:
                paper.say((safe(label), "bold"), ": ", safe(judged.because), label=outcome(judged.outcome))
            tally[judged.outcome] += 1
            progress.advance(task)
    if not tally:
        raise SampleError(f"`{safe(path)}` holds no sample; nothing was judged")
    if as_json is None or sys.stderr.isatty():
        paper = Paper(stderr=as_json is not None)
        paper.say(Text.assemble((f"{tally.total()} judged: ", "bold"), outcome_counts(tally)))
        if opinions is not None:
            paper.say(str(opinions))
    return exit_code(word for word in WORST_FIRST if tally[word])


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """The questions about one answer; each stands for itself."""

    means: str | None = None
    keeps_facts_of: str | None = None
    grounded_in: tuple[str, ...] = ()
    not_refusal: bool = False
    not_circling: bool = False
    own: "Check | None" = None
    """A check from a file, or one of the presets by name."""
    expected: str | None = None
    """For the own check."""
    passages: tuple[str, ...] = field(default=())
    """For the own check."""

    given: "Mapping[str, Any]" = field(default_factory=dict)
    """How it is decided: `threshold`, `doubt` and `policy`, those that were given."""

    def about(self, answer: str, question: str | None) -> "Iterator[Case]":
        """One case for each of them."""
        from sensecheck.checks.asking import asked

        named = self._named(answer, question)
        cards, given = self._card_library(), self._parameters([preset for preset, _ in named])
        for preset, sample in named:
            yield sample, asked(preset, cards, **given.get(preset, {}))
        if self.own is not None:
            yield Sample(answer, question, self.expected, self.passages), self.own

    def _named(self, answer: str, question: str | None) -> list[tuple[str, Sample]]:
        """The presets that are asked about, each with its sample."""
        found = []
        if self.means is not None:
            found.append(("means", Sample(answer, question, self.means)))
        if self.keeps_facts_of is not None:
            found.append(("keeps_facts", Sample(answer, question, self.keeps_facts_of)))
        if self.grounded_in:
            found.append(("grounded", Sample(answer, question, passages=self.grounded_in)))
        if self.not_refusal:
            found.append(("not_a_refusal", Sample(answer, question)))
        if self.not_circling:
            found.append(("not_circling", Sample(answer, question)))
        return found

    def _card_library(self) -> "Shelf | None":
        """Where a card that was named lies; the settings are not read where none was."""
        from sensecheck.config import Settings, shelf

        return shelf(Settings.from_environment()) if self.given else None

    def _parameters(self, presets: "Sequence[str]") -> dict[str, dict[str, Any]]:
        """What was given, by the one question that takes it."""
        from sensecheck.checks.asking import PARAMETERS

        shared: dict[str, dict[str, Any]] = {}
        for name, value in self.given.items():
            takers = [preset for preset in presets if name in PARAMETERS[preset]]
            if len(takers) != 1:
                listed = " and ".join(f"`{taker}`" for taker in takers) or "none that takes it"
                raise SpecError(f"`--{name}` must be about one question; asked was {listed}")
            shared.setdefault(takers[0], {})[name] = value
        return shared


def own_check(file: str | None, preset: str | None, given: "Mapping[str, Any]") -> "Check | None":
    """The check in a file, with the lines of the cards that it names, or the preset of this name."""
    from sensecheck.checks.presets import PRESETS
    from sensecheck.checks.spec import check_from_data
    from sensecheck.config import Settings, shelf

    if file is not None and preset is not None:
        raise SpecError("both `--check` and `--preset` were given; one check at a time")
    if preset is not None and preset not in PRESETS:
        raise SpecError(unknown("preset", preset, PRESETS))
    if file is not None:
        if given:
            raise SpecError(f"`--{next(iter(given))}` is not for `--check`; write it into the file")
        return check_from_data(data_from(file), at=file, shelf=shelf(Settings.from_environment()))
    if preset is None:
        return None
    cards = shelf(Settings.from_environment()) if given else None
    return check_from_data({"kind": preset, **given}, at=preset, shelf=cards)


def _judge_file(path: str, check: "Check", settings: "Settings", *, second: bool, as_json: bool) -> int:
    """Judge every sample of a file by one check; the exit code."""
    from sensecheck.checks.second_opinion import Opinions

    decided, opinions = (_seconded([check])[0], Opinions()) if second else (check, None)

    def judge(sense: "Sense", samples: "Iterator[Sample]") -> Iterator[Verdict]:
        verdicts = sense.judge_each(((sample, decided) for sample in samples), at_once=AT_ONCE)
        return verdicts if opinions is None else map(opinions.count, verdicts)

    as_line = Verdict.to_json if as_json else None
    return judge_file(path, settings, judge, as_json=as_line, opinions=opinions)


def _judge(
    answer: str | None,
    questions: Questions,
    question: str | None,
    named: tuple[str | None, str | None],
    *,
    as_json: bool,
) -> int:
    """Judge one answer by everything that was asked, with the encoder and the judge named; the exit code."""
    from sensecheck.checks.second_opinion import Opinions

    encoder, second = named
    if answer is None:
        raise SpecError("there is no answer to judge: give one, or `--file` with many")
    cases = list(questions.about(answer, question))
    if not cases:
        raise SpecError(f"nothing was asked about the answer; ask with {QUESTION_OPTIONS}")
    if questions.own is None and (questions.expected is not None or questions.passages):
        raise SpecError("`--expected` and `--passage` are for `--check` and `--preset`; neither was given")
    if second is not None:
        judged = _seconded([check for _, check in cases])
        cases = [(sample, check) for (sample, _), check in zip(cases, judged, strict=True)]
    opinions = Opinions()
    verdicts = list(map(opinions.count, _sense(cases, encoder, second).judge_each(cases)))
    paper = Paper()
    for verdict in verdicts:
        if as_json:
            write_line(verdict.to_json())
        else:
            show(paper, verdict)
    if second is not None and not as_json:
        paper.say((str(opinions), "dim"))
    return exit_code(verdict.outcome for verdict in verdicts)


def _seconded(checks: "Sequence[Check]") -> "list[Check]":
    """The checks, a judge behind each for which there is a question to one; at least one must be such."""
    from sensecheck.checks.second_opinion import has_second_opinion, seconded

    found = list(map(seconded, checks))
    if not any(map(has_second_opinion, found)):
        named = ", ".join(f"`{check.name}`" for check in checks)
        raise SpecError(
            f"`--second-opinion` has no question to a judge in the place of {named}; "
            "write a `cascade` with a `judged` gate into a check of your own"
        )
    return found


def _sense(cases: "Sequence[Case]", encoder: str | None, second: str | None) -> "Sense":
    """What judges; without a model when none is needed and none is named."""
    from sensecheck.core.backends import Answerers
    from sensecheck.core.space import Space
    from sensecheck.sense import Sense

    settings = settings_with(encoder, second)
    if (
        encoder is None
        and second is None
        and not any(check.needs(sample, Space()) for sample, check in cases)
    ):
        return Sense(Answerers())
    return Sense.load(settings=settings)


def _samples(path: str, waiting: deque[str]) -> Iterator[Sample]:
    for number, sample in samples_from(path):
        waiting.append(f"line {number}" if sample.id is None else sample.id)
        yield sample


def _one_screen() -> bool:
    """Whether verdicts and bar share a terminal, so that one must not write over the other."""
    return sys.stdout.isatty() and sys.stderr.isatty()
