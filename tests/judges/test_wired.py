"""A judge from settings to verdicts: only the samples that are left unsure are asked about."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.combine import Cascade
from sensecheck.checks.gate import Gate
from sensecheck.config import Settings, answerers
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from tests.judges.asked import Server

UNSURE = ["The sky is blue.", "The sky is green.", "!silent"]


@dataclass(frozen=True, slots=True)
class Length:
    """How many tens of characters the answer has."""

    name: str = "length"

    def needs(self, sample: Sample) -> Needs:
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(len(sample.answer) / 10, "counted")


@dataclass(frozen=True, slots=True)
class SaysBlue:
    """1 when the judge finds that the answer says that the sky is blue, else 0."""

    name: str = "says_blue"

    def needs(self, sample: Sample) -> Needs:
        return Needs(prompts=(self._prompt(sample),))

    def read(self, sample: Sample, space: Space) -> Reading:
        reply = space.reply(self._prompt(sample))
        if reply not in ("yes", "no"):
            raise CannotJudge("the judge said neither yes nor no")
        return Reading(float(reply == "yes"), f"the judge said {reply}")

    def _prompt(self, sample: Sample) -> Prompt:
        about = "" if sample.answer.startswith("!") else "Is the sky blue in: "
        return Prompt(about + sample.answer)


CHECK = Cascade((Gate(Length(), at_least(1.7, doubt=(0.5, 2.5))), Gate(SaysBlue(), at_least(1))))


def settings(server: Server, model: str, folder: Path, **more: str) -> Settings:
    where = f"openai:{server.address}/v1#{model}"
    return Settings(**{"encoder": "hashing", "judge": where, "cache": str(folder / "v.sqlite3"), **more})  # type: ignore[arg-type]  # all of them are texts


def test_a_cascade_asks_the_judge_only_about_samples_left_unsure(server: Server, tmp_path: Path) -> None:
    answers = ["Hm.", *UNSURE, "A long answer that is surely good enough.", UNSURE[0]]
    wired = answerers(settings(server, "cascade", tmp_path, judge_record=str(tmp_path / "r.jsonl")))
    verdicts = list(assess([(Sample(answer), CHECK) for answer in answers], wired))

    assert [verdict.outcome for verdict in verdicts] == ["fail", "pass", "fail", "error", "pass", "pass"]
    assert server.prompts("cascade") == [
        "!silent",
        *(f"Is the sky blue in: {answer}" for answer in UNSURE[:2]),
    ]
    assert "holds no text" in verdicts[3].because
    assert str(verdicts[1].fingerprint).startswith("openai:cascade:")

    replay = Settings(encoder="hashing", cache="off", judge=f"recorded:{tmp_path / 'r.jsonl'}")
    again = list(assess([(Sample(answer), CHECK) for answer in answers], answerers(replay)))
    assert [(v.outcome, v.fingerprint) for v in again] == [(v.outcome, v.fingerprint) for v in verdicts]
    assert "not in the recording `r.jsonl`" in again[3].because


def test_without_a_judge_a_prompt_is_an_error_and_nothing_is_paid(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from sensecheck.config import Settings, answerers\n"
        "assert answerers(Settings(encoder='hashing', cache=sys.argv[1])).judge is None\n"
        "print(*(name for name in sys.modules if name in ('openai', 'sqlite3') or 'judges' in name))\n"
    )
    path = str(tmp_path / "v.sqlite3")
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    (verdict,) = assess([(Sample(UNSURE[0]), CHECK)], answerers(Settings(encoder="hashing", cache="off")))

    assert done.stdout.strip() == ""
    assert list(tmp_path.iterdir()) == []
    assert verdict.outcome == "error"
    assert "no judge is set up to answer prompts" in verdict.because


def test_replies_are_kept_beside_the_vectors_or_not_at_all(server: Server, tmp_path: Path) -> None:
    for cache, model in ((str(tmp_path / "v.sqlite3"), "kept-beside"), ("off", "not-kept")):
        for _ in range(2):
            judge = answerers(settings(server, model, tmp_path, cache=cache)).judge
            assert judge is not None
            judge.ask([Prompt("question")])

    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".sqlite3"] == ["replies.sqlite3"]
    assert len(server.prompts("kept-beside")) == 1
    assert len(server.prompts("not-kept")) == 2


def test_the_settings_come_from_the_environment_and_keep_the_key() -> None:
    environment = {"SENSECHECK_JUDGE_KEY": "sk-canary", "SENSECHECK_JUDGE_CONCURRENCY": "3"}
    found = Settings.from_environment(environment)

    assert (found.judge_key, found.judge_concurrency) == ("sk-canary", 3)
    assert "canary" not in repr(found)


def test_an_earlier_name_of_a_setting_is_read_and_the_new_one_named() -> None:
    with pytest.warns(FutureWarning, match="is now called `SENSECHECK_JUDGE_CONCURRENCY`; rename it"):
        found = Settings.from_environment({"SENSECHECK_JUDGE_AT_ONCE": "3"})

    assert found.judge_concurrency == 3


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"judge_concurrency": 0}, "`judge_concurrency` must be at least 1; got 0"),
        ({"judge_record": "r.jsonl"}, "`judge_record` needs a `judge`"),
        ({"cache": "/any/replies.sqlite3"}, "`cache` must have another name than `replies.sqlite3`"),
    ],
)
def test_settings_that_cannot_be_are_errors(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        Settings(**wrong)  # type: ignore[arg-type]  # wrong on purpose
