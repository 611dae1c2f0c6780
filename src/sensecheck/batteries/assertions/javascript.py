"""JavaScript of a battery, run by Node in a process of its own: assertions, and what is made of an answer.

The process has no variables of the environment and an empty folder; Node itself forbids it files, further
processes and workers where its version can (20 and later), and the code runs in a context without `require`,
`process` and `fetch`. What takes too long is ended, and is neither pass nor fail.
"""

import json
import shutil
import subprocess
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from sensecheck.batteries.assertions.base import NUMBER, TEXT, About, AssertionInput, AssertionType
from sensecheck.batteries.assertions.script import script_of
from sensecheck.core.errors import BatteryError, CannotJudge
from sensecheck.core.protocols import Check
from sensecheck.core.unicode import printable
from sensecheck.documents.node import Node
from sensecheck.documents.reading import SCHEME, names_file
from sensecheck.text.escaping import cut

TIMEOUT_SECONDS = 10.0
MAX_MEMORY_MB = 128
MAX_OUTPUT_CHARS = 1_000_000
MAX_MESSAGE_CHARS = 200
"""Of what an error of the code says."""
_INLINE = "<javascript>"
_ENDINGS = (".js", ".cjs")
_NO_NODE = "Node is not installed, which runs `javascript`; install it, or write a `python` assertion"
_RUNNER = """
const vm = require("node:vm");
let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", async () => {
  const asked = JSON.parse(text);
  const box = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const given = `JSON.parse(${JSON.stringify(JSON.stringify(asked.given))})`;
  const calls = {
    expression: `(async ({ output, context }) => { return (\\n${asked.code}\\n); })(${given})`,
    body: `(async ({ output, context }) => {\\n${asked.code}\\n})(${given})`,
    module: `(async (given) => { const module = { exports: {} }, exports = module.exports;\\n${asked.code}
      const found = module.exports.default ?? module.exports;
      return await found(given.output, given.context); })(${given})`,
  };
  try {
    const value = await vm.runInContext(calls[asked.kind], box, { timeout: asked.milliseconds });
    process.stdout.write(JSON.stringify({ value: value === undefined ? null : value }));
  } catch (wrong) {
    const name = wrong && wrong.constructor && wrong.constructor.name;
    const said = wrong && wrong.message !== undefined ? wrong.message : wrong;
    const message = typeof said === "string" ? said.slice(0, asked.most) : "";
    process.stdout.write(JSON.stringify({ error: String(name || "an error"), message }));
  }
});
"""


@dataclass(frozen=True, slots=True)
class JavaScript:
    """A piece of code; called with an answer and what is known of its test, it gives plain data."""

    code: str = field(repr=False)
    kind: Literal["expression", "body", "module"]
    file: str = _INLINE

    @classmethod
    def of(cls, node: Node, folder: Path) -> "JavaScript":
        """The code that stands there, or in the file that it names."""
        written = node.text("code in JavaScript")
        if not names_file(node):
            text = textwrap.dedent(written).strip()
            return cls(text, "body" if "\n" in text or text.startswith("return ") else "expression")
        path = folder / written.removeprefix(SCHEME)
        if path.suffix not in _ENDINGS:
            raise node.error(f"code in JavaScript must be in a file that ends in `.js`; got `{path.name}`")
        try:
            return cls(path.read_text("utf-8"), "module", str(path))
        except (OSError, UnicodeDecodeError) as unread:
            raise node.error(f"the file `{path}` cannot be read: {unread}") from unread

    def __call__(self, output: str, context: Mapping[str, Any]) -> Any:
        """What the code returns; raises `CannotJudge` where it fails, or takes too long."""
        try:
            arguments = json.dumps({"output": output, "context": context}, sort_keys=True)
        except (TypeError, ValueError) as wrong:
            raise CannotJudge("a variable of the test cannot be passed to JavaScript") from wrong
        return json.loads(_run(self.code, self.kind, arguments))


@dataclass(frozen=True, slots=True)
class AnswerTransform:
    """What is made of an answer before it is judged."""

    script: JavaScript
    vars: Mapping[str, Any] = field(repr=False)

    def __call__(self, answer: str) -> str:
        """The text that is judged; data is written as JSON."""
        result = self.script(answer, {"vars": dict(self.vars)})
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)

    def to_data(self) -> dict[str, Any]:
        """What tells it from another."""
        return {"code": self.script.code, "vars": dict(self.vars)}


def transform_of(node: Node, about: About) -> AnswerTransform:
    """The `transform` of a test or an assertion."""
    return AnswerTransform(JavaScript.of(node, about.folder), about.vars)


@lru_cache(maxsize=4096)
def _run(code: str, kind: str, arguments: str) -> str:
    """What the code returns for an input, as JSON; the same is not computed twice."""
    node = shutil.which("node")
    if node is None:
        raise CannotJudge(_NO_NODE)
    milliseconds = int(TIMEOUT_SECONDS * 1000)
    request = {
        "code": code,
        "kind": kind,
        "given": json.loads(arguments),
        "milliseconds": milliseconds,
        "most": MAX_MESSAGE_CHARS + 1,
    }
    command = [
        node,
        *_permissions(node),
        f"--max-old-space-size={MAX_MEMORY_MB}",
        "--no-warnings",
        "-e",
        _RUNNER,
    ]
    with TemporaryDirectory(prefix="sensecheck-") as folder:
        try:
            process = subprocess.run(
                command,
                input=json.dumps(request),
                capture_output=True,
                text=True,
                encoding="utf-8",
                cwd=folder,
                env={},
                timeout=TIMEOUT_SECONDS + 2,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise CannotJudge(
                f"the code took longer than {TIMEOUT_SECONDS:g} seconds, and was ended"
            ) from late
    if len(process.stdout) > MAX_OUTPUT_CHARS:
        raise CannotJudge(f"the code returned more than {MAX_OUTPUT_CHARS:,} characters")
    try:
        reply = json.loads(process.stdout)
    except ValueError as wrong:
        raise CannotJudge(
            "the code ended without a result: it waited for nothing, or took too much memory"
        ) from wrong
    if "error" in reply:
        raise CannotJudge(f"the code raised {_in_words(reply)}")
    return json.dumps(reply["value"])


def _in_words(reply: Mapping[str, str]) -> str:
    """The error's name and what it says, on one line and printable: code may raise anything."""
    name, message = (
        printable(" ".join(cut(reply[key], MAX_MESSAGE_CHARS).split())) for key in ("error", "message")
    )
    return f"{name}: {message}" if message else name


@lru_cache(maxsize=8)
def _permissions(node: str) -> tuple[str, ...]:
    """What forbids the process files, processes and workers; nothing before Node 20."""
    process = subprocess.run(
        [node, "--version"], capture_output=True, text=True, timeout=10, check=False, env={}
    )
    major = int(process.stdout.strip().removeprefix("v").partition(".")[0] or 0)
    if major < 20:
        return ()
    return ("--permission",) if major >= 24 else ("--experimental-permission",)


def _javascript(assertion: AssertionInput) -> Check:
    value = assertion.entries["value"]
    try:
        script = JavaScript.of(value, assertion.about.folder)
    except BatteryError as wrong:
        raise value.error(f"`javascript`: {wrong}") from wrong
    return script_of(script, script.file, assertion)


KINDS: Mapping[str, AssertionType] = {
    "javascript": AssertionType(
        "This JavaScript, with `output` and `context`, finds the answer good: true, a number above 0, or one "
        "that reaches the threshold. Node runs it.",
        _javascript,
        {"value": TEXT, "threshold": NUMBER},
        ("value",),
        graded=True,
    ),
}
