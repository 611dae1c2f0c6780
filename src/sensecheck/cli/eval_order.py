"""What a command line asks to be evaluated, known to be possible before anything is read or asked."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensecheck.cli.eval_asking import Asking
from sensecheck.cli.eval_shown import shown_encoder
from sensecheck.cli.guard_chain import Short, chosen_chain
from sensecheck.core.errors import SpecError
from sensecheck.evals.qa.files.columns import NAMES, Columns
from sensecheck.evals.qa.files.reading import must_be_rows
from sensecheck.evals.qa.prompting import REFERENCES, Template
from sensecheck.retrieval.chain import Chain
from sensecheck.wiring import Settings

DEFAULT_TEST = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One evaluation."""

    questions: Path | None
    project: str | None
    test: str | None
    name: str
    columns: Columns
    answers: Path | None
    asking: Asking | None
    """Who is asked now; None where the answers are recorded."""
    prompt: Path | None
    guard: Path | None
    short: Short
    metrics: tuple[str, ...]
    """Empty for those that apply."""
    encoders: tuple[str, ...]
    """Empty for the one of the settings."""
    settings: Settings
    resume: str | None
    html: Path | None

    def must_be_possible(self, *, key_variable: str | None) -> None:
        """Raise `SpecError` where two things that were asked for do not go together."""
        for path in filter(None, (self.questions, self.answers)):
            must_be_rows(path)
        if self.questions is None and self.project is None:
            raise SpecError("name a file of questions, or with `--project` a project that has some")
        if self.asking is None:
            self._must_not_speak_of_asking(key_variable)
        elif self.answers is not None:
            raise SpecError("`--ask` writes answers, and `--answers` brings some; wanted one of them")
        elif self.columns.labels:
            raise SpecError("`--label` is about recorded answers, and `--ask` writes new ones")
        else:
            self.asking.must_be_possible(self.settings)
        if self.html is not None and self.html.is_dir():
            raise SpecError(f"`{self.html}` is a folder; a page wants the name of a file")
        self._must_name_encoders_once()

    def _must_not_speak_of_asking(self, key_variable: str | None) -> None:
        for flag, found in (("--prompt", self.prompt), ("--ask-key", key_variable)):
            if found is not None:
                raise SpecError(f"`{flag}` is for `--ask`, which was not given")
        if self.questions is None and self.answers is None:
            raise SpecError("a project has questions, and no answers; name `--answers` or `--ask`")

    def _must_name_encoders_once(self) -> None:
        for named in self.encoders:
            if self.encoders.count(named) > 1:
                raise SpecError(f"`--encoder {shown_encoder(named)}` was given twice")

    @property
    def named_project(self) -> str:
        """The project; the file's name unless it was given."""
        return self.project if self.project is not None else (self.questions or Path()).stem

    @property
    def named_test(self) -> str:
        """The test that a new run belongs to."""
        return self.test if self.test is not None else DEFAULT_TEST

    @property
    def named_run(self) -> str:
        """What a new run is called: unless it was given, by whose answers it is about."""
        if self.name:
            return self.name
        if self.asking is not None:
            return self.asking.model
        return (self.answers or self.questions or Path()).stem

    @property
    def read_as(self) -> dict[str, Any]:
        """How columns are taken for recorded answers and labels; nothing where somebody is asked."""
        if self.asking is not None:
            return {}
        usual = {name for names in NAMES.values() for name in names}
        return {
            "parts": dict(self.columns.parts),
            "labels": sorted(self.columns.labels),
            "ignored": sorted(usual & set(self.columns.ignored)),
        }

    @property
    def answers_stand_beside(self) -> bool:
        """Whether the answers are those in the file of questions."""
        return self.answers is None and self.asking is None

    def chain(self) -> Chain | None:
        """The guards, if there are any."""
        entries = [flag for flag, *_ in self.short.entries()]
        if self.guard is not None and entries:
            flags = ", ".join(f"`{flag}`" for flag in entries)
            raise SpecError(f"`--guard` brings all guards; found {flags} beside it; write them into the file")
        if self.guard is None and not entries:
            return None
        return chosen_chain(self.guard, self.short, self.settings)

    def template(self) -> Template:
        """What is asked."""
        if self.prompt is None:
            return Template()
        try:
            text = self.prompt.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as wrong:
            raise SpecError(f"`{self.prompt}` cannot be read: {wrong}") from wrong
        template = Template.from_text(text)
        if self.chain() is not None and not template.has_references:
            raise SpecError(f"there are guards, and `{self.prompt}` has no `{REFERENCES}` that they are for")
        return template
