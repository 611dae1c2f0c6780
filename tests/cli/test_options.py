"""The help of the command, and spellings of options that are no longer shown."""

import pytest

from sensecheck.cli.options import EARLIER_SPELLINGS, Verb
from tests.golden.commands import commands
from tests.walks.cli import typed

SCREEN = (80, 30)


def test_the_help_fits_on_one_screen_with_every_verb_in_its_group() -> None:
    shown = typed("--help", COLUMNS=str(SCREEN[0]), TERM="dumb", NO_COLOR="1").stdout
    lines = shown.splitlines()
    groups = ["Check", "Test", "Evaluate", "Calibrate", "Serve", "Manage"]
    verbs = {words[0] for words, verb in commands().items() if len(words) == 1 and not verb.hidden}

    assert len(lines) <= SCREEN[1]
    assert max(map(len, lines)) <= SCREEN[0]
    assert [line.split()[0] for line in lines if line.split()[:1] in [[group] for group in groups]] == groups
    assert verbs <= set(shown.replace(",", " ").split())


def test_every_command_takes_earlier_spellings_and_shows_none() -> None:
    verbs = {words: verb for words, verb in commands().items() if not hasattr(verb, "commands")}

    assert all(isinstance(verb, Verb) for verb in verbs.values())
    for words, verb in verbs.items():
        flags = {flag for parameter in verb.params for flag in parameter.opts if not parameter.hidden}
        both = {old for old, new in EARLIER_SPELLINGS.items() if new in flags and old in flags}
        assert not both, words


@pytest.mark.parametrize(
    ("earlier", "today"), [("--top", "--top-k"), ("--chars", "--max-chars"), ("--above", "--min-similarity")]
)
def test_an_earlier_spelling_is_the_same_option(earlier: str, today: str) -> None:
    row = '{"query": "q", "references": [{"text": "a", "closeness": 0.9}, {"text": "b", "closeness": 0.1}]}'

    before = typed("guard", "-", earlier, "1", stdin=row)
    after = typed("guard", "-", today, "1", stdin=row)

    assert (before.exit_code, before.stdout, before.stderr) == (after.exit_code, after.stdout, after.stderr)
    assert earlier + " " not in typed("guard", "--help").stdout
