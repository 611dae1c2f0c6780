"""Start the service, ask two questions about a passage, and stop it: no language model, key or database."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

PASSAGE = "The museum opens at 10. It closes at 17:30 on weekdays, and on Sundays it stays closed."
QUESTIONS = ("When does the museum close?", "What does a ticket cost?")


def main() -> None:
    """Print what a reader would see."""
    with service() as address:
        for question in QUESTIONS:
            reply = asked(address, question)
            mark = "from the passage" if reply["in_selected_text"] else "not in the passage"
            print(f"{question}\n  {reply['response']} ({mark})")


@contextmanager
def service() -> Iterator[str]:
    """Run a service on a free port with a temporary database, and yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["sensecheck", "serve", "--port", "0", "--store", "museum.sqlite3"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield process.stdout.readline().strip()
            finally:
                process.terminate()


def asked(address: str, question: str) -> dict[str, object]:
    """Return the reply of the service."""
    body = json.dumps({"query": question, "selected_text": PASSAGE, "session_id": "reader-1"}).encode()
    request = Request(f"{address}/query-selected-text", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as reply:
        found: dict[str, object] = json.load(reply)
    return found


if __name__ == "__main__":
    main()
