"""What sources are called when the file gives them no label."""

from pathlib import Path

from tests.batteries.written import battery, cases_of, wrong

TESTS = "tests: [{vars: {user: x}, assert: [{type: contains, value: x}]}]"


def test_a_label_shows_neither_a_password_nor_the_query_of_an_address(tmp_path: Path) -> None:
    text = f"""
        prompts: ["{{{{user}}}}"]
        providers:
          - "https://me:pass-word@example.org/ask?key=sk-1"
          - {{id: "https://example.org/ask?key=sk-2"}}
          - https://example.org/ask
          - {{id: "https://example.org/ask?key=sk-3", label: mine}}
          - "https://example.org/other?key=sk-1": {{config: {{}}}}
        {TESTS}
        """
    assert [spec.label for spec in battery(tmp_path, text).sources] == [
        "https://example.org/ask",
        "https://example.org/ask (2)",
        "https://example.org/ask (3)",
        "mine",
        "https://example.org/other",
    ]


def test_a_test_may_still_name_the_whole_address(tmp_path: Path) -> None:
    text = """
        prompts: ["{{user}}"]
        providers: ["https://example.org/ask?key=sk-1", "https://example.org/ask?key=sk-2"]
        tests:
          - vars: {user: x}
            providers: ["https://example.org/ask?key=sk-2"]
            assert: [{type: contains, value: x}]
        """
    (test,) = cases_of(tmp_path, text)
    assert test.sources == ("https://example.org/ask (2)",)


def test_the_same_address_twice_is_told_without_its_key(tmp_path: Path) -> None:
    address = '"https://example.org/ask?key=sk-1"'
    (told,) = wrong(tmp_path, f'prompts: ["{{{{user}}}}"]\nproviders: [{address}, {address}]\n{TESTS}')

    assert told.endswith("two providers are called `https://example.org/ask`; give each a `label` of its own")
