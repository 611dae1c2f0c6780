"""The prompts of a battery, and the prompt of a test: a template with the test's variables put in."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sensecheck.batteries.battery import BatteryTest, PromptTemplate
from sensecheck.batteries.features import PROMPT
from sensecheck.batteries.files import Files
from sensecheck.core.errors import BatteryError
from sensecheck.documents.node import Node
from sensecheck.documents.reading import SCHEME
from sensecheck.documents.templates import render
from sensecheck.text.escaping import cut

_SUFFIXES: Final = (".txt", ".md", ".j2", ".json", ".jsonl", ".yaml", ".yml")
_FOREIGN: Final = ("exec:", "langfuse://", "portkey://", "helicone://", "package:")
_MAX_LABEL_CHARS: Final = 60
_SEPARATOR: Final = re.compile(r"^[ \t]*---[ \t]*$", re.MULTILINE)

_ASKED_BY: Final = ("user", "prompt", "question")
"""The variables that are the prompt of a test when the battery words none; the first that is there counts."""
_SYSTEM: Final = "system"


def read_prompts(node: Node, files: Files) -> tuple[PromptTemplate, ...]:
    """The prompts, each under a label of its own."""
    prompts: list[PromptTemplate] = []
    for entry in _entries(node):
        prompts += _entry_prompts(entry, files)
    if not prompts:
        raise node.error("`prompts` must have at least one prompt; got none")
    return _with_distinct_labels(prompts, node)


def render_prompt(prompt: PromptTemplate, test: BatteryTest, environment: Mapping[str, str]) -> str:
    """What the source is asked; a chat is written as a JSON list of messages."""
    raw = prompt.raw or _own_prompt(test)
    whole = test.prefix + raw + test.suffix
    variables = {**test.vars, "env": environment}
    chat = _chat(whole)
    if chat is None:
        return render(whole, variables, test.place)
    filled = Node.of(chat, test.place).rendered(lambda text, place: render(text, variables, place))
    return json.dumps(filled.plain(), ensure_ascii=False, indent=2)


def require_question(prompt: PromptTemplate, test: BatteryTest) -> None:
    """Raise unless there is something to ask; answers that are there already need no question."""
    if not prompt.raw and _question(test) is None:
        names = ", ".join(f"`{name}`" for name in _ASKED_BY)
        raise BatteryError(
            f"{test.place}: nothing is asked; the battery has no `prompts`, and `vars` has none of {names}"
        )


def _entries(node: Node) -> tuple[Node, ...]:
    """One prompt, a list of them, or the older way of a mapping from files to labels."""
    if isinstance(node.value, str):
        return (node,)
    if isinstance(node.value, tuple):
        return node.value
    entries = node.entries("`prompts`")
    return tuple(
        Node({"id": Node(name, node.keys.get(name, node.place)), "label": label}, label.place)
        for name, label in entries.items()
    )


def _entry_prompts(node: Node, files: Files) -> Iterator[PromptTemplate]:
    if isinstance(node.value, str):
        yield from _text_prompts(node, "", files)
        return
    keys = PROMPT.of(node, "a prompt")
    label = keys["label"].text("`label`") if "label" in keys else ""
    if "raw" not in keys and "id" not in keys:
        raise node.error("a prompt must have `raw`, its text, or `id`, its file")
    yield from _text_prompts(keys["raw"] if "raw" in keys else keys["id"], label, files)


def _text_prompts(node: Node, label: str, files: Files) -> Iterator[PromptTemplate]:
    text = node.text("a prompt")
    if text.startswith(_FOREIGN):
        raise node.error(f"`{text}` is a prompt of promptfoo that sensecheck does not support")
    if not text.strip():
        raise node.error("a prompt must have text; got an empty one")
    if not _is_path(text):
        yield PromptTemplate(text, label or cut(" ".join(text.split()), _MAX_LABEL_CHARS))
        return
    for path in files.matching(text, node):
        yield from _file_prompts(path, label, node, files)


def _is_path(text: str) -> bool:
    """Whether promptfoo, too, would take the text for a file's name: it need not say `file://`."""
    if text.startswith(SCHEME):
        return True
    one_word = not re.search(r"\s|\{\{", text)
    return one_word and (Path(text).suffix.lower() in (*_SUFFIXES, ".py", ".js", ".csv") or "/" in text)


def _file_prompts(path: Path, label: str, node: Node, files: Files) -> Iterator[PromptTemplate]:
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        suffixes = ", ".join(f"`{suffix}`" for suffix in _SUFFIXES)
        raise node.error(
            f"prompts in `{path.name}` are not supported by sensecheck; wanted a file of {suffixes}"
        )
    texts = _texts(path, suffix, node, files)
    if not texts:
        raise node.error(f"the file `{path}` holds no prompt")
    for number, text in enumerate(texts, 1):
        name = label or path.name
        yield PromptTemplate(text, f"{name} {number}" if len(texts) > 1 else name)


def _texts(path: Path, suffix: str, node: Node, files: Files) -> list[str]:
    text = files.text(path, node)
    if suffix == ".txt":
        return [piece.strip() for piece in _SEPARATOR.split(text.replace("\r\n", "\n")) if piece.strip()]
    if suffix == ".jsonl":
        return [line for line in text.splitlines() if line.strip()]
    if suffix in (".yaml", ".yml"):
        data = files.document(path, node).plain()
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    if f'"{SCHEME}' in text and suffix in (".yaml", ".yml", ".json"):
        raise node.error(
            f"the messages in `{path}` name files; sensecheck does not support that: put them in"
        )
    return [text] if text.strip() else []


def _with_distinct_labels(prompts: list[PromptTemplate], node: Node) -> tuple[PromptTemplate, ...]:
    """The same with labels that differ: results are told apart by them."""
    counts: dict[str, int] = {}
    distinct = []
    for prompt in prompts:
        counts[prompt.label] = counts.get(prompt.label, 0) + 1
        count = counts[prompt.label]
        distinct.append(prompt if count == 1 else PromptTemplate(prompt.raw, f"{prompt.label} ({count})"))
    labels = {prompt.label for prompt in distinct}
    if len(labels) < len(distinct):
        raise node.error("two prompts have the same label; give each a `label` of its own")
    return tuple(distinct)


def _own_prompt(test: BatteryTest) -> str:
    """A template that puts in what the test itself asks; nothing, when it asks nothing."""
    variable = _question(test)
    if variable is None:
        return ""
    if _SYSTEM not in test.vars:
        return f"{{{{ {variable} }}}}"
    messages = ((_SYSTEM, f"{{{{ {_SYSTEM} }}}}"), ("user", f"{{{{ {variable} }}}}"))
    return json.dumps([{"role": role, "content": content} for role, content in messages])


def _question(test: BatteryTest) -> str | None:
    return next((name for name in _ASKED_BY if name in test.vars), None)


@lru_cache(maxsize=64)
def _chat(text: str) -> Any:
    """The messages, if the text is JSON: then each of its texts is filled in, and the whole stays JSON."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None  # a text that begins with a bracket, or a template that writes JSON itself
