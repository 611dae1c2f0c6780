"""Names that a user gives are kept, whatever they begin with; those among our own keys mean nothing."""

from pathlib import Path

from tests.batteries.written import battery, cases_of


def test_variables_metadata_and_environment_keep_their_names(tmp_path: Path) -> None:
    text = """
        x-base: &base {x-city: Bonn}
        env: {x-place: Kiel}
        defaultTest:
          vars: {x-name: Ada}
          metadata: {x-team: blue}
        tests:
          - vars: {<<: *base, user: "{{ env['x-place'] }}"}
            metadata: {x-kind: smoke}
            x-note: for ourselves
            assert: [{type: contains, value: x}]
        """
    (test,) = cases_of(tmp_path, text)

    assert test.vars == {"x-name": "Ada", "x-city": "Bonn", "user": "Kiel"}
    assert test.metadata == {"x-team": "blue", "x-kind": "smoke"}


def test_variables_of_files_and_tables_keep_their_names(tmp_path: Path) -> None:
    text = "tests: [{vars: file://vars.yaml, assert: [{type: contains, value: x}]}]"
    (of_file,) = cases_of(tmp_path, text, vars_yaml="x-city: Bonn\n")
    (of_table,) = cases_of(tmp_path, "tests: file://tests.csv", tests_csv="x-city,__expected\nKiel,x\n")

    assert of_file.vars == {"x-city": "Bonn"}
    assert of_table.vars == {"x-city": "Kiel"}


def test_a_prompt_keeps_the_name_of_its_file(tmp_path: Path) -> None:
    text = "prompts: {x-prompt.txt: short}\nproviders: echo\ntests: [{assert: [{type: contains, value: x}]}]"
    (tmp_path / "x-prompt.txt").write_text("Say it.")

    assert [prompt.label for prompt in battery(tmp_path, text).prompts] == ["short"]
