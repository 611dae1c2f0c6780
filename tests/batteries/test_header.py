"""What a battery says beside its tests: prompts, sources, defaults, options."""

import json
from pathlib import Path

import pytest

from sensecheck.batteries.battery import PromptTemplate, Repeat
from sensecheck.batteries.prompts import render_prompt
from tests.batteries.written import battery, cases_of, wrong

TESTS = "tests: [{vars: {user: hi}, assert: [{type: contains, value: x}]}]"
ASKS = "assert: [{type: contains, value: x}]"


def test_prompts_are_texts_or_files(tmp_path: Path) -> None:
    read = battery(
        tmp_path,
        f"""
        prompts:
          - "Say {{{{user}}}}"
          - file://two.txt
          - {{raw: "As {{{{user}}}}", label: third}}
          - {{id: file://chat.yaml, label: chat}}
        {TESTS}
        """,
        two_txt="One {{user}}\n---\nTwo {{user}}\n",
        chat_yaml="- {role: user, content: 'Hey {{user}}'}\n",
    )
    assert [prompt.label for prompt in read.prompts] == [
        "Say {{user}}",
        "two.txt 1",
        "two.txt 2",
        "third",
        "chat",
    ]
    (test,) = read.read_tests()
    prompts = [render_prompt(prompt, test, {}) for prompt in read.prompts]
    assert prompts[:4] == ["Say hi", "One hi", "Two hi", "As hi"]
    assert json.loads(prompts[4]) == [{"role": "user", "content": "Hey hi"}]


def test_without_prompts_a_test_asks_by_its_own_variables(tmp_path: Path) -> None:
    plain, chat, recorded = cases_of(
        tmp_path,
        f"""
        defaultTest: {{{ASKS}, options: {{prefix: "Please: "}}}}
        tests:
          - vars: {{question: 'Is "{{% raw %}}{{{{x}}}}{{% endraw %}}" here?'}}
          - vars: {{system: 'Be "short".', user: hi}}
            options: {{prefix: ""}}
          - providerOutput: {{a: [1, é]}}
            options: {{prefix: ""}}
        """,
    )
    own = PromptTemplate("", "")
    assert render_prompt(own, plain, {}) == 'Please: Is "{{x}}" here?'
    assert json.loads(render_prompt(own, chat, {})) == [
        {"role": "system", "content": 'Be "short".'},
        {"role": "user", "content": "hi"},
    ]
    assert render_prompt(own, recorded, {}) == ""
    assert recorded.recorded == '{"a":[1,"é"]}'


def test_sources_are_named_in_three_ways_and_in_files(tmp_path: Path) -> None:
    read = battery(
        tmp_path,
        f"""
        prompts: [{{raw: "a {{{{user}}}}", label: a}}, {{raw: "b {{{{user}}}}", label: b}}]
        providers:
          - echo
          - {{id: "openai:chat:m", label: big, config: {{temperature: 0}}, prompts: [a]}}
          - "openai:n": {{label: small}}
          - file://more.yaml
        tests: [{{vars: {{user: hi}}, providers: [big, "openai:*"], prompts: [b], {ASKS}}}]
        """,
        more_yaml="{id: echo, label: other}\n",
    )
    assert [spec.label for spec in read.sources] == ["echo", "big", "small", "other"]
    assert [spec.wordings for spec in read.sources] == [None, ("a",), None, None]
    assert read.sources[1].config.plain() == {"temperature": 0}
    (test,) = read.read_tests()
    assert (test.sources, test.prompts) == (("big", "small"), ("b",))


def test_a_default_stands_under_every_test(tmp_path: Path) -> None:
    first, second = cases_of(
        tmp_path,
        """
        defaultTest:
          vars: {user: hi, tone: kind}
          assert: [{type: icontains, value: "{{tone}}"}]
          embedding_validation: {type: refusal_cluster}
          threshold: 0.5
          metadata: {a: 1, b: 2}
          options: {suffix: "!"}
          repeat: {runs: 3, pass: 2}
        tests:
          - vars: {tone: sharp}
            assert: [{type: contains, value: x}]
            embedding_validation: [{type: trajectory}]
            metadata: {b: 3}
          - assert: [{type: equals, value: x}]
            options: {disableDefaultAsserts: true}
            threshold: 1
            repeat: 4
        """,
    )
    assert first.types == ("icontains", "contains", "refusal_cluster", "trajectory")
    assert first.vars == {"user": "hi", "tone": "sharp"}
    assert (first.check.threshold, first.suffix, first.repeat) == (0.5, "!", Repeat(3, 2))
    assert first.metadata == {"a": 1, "b": 3}
    assert second.types == ("equals",)
    assert (second.check.threshold, second.repeat) == (1, Repeat(4, 4))


def test_options_of_the_run_are_kept(tmp_path: Path) -> None:
    read = battery(
        tmp_path, f"evaluateOptions: {{maxConcurrency: 2, repeat: 3, showProgressBar: false}}\n{TESTS}"
    )

    assert read.concurrency == 2
    assert next(read.read_tests()).repeat == Repeat(3, 3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "scenarios: [{config: []}]",
            "1:1: `scenarios` is a feature of promptfoo that sensecheck does not support",
        ),
        ("outputPath: out.txt", "1:13: `out.txt` names no form of report by its ending"),
        ("sharing: true", "1:1: `sharing` is a feature of promptfoo"),
        ("testz: []", "1:1: `testz` is not a known key of a battery; did you mean `tests`?"),
        ("evaluateOptions: {cache: false}", "1:26: to ask again, say `--no-cache`"),
        ("evaluateOptions: {delay: 100}", "1:19: `delay` is a feature of promptfoo"),
        ("prompts: [file://p.py]", "1:11: prompts in `p.py` are not supported"),
        ("prompts: prompts.txt", "1:10: the file `prompts.txt` cannot be read"),
        ("prompts: []", "1:10: `prompts` must have at least one"),
        ("providers: [anthropic:x]", "1:13: `anthropic:x` is a source of promptfoo"),
        ("providers: [echo, echo]", "1:19: two providers are called `echo`"),
        ("providers: [{id: echo, transform: x}]", "1:24: `transform` is a feature of promptfoo"),
        ("providers: echo\ntargets: echo", "2:10: `targets` is another name of `providers`"),
        ("repeat: {runs: 2, pass: 3}", "1:25: `pass` must be from 1 to 2"),
        ("repeat: 0", "1:9: `repeat` must be a whole number of 1 or more"),
        ("defaultTest: {description: x}", "1:15: `description` is not a known key of `defaultTest`"),
        ("env: [a]", "1:6: `env` must be a mapping"),
        ("prompts: ['{{usr}}']", "2:9: 'usr' is undefined"),
    ],
)
def test_what_would_be_ignored_is_an_error(tmp_path: Path, line: str, said: str) -> None:
    assert wrong(tmp_path, f"{line}\n{TESTS}", p_py="")[0].startswith(f"b.yaml:{said}")


def test_what_changes_nothing_and_what_is_switched_off_may_stand_there(tmp_path: Path) -> None:
    head = "$schema: x\ntags: {a: b}\nsharing: false\nextensions: []\nx-mine: {any: thing}\n"

    assert battery(tmp_path, head + TESTS).sources == ()


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("{vars: {user: hi}}", "1:9: a test that asks nothing can never fail"),
        (f"{{vars: {{user: hi}}, {ASKS}, threshold: 0}}", "could never fail"),
        (f"{{vars: {{user: hi}}, {ASKS}, provider: echo}}", "`provider` is a feature of promptfoo"),
        (
            f"{{vars: {{user: hi}}, {ASKS}, options: {{postprocess: x}}}}",
            "`postprocess` is a feature of promptfoo",
        ),
        (f"{{vars: {{user: hi}}, {ASKS}, prompts: [a]}}", "the battery has no `prompts`"),
        ("{vars: {user: hi}, assert: [{type: contains, value: x, weight: 0}]}", "it could never fail"),
        (f"{{providerOutput: x, repeat: 2, {ASKS}}}", "cannot be asked for again"),
        (
            "{path: 'file://make.py:tests', config: {}}",
            "tests that a program makes are a feature of promptfoo",
        ),
        ("file://tests.py", "tests in `tests.py` are a feature of promptfoo"),
        ("https://example.org/tests.csv", "are a feature of promptfoo"),
        ("file://no/*.yaml", "no file fits `file://no/*.yaml`"),
        ("5", "a test must be a mapping; got a number"),
    ],
)
def test_a_test_that_cannot_be_right_is_an_error(tmp_path: Path, test: str, said: str) -> None:
    (line,) = wrong(tmp_path, f"tests: [{test}]")
    assert line.startswith("b.yaml:1:")
    assert said in line
