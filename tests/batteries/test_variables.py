"""Variables: lists, files, and texts that refer to one another."""

from pathlib import Path

import pytest

from tests.batteries.written import cases_of, wrong

ASKS = "assert: [{type: contains, value: x}]"


def test_lists_of_texts_give_a_test_for_every_choice(tmp_path: Path) -> None:
    tests = cases_of(tmp_path, f"tests: [{{vars: {{user: [a, b], b: [1, 2], c: [x, y]}}, {ASKS}}}]")

    assert [(test.number, test.vars["user"], test.vars["c"]) for test in tests] == [
        (1, "a", "x"),
        (2, "a", "y"),
        (3, "b", "x"),
        (4, "b", "y"),
    ]
    assert tests[0].vars["b"] == [1, 2]


def test_a_list_stays_a_list_when_the_test_says_so(tmp_path: Path) -> None:
    text = f"tests: [{{vars: {{user: hi, c: [x, y]}}, options: {{disableVarExpansion: true}}, {ASKS}}}]"

    assert cases_of(tmp_path, text)[0].vars["c"] == ["x", "y"]


def test_texts_refer_to_one_another_in_any_order_and_to_the_environment(tmp_path: Path) -> None:
    text = f"""
        env: {{PLACE: Bonn}}
        tests:
          - vars: {{user: "{{{{greeting}}}}!", greeting: "Hi {{{{name}}}} of {{{{env.PLACE}}}}", name: Ada}}
            {ASKS}
        """
    assert cases_of(tmp_path, text, {"PLACE": "Kiel"})[0].vars["user"] == "Hi Ada of Bonn!"


def test_what_a_variable_or_a_file_brings_along_is_not_filled_in_again(tmp_path: Path) -> None:
    text = """
        tests:
          - vars: {page: file://page.txt, user: "Read: {{page}}", raw: "{% raw %}{{page}}{% endraw %}"}
            providerOutput: "{{user}} {{7*7}}"
            assert: [{type: contains, value: "{{page}}"}]
        """
    test = cases_of(tmp_path, text, {"TOKEN": "secret"}, page_txt="{{ env.TOKEN }} {{ 7*7 }}\n")[0]

    assert test.vars["user"] == "Read: {{ env.TOKEN }} {{ 7*7 }}"
    assert test.vars["raw"] == "{{page}}"
    assert test.recorded == "{{user}} {{7*7}}"


def test_a_variable_cannot_bring_in_the_name_of_a_file(tmp_path: Path) -> None:
    text = """
        tests:
          - vars: {user: "{{a}}", a: "file:/{{b}}", b: /etc/hosts}
            assert: [{type: equals, value: "{{a}}"}]
        """
    assert wrong(tmp_path, text)[0].startswith("b.yaml:4:36: a variable must not name the file that is read")


def test_what_is_wrong_with_variables_is_told(tmp_path: Path) -> None:
    said = wrong(
        tmp_path,
        f"""
        tests:
          - vars: {{user: "{{{{a}}}}", a: "{{{{b}}}}", b: "{{{{a}}}}"}}
            {ASKS}
          - vars: {{user: "{{{{nobody}}}}"}}
            {ASKS}
          - vars: {{user: file://gone.txt}}
            {ASKS}
          - vars: {{user: hi, {ASKS}}}
          - vars:
            {ASKS}
          - vars: {{user: file://x.py}}
            {ASKS}
          - vars: {{user: "{{{{ a"}}
            {ASKS}
        """,
        x_py="",
    )
    expected = [
        "b.yaml:3:30: the variables refer to one another in a circle: `a` → `b` → `a`",
        "b.yaml:5:18: 'nobody' is undefined",
        "b.yaml:7:18: the file `gone.txt` cannot be read",
        "b.yaml:9:22: `assert` stands under `vars`",
        "b.yaml:10:10: `vars` must be a mapping; got nothing",
        "b.yaml:12:18: `x.py` as a variable is a feature of promptfoo",
        "b.yaml:14:18: the template is not well formed",
    ]
    assert [line[: len(start)] for line, start in zip(said, expected, strict=True)] == expected


def test_texts_in_lists_and_mappings_are_filled_in_too(tmp_path: Path) -> None:
    text = f"""
        tests:
          - vars:
              user: "{{{{chat[0].says}}}}"
              chat: [{{says: "Hi {{{{name}}}}", page: file://page.txt}}]
              name: Ada
            {ASKS}
        """
    (test,) = cases_of(tmp_path, text, page_txt="{{ 7*7 }}\n")

    assert test.vars["chat"] == [{"says": "Hi Ada", "page": "{{ 7*7 }}"}]
    assert test.vars["user"] == "Hi Ada"
    assert "'nobody' is undefined" in wrong(tmp_path, text.replace("{name}}", "{nobody}}"), page_txt="")[0]


@pytest.mark.parametrize("number", ["01234", "3.10", "+5", "1e3", "1.0"])
def test_a_number_that_would_be_written_otherwise_wants_quotes(number: str, tmp_path: Path) -> None:
    said = f"`{number}` is a string only in quotes; a number is written "

    for variables in (f"zip: {number}", f"zip: {{of: [{number}]}}"):
        assert said in wrong(tmp_path, f"tests: [{{vars: {{{variables}}}, {ASKS}}}]")[0]
    assert said in wrong(tmp_path, f"env: {{ZIP: {number}}}\ntests: [{{vars: {{user: a}}, {ASKS}}}]")[0]
    assert said in wrong(tmp_path, f"tests: [{{vars: {{user: a}}, metadata: {{v: {number}}}, {ASKS}}}]")[0]
    assert (
        said
        in wrong(tmp_path, f"tests: [{{vars: {{user: a}}, assert: [{{type: contains, value: {number}}}]}}]")[
            0
        ]
    )


def test_a_list_of_a_variable_cannot_bring_in_the_name_of_a_file(tmp_path: Path) -> None:
    text = """
        tests:
          - vars: {user: hi, xs: file://xs.txt, all: ["{{xs}}"]}
            options: {disableVarExpansion: true}
            assert: [{type: contains-any, value: "{{all}}"}]
        """
    assert "a variable must not name the file" in wrong(tmp_path, text, xs_txt="file://b.yaml")[0]


def test_an_answer_that_stands_in_a_file_is_read_from_there_as_it_is(tmp_path: Path) -> None:
    text = "tests: [{providerOutput: file://said.txt, assert: [{type: contains, value: x}]}]"

    assert cases_of(tmp_path, text, said_txt="{{ 7*7 }} \n")[0].recorded == "{{ 7*7 }} "
    assert "gone.txt` cannot be read" in wrong(tmp_path, text.replace("said", "gone"))[0]


def test_variables_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    tests = cases_of(tmp_path, f"tests: [{{vars: file://vars.yaml, {ASKS}}}]", vars_yaml="user: hi\nn: 2\n")

    assert tests[0].vars == {"user": "hi", "n": 2}


def test_what_is_no_text_is_written_as_the_file_has_it(tmp_path: Path) -> None:
    tests = cases_of(
        tmp_path,
        f'tests: [{{vars: {{user: "{{{{t}}}} {{{{n}}}} {{{{l}}}}", t: true, n: 3, l: [1, 2]}}, {ASKS}}}]',
    )

    assert tests[0].vars["user"] == "true 3 [1, 2]"
