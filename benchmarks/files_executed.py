"""How many of our files four ordinary uses run through: `python benchmarks/files_executed.py`.

A file counts when one of its functions is called, and not when it is only imported. What it was before the
modules were merged is written here: that package and its weights can no longer be installed beside today's.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULT = ROOT / "benchmarks" / "results" / "files_executed.json"
BATTERY = """\
providers: [echo]
prompts: ["{{ said }}"]
tests:
  - vars: {said: The library opens at nine.}
    assert: [{type: contains, value: nine}]
  - vars: {said: It closes at five.}
    assert: [{type: contains, value: five}]
"""
ROWS = "".join(
    json.dumps({"id": said, "question": "When?", "expected": "At nine.", "answer": said}) + "\n"
    for said in ("At nine.", "At 9 o'clock.")
)
GROUNDED = """
from sensecheck import Sense
answer = "The library opens at nine. It closes at five."
Sense.load().grounded(answer, "The library is open from nine to five.")
"""
COMMAND = "import sys; sys.argv = {arguments!r}\nfrom sensecheck.cli.main import main\nmain()\n"
USES = {
    "`sensecheck run` on two tests": COMMAND.format(arguments=["sensecheck", "run", "battery.yaml"]),
    "`sensecheck eval` on two rows": COMMAND.format(arguments=["sensecheck", "eval", "rows.jsonl"]),
    "`sensecheck check --means`": COMMAND.format(
        arguments=["sensecheck", "check", "It opens at 9.", "--means", "It opens at nine."]
    ),
    "`Sense.grounded` on two sentences": GROUNDED,
}
BEFORE = dict(zip(USES, (216, 207, 114, 84), strict=True))
COUNTED = """
import atexit, sys, threading
called = set()
def note(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_flags & 1:  # a function: bodies of modules and classes have no fast locals
        called.add(code.co_filename)
def tell():
    sys.setprofile(None)
    ours = {name for name in called if "/sensecheck/" in name}
    with open("called.txt", "w") as file:
        file.write("\\n".join(sorted(ours)))
atexit.register(tell)
threading.setprofile(note)
sys.setprofile(note)
"""


def executed(source: str, tree: Path) -> int:
    """In how many files of a checkout some code calls functions."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "battery.yaml").write_text(BATTERY, "utf-8")
        (Path(folder) / "rows.jsonl").write_text(ROWS, "utf-8")
        settings = os.environ | {"PYTHONPATH": str(tree / "src"), "SENSECHECK_CACHE": "off"}
        done = subprocess.run(
            [sys.executable, "-c", COUNTED + source], cwd=folder, env=settings, capture_output=True, text=True
        )
        if "error" in done.stderr or "Traceback" in done.stderr:  # any code may be a verdict
            raise SystemExit(f"it could not be counted: {done.stderr[-1000:]}")
        files = (Path(folder) / "called.txt").read_text("utf-8").split()
    here = str(tree / "src")
    return sum(name.startswith(here) for name in files)


def main() -> None:
    """Count, say it and keep it."""
    found = {name: {"before": BEFORE[name], "now": executed(source, ROOT)} for name, source in USES.items()}
    for name, counts in found.items():
        print(f"{name:40} {counts['before']:>5} {counts['now']:>5}")
    RESULT.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
