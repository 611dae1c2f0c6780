"""`sensecheck check`: judge one answer, or a file of them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.batch import AT_ONCE, judge_file
from sensecheck.cli.inputs import Texts
from sensecheck.cli.options import Doubt, Encoder, Json, Line, SecondOpinion, line_of, settings_with
from sensecheck.cli.outcomes import exit_code
from sensecheck.cli.output import write_line
from sensecheck.cli.paint import Paper
from sensecheck.cli.questions import NAMES, Questions, own_check
from sensecheck.cli.verdicts import show
from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Verdict

if TYPE_CHECKING:
    from sensecheck.checks.assess import Case
    from sensecheck.core.protocols import Check
    from sensecheck.core.sample import Sample
    from sensecheck.sense import Sense
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without

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
    threshold: Line = None,
    doubt: Doubt = None,
    policy: Annotated[
        str | None,
        _option("--policy", "How `--grounded-in`, or `--means`, decides.", "How it is decided", "NAME"),
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
    said = texts.maybe(answer)
    told = {"threshold": line_of(threshold), "doubt": doubt, "policy": policy}
    given = {name: value for name, value in told.items() if value is not None}
    for_own = own is not None or preset is not None
    asked = Questions(
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
        alone = said is None and question is None and asked == Questions(own=asked.own)
        if asked.own is None or not alone:
            raise SpecError("`--file` wants `--check` or `--preset`, and nothing else that is asked")
        settings = settings_with(encoder, second_opinion)
        second = second_opinion is not None
        raise typer.Exit(_judge_file(file, asked.own, settings, second=second, as_json=as_json))
    named = (encoder, second_opinion)
    raise typer.Exit(_judge(said, asked, texts.maybe(question), named, as_json=as_json))


def _judge_file(path: str, check: "Check", settings: "Settings", *, second: bool, as_json: bool) -> int:
    """Judge every sample of a file by one check; the exit code."""
    from sensecheck.checks.second_opinion import Opinions

    decided, opinions = (_seconded([check])[0], Opinions()) if second else (check, None)

    def judge(sense: "Sense", samples: "Iterator[Sample]") -> Iterator[Verdict]:
        verdicts = sense.judge_each(((sample, decided) for sample in samples), at_once=AT_ONCE)
        return verdicts if opinions is None else map(opinions.count, verdicts)

    as_line = Verdict.to_json if as_json else None
    return judge_file(path, settings, judge, as_json=as_line, opinions=opinions)


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


def _judge(
    answer: str | None,
    asked: Questions,
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
    cases = list(asked.about(answer, question))
    if not cases:
        raise SpecError(f"nothing was asked about the answer; ask with {NAMES}")
    if asked.own is None and (asked.expected is not None or asked.passages):
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
