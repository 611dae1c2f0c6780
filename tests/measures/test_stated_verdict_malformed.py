"""Kinds of broken JSON that judges write: from each, the verdict that was meant is read."""

import pytest

from sensecheck.measures.verdicts.stated import verdict_in

WHY = "Paris is the capital, as the reference says"

KINDS: list[tuple[str, str]] = [
    # quotes
    ("single quotes", "{'KEY': 'VALUE', 'reasoning': 'fine'}"),
    ("single quotes and an apostrophe", "{'reasoning': 'it's the user's choice, isn't it', 'KEY': 'VALUE'}"),
    ("backticks", "{`KEY`: `VALUE`, `reasoning`: `fine`}"),
    ("smart quotes", "{“KEY”: “VALUE”, “reasoning”: “fine”}"),
    ("single smart quotes", "{‘KEY’: ‘VALUE’, ‘reasoning’: ‘it’s fine’}"),
    ("low and high quotes", "{„KEY“: „VALUE“}"),
    ("guillemets", "{«KEY»: «VALUE»}"),
    ("full-width quotes and colon", "{＂KEY＂：＂VALUE＂，＂reasoning＂：＂fine＂}"),
    ("smart quotes that close straight", '{“KEY": “VALUE", “reasoning": “fine"}'),
    ("straight quotes that close smart", '{"KEY”: "VALUE”, "reasoning”: "fine”}'),
    ("doubled quotes", '{""KEY"": ""VALUE"", ""reasoning"": ""fine""}'),
    ("triple quotes", '{"KEY": """VALUE""", "reasoning": """fine"""}'),
    ("mixed quotes", "{'KEY': \"VALUE\", \"reasoning\": 'fine'}"),
    ("key without quotes", '{KEY: "VALUE", reasoning: "fine"}'),
    ("value without quotes", '{"KEY": VALUE, "reasoning": "fine"}'),
    ("nothing in quotes", "{KEY: VALUE, reasoning: it is fine, really}"),
    ("nothing in quotes, on lines", "{\n  KEY: VALUE\n  reasoning: it is fine\n}"),
    ("no closing quote before a comma", '{"KEY": "VALUE, "reasoning": "fine"}'),
    ("no closing quote before a line's end", '{\n"KEY": "VALUE\n"reasoning": "fine"\n}'),
    ("no closing quote at the end", '{"reasoning": "fine", "KEY": "VALUE}'),
    ("no closing quote of the reasoning", '{"reasoning": "fine,\n "KEY": "VALUE"}'),
    ("no opening quote", '{"KEY": VALUE", "reasoning": "fine"}'),
    ("a key that is not closed", '{"KEY: "VALUE", "reasoning": "fine"}'),
    ("a key that is not opened", '{KEY": "VALUE", reasoning": "fine"}'),
    ("an escaped closing quote", '{"KEY": "VALUE\\", "reasoning": "fine"}'),
    # quotes and keys inside the reasoning
    ("quotes that are not escaped", '{"reasoning": "It says "the end" and "OTHER" twice", "KEY": "VALUE"}'),
    ("quotes with commas", '{"reasoning": "It says "yes", then "no", and stops", "KEY": "VALUE"}'),
    ("a quoted pair", '{"reasoning": "It wrote "KEY": "OTHER" but that is wrong", "KEY": "VALUE"}'),
    ("a quoted pair after a comma", '{"reasoning": "It wrote, "KEY": "OTHER", in vain", "KEY": "VALUE"}'),
    ("an escaped pair", '{"reasoning": "It wrote \\"KEY\\": \\"OTHER\\".", "KEY": "VALUE",}'),
    ("an escaped object", '{"reasoning": "{\\"KEY\\": \\"OTHER\\"} it wrote", "KEY": "VALUE",}'),
    ("a pair in smart quotes", '{"reasoning": "It wrote “KEY”: “OTHER”, so", "KEY": "VALUE",}'),
    (
        "lines that are not escaped",
        '{"reasoning": "First:\nKEY: OTHER was likely.\n\nBut no.", "KEY": "VALUE"}',
    ),
    ("tabs that are not escaped", '{"reasoning": "First:\tit\tis fine", "KEY": "VALUE"}'),
    ("braces in the reasoning", '{"reasoning": "a set {x} and {y: 1} and }", "KEY": "VALUE"}'),
    ("a wrong escape", '{"reasoning": "C:\\new\\_file \\q", "KEY": "VALUE"}'),
    # commas, colons, brackets
    ("a comma too many", '{"KEY": "VALUE", "reasoning": "fine",}'),
    ("two commas", '{"KEY": "VALUE",, "reasoning": "fine"}'),
    ("a comma before all", '{, "KEY": "VALUE"}'),
    ("no comma", '{"KEY": "VALUE" "reasoning": "fine"}'),
    ("no comma, on lines", '{\n  "reasoning": "fine"\n  "KEY": "VALUE"\n}'),
    ("no comma after a number", '{"confidence": 3 "KEY": "VALUE"}'),
    ("semicolons", '{"KEY": "VALUE"; "reasoning": "fine";}'),
    ("an equals sign", '{"KEY" = "VALUE", "reasoning" = "fine"}'),
    ("a fat arrow", '{"KEY" => "VALUE", "reasoning" => "fine"}'),
    ("a thin arrow", '{"KEY" -> "VALUE"}'),
    ("two colons", '{"KEY":: "VALUE"}'),
    ("no colon", '{"KEY" "VALUE", "reasoning" "fine"}'),
    ("a comma for a colon", '{"KEY", "VALUE"}'),
    ("no closing brace", '{"reasoning": "fine", "KEY": "VALUE"'),
    ("no closing brace in a fence", '```json\n{"reasoning": "fine", "KEY": "VALUE"\n```\nThat is all.'),
    ("no closing brace before prose", '{"KEY": "VALUE"\n\nThe "answer" is what it is, isn\'t it?'),
    ("no inner closing brace", '{"evaluation": {"KEY": "VALUE", "reasoning": "fine"}'),
    ("no closing bracket", '{"steps": ["one", "two", "KEY": "VALUE"}'),
    ("no opening brace", '"reasoning": "fine", "KEY": "VALUE"}'),
    ("no braces", '"KEY": "VALUE",\n"reasoning": "fine"'),
    ("the wrong closing bracket", '{"KEY": "VALUE"]'),
    ("brackets for braces", '["KEY": "VALUE", "reasoning": "fine"]'),
    ("parentheses for braces", '("KEY": "VALUE")'),
    ("doubled braces", '{{"KEY": "VALUE", "reasoning": "fine"}}'),
    ("braces too many", '{"KEY": "VALUE"}}}}'),
    ("spaces everywhere", '{\n\n  "KEY"   :\n\n      "VALUE"   ,\n\n}'),
    # other languages
    ("Python", "{'KEY': 'VALUE', 'sure': True, 'note': None}"),
    ("a Python call", "Verdict(reasoning='fine', KEY='VALUE')"),
    ("a tuple of pairs", '(("KEY", "VALUE"))'.replace("((", "{").replace("))", "}")),
    ("JavaScript", 'const out = {KEY: "VALUE", reasoning: `fine`};'),
    ("JSON5", "{KEY: 'VALUE', reasoning: 'fine', n: +1., m: .5, h: 0xFF, inf: Infinity,}"),
    ("not a number", '{"confidence": NaN, "KEY": "VALUE"}'),
    ("undefined", '{"confidence": undefined, "KEY": "VALUE"}'),
    ("a line comment", '{"KEY": "VALUE", // not OTHER\n "reasoning": "fine"}'),
    ("a block comment", '{/* KEY: OTHER */ "KEY": "VALUE" /* "KEY": "OTHER" */}'),
    ("a hash comment", '{"KEY": "VALUE" # never OTHER\n}'),
    ("YAML", "```yaml\nreasoning: |\n  It says KEY: OTHER, in vain.\nKEY: VALUE\n```"),
    ("YAML with quotes", "reasoning: 'fine'\nKEY: 'VALUE'\n"),
    ("TOML", 'reasoning = "fine"\nKEY = "VALUE"'),
    ("a list in YAML", "- reasoning: fine\n- KEY: VALUE"),
    # characters
    ("a byte order mark", '\ufeff{"KEY": "VALUE"}'),
    ("zero-width characters", '{"KE\u200bY": "\u200bVALUE\u2060"}'.replace("KE\u200bY", "KEY\u200b")),
    ("no-break spaces", '{\u00a0"KEY":\u00a0"VALUE"\u00a0}'),
    ("control characters", '{"KEY": "VALUE", "reasoning": "a\x00b\x07c\x1b[0m"}'),
    ("control characters around", '\x02{\x00"KEY"\x00: "VALUE"}\x03'),
    ("HTML entities", "{&quot;KEY&quot;: &quot;VALUE&quot;, &quot;reasoning&quot;: &quot;a &lt; b&quot;}"),
    ("numbered HTML entities", "{&#34;KEY&#34;: &#34;VALUE&#34;}"),
    ("escaped once", '{\\"KEY\\": \\"VALUE\\", \\"reasoning\\": \\"so \\\\\\"fine\\\\\\"\\"}'),
    ("escaped twice", '{\\\\"KEY\\\\": \\\\"VALUE\\\\"}'),
    ("escaped lines", '{\\n  "KEY": "VALUE",\\n  "reasoning": "fine"\\n}'),
    ("escaped as a whole", '"{\\"KEY\\": \\"VALUE\\", \\"reasoning\\": \\"fine\\"}"'),
    ("a string that holds JSON", '{"output": "{\\"KEY\\": \\"VALUE\\", \\"reasoning\\": \\"fine\\"}"}'),
    ("a string that holds JSON, not escaped", '{"output": "{"KEY": "VALUE"}"}'),
    ("spaces inside the strings", '{" KEY ": " VALUE "}'),
    ("lines inside the strings", '{"KEY": "\nVALUE\n"}'),
    ("escaped lines inside the strings", '{"KEY": "\\nVALUE\\n"}'),
    ("upper-case keys", '{"__UPPER__": "VALUE"}'),
    ("full-width letters", '{"KEY": "VALUE", "reasoning": "ｆｉｎｅ"}'),
    # Markdown and what else comes along
    ("a fence", '```json\n{"KEY": "VALUE"}\n```'),
    ("a fence without an end", '```json\n{"KEY": "VALUE"}'),
    ("a fence of tildes", '~~~\n{"KEY": "VALUE",}\n~~~'),
    ("bold inside", '{**"KEY"**: **"VALUE"**}'),
    ("bold in the strings", '{"**KEY**": "**VALUE**"}'),
    ("code in the strings", '{"KEY": "`VALUE`",}'),
    ("a sign before the word", '{"KEY": "➡ VALUE"}'.replace("➡ ", "- ")),
    ("brackets around the word", '{"KEY": "[VALUE]",}'),
    ("a full stop", '{"KEY": "VALUE.",}'),
    ("words after the word", '{"KEY": "VALUE - as the reference says",}'),
    ("an ellipsis", '{"KEY": "VALUE", ...}'),
    ("an ellipsis before", '{..., "KEY": "VALUE"}'),
    ("an ellipsis in the reasoning", '{"reasoning": "...", ... "KEY": "VALUE"}'),
    ("reasoning before", f'{WHY}. So I would say:\n\n{{"KEY": "VALUE",}}'),
    ("reasoning after", f'{{"KEY": "VALUE",}}\n\n{WHY}. OTHER would be unfair.'),
    ("reasoning on both sides", f'I think {{this}} through. {WHY}.\n{{"KEY": "VALUE",}}{WHY}.'),
    ("text glued to the brace", '{"KEY": "VALUE"}Hope this helps!'),
    ("a word before the brace", 'json{"KEY": "VALUE",}'),
    ("an assignment", 'result = {"KEY": "VALUE",}'),
    ("thinking aloud", '<think>maybe {"KEY": "OTHER"}</think>{"KEY": "VALUE",}'),
    ("a list of one", '[{"KEY": "VALUE",}]'),
    ("a list inside", '{"KEY": ["VALUE"],}'),
    ("an object inside", '{"KEY": {"value": "VALUE"},}'),
    ("two levels", '{"response": {"evaluation": {"KEY": "VALUE",},},}'),
    ("lines of JSON", '{"step": 1,}\n{"KEY": "VALUE",}\n{"KEY": "VALUE",}'),
    ("a draft before", 'Draft: {"step": "OTHER"}\nAfter checking: {"KEY": "VALUE",}'),
    ("a broken draft before", '{"KEY": "OTHER"\n{"KEY": "VALUE"}'),
    ("cut off after it", '{"KEY": "VALUE", "reasoning": "Paris is the cap'),
    ("cut off in the next key", '{"KEY": "VALUE", "reas'),
    ("cut off after a comma", '{"KEY": "VALUE",'),
    ("cut off in the string", '{"reasoning": "fine", "KEY": "VALUE'),
    ("a second object cut off", '{"KEY": "VALUE"}\n{"KEY": "OTHER", "reasoning": "Par'),
]
MEANT = [
    ("verdict", "PASS", "FAIL", 1.0),
    ("verdict", "FAIL", "PASS", 0.0),
    ("score", "4", "2", 0.75),
    ("is_correct", "true", "false", 1.0),
    ("final_verdict", "Incorrect", "Correct", 0.0),
]


def written(template: str, key: str, value: str, other: str) -> str:
    template = template.replace("__UPPER__", key.upper())
    return template.replace("KEY", key).replace("OTHER", other).replace("VALUE", value)


@pytest.mark.parametrize(("key", "value", "other", "meant"), MEANT, ids=[f"{k}-{v}" for k, v, _, _ in MEANT])
@pytest.mark.parametrize("template", [template for _, template in KINDS], ids=[kind for kind, _ in KINDS])
def test_the_verdict_in_broken_json_is_read(
    template: str, key: str, value: str, other: str, meant: float
) -> None:
    text = written(template, key, value, other)
    found = verdict_in(text)

    assert found is not None
    assert found.value == meant
    assert text[found.start : found.end] == value


def test_there_are_many_kinds_and_each_is_named_once() -> None:
    names = [kind for kind, _ in KINDS]

    assert len(names) == len(set(names)) >= 100
