"""Judge every `.jsonl` file of a folder: `python examples/check_a_folder_of_answers.py [FOLDER]`.

Without a folder, it uses the answers next to this file. The exit code is 0 only when every answer passed.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sensecheck import AllOf, Sample, Sense
from sensecheck.checks.presets import means, not_a_refusal

CHECK = AllOf((not_a_refusal(), means()), "good_answer")


def samples(folder: Path) -> Iterator[Sample]:
    """Read one sample per line, lazily; a misspelt key is an error."""
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            yield from (Sample.from_data(json.loads(line)) for line in lines if line.strip())


def main(folder: Path) -> int:
    """Judge, show, count."""
    sense = Sense.load()
    tally: Counter[str] = Counter()
    for verdict in sense.judge_each((sample, CHECK) for sample in samples(folder)):
        print(f"{verdict.outcome.upper():<6} {verdict.sample}: {verdict.because}")
        tally[verdict.outcome] += 1
    print(f"{tally.total()} judged:", ", ".join(f"{count} {outcome}" for outcome, count in tally.items()))
    return 0 if tally and set(tally) == {"pass"} else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent))
