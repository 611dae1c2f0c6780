"""Sources that are code: functions of Python files, and commands."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError
from sensecheck.sources.python import printing_aside
from sensecheck.sources.source import Answer
from tests.sources.described import asked, because, source, text

FUNCTIONS = """
import asyncio
from suffixes import SUFFIX

def call_api(prompt, options, context):
    said = f"{prompt} {options['config'].get('tone')} {context['vars']['city']}{SUFFIX}"
    return {"output": said, "cost": 0.25}

def answer(prompt):
    return prompt.upper()

async def later(prompt):
    await asyncio.sleep(0)
    return f"later {prompt}"

def data(prompt):
    return {"output": {"city": "Zürich"}}

def fails(prompt):
    return {"error": "no more credit"}

def tells(prompt):
    return {"error": f"cannot do {prompt}"}

def raises(prompt):
    raise ValueError("the key sk-secret is wrong for this account")

def leaves(prompt):
    raise SystemExit(3)

def tuned(prompt, temperature=0.2, options=None):
    return f"{prompt} {temperature}"

def nothing(prompt):
    return None

def costly(prompt):
    return {"output": "x", "cost": "much"}

def loads(prompt):
    import json
    return json.loads("no JSON")

async def repeats(prompt):
    raise KeyError(prompt)
"""
ECHO = """
import json, sys
prompt, options, context = sys.argv[-3:]
print(prompt, json.loads(options)["config"], json.loads(context)["vars"])
"""

LOUD = """
import sys
out = sys.stdout
print("loading")

def answer(prompt):
    print("thinking of", prompt)
    out.write(f"noted {prompt}\\n")
    return prompt
"""
STARTS = """
import subprocess, sys, time
BEATS = "import time\\nwhile True: open('beats', 'a').write('x'); time.sleep(0.05)"
subprocess.Popen([sys.executable, "-c", BEATS])
time.sleep(30)
"""
INTERRUPTED = """
import sys, time
from pathlib import Path
from threading import Thread
from sensecheck.sources.command import run_to_end
Thread(target=run_to_end, args=([sys.executable, "starts.py"], Path(), 30.0), daemon=True).start()
while not (Path("beats").exists() and Path("beats").stat().st_size):  # it exists before it is written to
    time.sleep(0.05)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "answers.py").write_text(FUNCTIONS)
    (tmp_path / "simple.py").write_text("def answer(prompt):\n    return prompt[::-1]\n")
    (tmp_path / "suffixes.py").write_text('SUFFIX = "!"\n')
    (tmp_path / "broken.py").write_text("import no_such_module\n")
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "telling.py").write_text('raise ValueError("sk-very-secret is no key")\n')
    (tmp_path / "unread.py").write_text('def answer(prompt):\n    return ("sk-very-secret"\n')
    (tmp_path / "echo.py").write_text(ECHO)
    return tmp_path


@pytest.mark.parametrize("written", ["file://answers.py", "python:answers.py", "file://answers.py:call_api"])
def test_a_function_is_called_as_promptfoo_calls_it(folder: Path, written: str) -> None:
    heard = source(written, {"tone": "warm"}, folder=folder).answer(asked("hi", vars={"city": "Bern"}))

    assert isinstance(heard, Answer)
    assert (heard.text, heard.cost) == ("hi warm Bern!", 0.25)
    assert heard.latency_ms is not None


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("file://simple.py", "ih"),
        ("file://answers.py:answer", "HI"),
        ("python:answers.py:later", "later hi"),
        ("python:answers.py:tuned", "hi 0.2"),
        ("python:answers.py:data", '{"city":"Zürich"}'),
    ],
)
def test_a_function_may_simply_take_the_prompt(folder: Path, written: str, said: str) -> None:
    assert text(source(written, folder=folder).answer(asked("hi"))) == said


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("fails", "gave an error: no more credit"),
        (
            "raises",
            "raised ValueError at `answers.py`, line 26: the key [key] is wrong for this account",
        ),
        ("leaves", "raised SystemExit at `answers.py`, line 29: 3"),
        ("loads", "raised JSONDecodeError at `answers.py`, line 42, in `decoder.py`, line LINE: Expecting"),
        (
            "repeats",
            "raised KeyError at `answers.py`, line 45, with a text that repeats the prompt, or a key",
        ),
        ("nothing", "gave NoneType; wanted a string, or a mapping with `output`"),
        ("costly", "gave a `cost` that is no number; got str"),
    ],
)
def test_a_function_that_gives_no_answer_is_told_by_name(folder: Path, function: str, told: str) -> None:
    heard = source(f"file://answers.py:{function}", folder=folder).answer(asked("What is it?"))
    why = re.sub(r"(?<=decoder.py`, line )\d+: Expecting.*", "LINE: Expecting", because(heard))
    assert why == f"`answers.py:{function}` {told}"


@pytest.mark.parametrize(
    ("written", "config", "message"),
    [
        ("file://missing.py", {}, "is not there"),
        ("file://answers.py:missing", {}, "`answers.py` has no function `missing`"),
        ("file://suffixes.py", {}, "`suffixes.py` has no function `call_api` or `answer`"),
        (
            "file://broken.py",
            {},
            "cannot be run: ModuleNotFoundError for `no_such_module` at `broken.py`, line 1",
        ),
        ("file://leaving.py", {}, "cannot be run: SystemExit at `leaving.py`, line 2"),
        ("file://telling.py", {}, "cannot be run: ValueError at `telling.py`, line 1: [key] is no key"),
        ("file://unread.py", {}, "cannot be run: SyntaxError at `unread.py`, line 2: '(' was never closed"),
        ("file://answers.py", {"pythonExecutable": "python2"}, "`pythonExecutable` is a key of promptfoo"),
        ("file://answers.py", {"workers": 0}, "`workers` must be a whole number of 1 or more"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_place(
    folder: Path, written: str, config: dict[str, Any], message: str
) -> None:
    with pytest.raises(BatteryError) as wrong:
        source(written, config, folder=folder)
    assert str(wrong.value).startswith("battery.yaml:7:5: ")
    assert message in str(wrong.value)
    assert "secret" not in str(wrong.value)


@pytest.mark.parametrize(
    ("prompt", "config"),
    [
        ("a private question", {}),
        ("with sk-of-environment", {}),
        ("with sk-of-the-config", {"login": [{"apiKey": "sk-of-the-config"}]}),
    ],
)
def test_an_error_of_a_function_is_not_told_when_it_repeats_the_prompt_or_a_key(
    folder: Path, prompt: str, config: dict[str, Any]
) -> None:
    environment = {"MY_API_KEY": "sk-of-environment", "MAX_TOKENS": "1000", "TOKENIZERS_PARALLELISM": "false"}
    function = source("file://answers.py:tells", config, folder=folder, environment=environment)

    why = because(function.answer(asked(prompt)))
    assert why == "`answers.py:tells` gave an error that repeats the prompt, or a key"
    assert "sk-of" not in repr(source("file://answers.py:tells", folder=folder, environment=environment))


@pytest.mark.parametrize(
    ("text", "config", "shown"),
    [
        ("no such model: tiny", {}, ": no such model: tiny"),
        ("401 for Bearer abc.def", {}, ": 401 for Bearer [key]"),
        ("cannot reach https://me:pass@host/v1", {}, ": cannot reach https://[key]@host/v1"),
        ("denied: open-sesame-now", {"password": "open-sesame-now"}, ", with a text that repeats the prompt"),
        ("two\nlines \x1b[31m", {}, ": two lines \N{REPLACEMENT CHARACTER}[31m"),
        ("long " * 100, {}, f": {'long ' * 40}…"),
    ],
)
def test_the_text_of_an_exception_is_shown_without_keys(
    tmp_path: Path, text: str, config: dict[str, Any], shown: str
) -> None:
    (tmp_path / "own.py").write_text(f"def answer(prompt):\n    raise ValueError({text!r})\n")
    why = because(source("file://own.py", config, folder=tmp_path).answer(asked("What is it?")))

    assert why.startswith(f"`own.py:answer` raised ValueError at `own.py`, line 2{shown}")


def test_what_a_function_prints_is_no_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loud.py").write_text(LOUD)
    source("file://loud.py", folder=folder).answer(asked("hi"))
    print("a result")

    printed = capsys.readouterr()
    assert printed.out == "a result\n"
    assert printed.err == "loading\nthinking of hi\nnoted hi\n"


def test_what_others_print_meanwhile_stays_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with printing_aside():
        other = Thread(target=print, args=("a result",))
        other.start()
        other.join()

    assert capsys.readouterr() == ("a result\n", "")


@pytest.mark.parametrize("written", ["file://answers.py", f"exec: {sys.executable} echo.py"])
def test_the_label_is_handed_over_and_so_makes_another_source(folder: Path, written: str) -> None:
    prints = {source(written, folder=folder, label=label).fingerprint for label in ("one", "two", "one")}
    assert len(prints) == 2


def test_a_function_is_called_one_at_a_time_unless_it_says_otherwise(folder: Path) -> None:
    assert source("file://answers.py", folder=folder, concurrency=8).concurrency == 1
    assert source("file://answers.py", {"workers": 3}, folder=folder, concurrency=8).concurrency == 3


def test_a_command_gets_the_prompt_its_settings_and_the_variables(folder: Path) -> None:
    command = source(f"exec: {sys.executable} echo.py 'two words'", {"tone": "warm"}, folder=folder)
    heard = command.answer(asked('$(touch gone) "; `x`', vars={"city": "Bern"}))

    assert text(heard) == "$(touch gone) \"; `x` {'tone': 'warm'} {'city': 'Bern'}"
    assert not (folder / "gone").exists()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys; sys.exit(3)", "ended with 3"),
        ("import sys; print('oh no', file=sys.stderr); sys.exit(1)", "ended with 1: oh no"),
        ("import sys; print('oh no', file=sys.stderr)", "printed no answer, but complained: oh no"),
        ("import time; time.sleep(9)", "did not end within 0.5 s"),
    ],
)
def test_a_command_that_gives_no_answer_is_told_by_name(tmp_path: Path, code: str, told: str) -> None:
    written = f"exec: {sys.executable} -c {json.dumps(code)}"
    heard = source(written, folder=tmp_path, timeout=0.5 if "sleep" in code else 20.0).answer(asked("x"))
    assert because(heard) == f"the command `{sys.executable}` {told}"


def test_what_a_command_complains_about_is_not_told_when_it_repeats_the_prompt(tmp_path: Path) -> None:
    code = "import sys; sys.exit('cannot do ' + sys.argv[1])"
    heard = source(f'exec: {sys.executable} -c "{code}"', folder=tmp_path).answer(
        asked("my private question")
    )
    assert (
        because(heard)
        == f"the command `{sys.executable}` ended with 1: something that repeats the prompt, or a key"
    )


def test_what_a_command_complains_about_is_not_told_when_it_repeats_a_key(tmp_path: Path) -> None:
    written = f"exec: {sys.executable} -c \"import sys; sys.exit('wrong: sk-very-secret')\""
    command = source(written, folder=tmp_path, environment={"MY_TOKEN": "sk-very-secret"})

    assert because(command.answer(asked("x"))).endswith("something that repeats the prompt, or a key")


@pytest.mark.parametrize("pipe", ["stdout", "stderr"])
def test_a_command_that_prints_without_end_is_ended(tmp_path: Path, pipe: str) -> None:
    code = f"import sys; all(sys.{pipe}.write('x' * 100000) for _ in iter(int, 1))"
    heard = source(f"exec: {sys.executable} -c {json.dumps(code)}", folder=tmp_path).answer(asked("x"))
    assert because(heard) == f"the command `{sys.executable}` printed more than 10,000,000 bytes"


def test_what_a_command_has_started_ends_with_it(tmp_path: Path) -> None:
    (tmp_path / "starts.py").write_text(STARTS)
    heard = source(f"exec: {sys.executable} starts.py", folder=tmp_path, timeout=6.0).answer(asked("x"))

    assert because(heard).endswith("did not end within 6 s")
    assert stands_still(tmp_path / "beats")


def test_what_a_command_has_started_ends_with_an_interrupted_run(tmp_path: Path) -> None:
    (tmp_path / "starts.py").write_text(STARTS)
    subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=tmp_path, check=True)

    assert stands_still(tmp_path / "beats")


def stands_still(file: Path) -> bool:
    """Whether somebody has written to a file, and does so no more."""
    before = file.read_text()
    time.sleep(0.3)
    return bool(before) and file.read_text() == before


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    why = because(source("exec:no-such-command --now", folder=tmp_path).answer(asked("x")))
    assert why == "the command `no-such-command` cannot be run: No such file or directory"


@pytest.mark.parametrize("written", ["exec:", "exec:  ", "exec: echo 'open"])
def test_what_is_no_command_is_told_with_its_place(written: str) -> None:
    with pytest.raises(BatteryError, match=r"^battery\.yaml:7:5: "):
        source(written)
