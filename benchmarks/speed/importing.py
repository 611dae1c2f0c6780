"""What `import sensecheck` costs a process, against `import numpy`."""

import statistics

from benchmarks.speed.children import alternate
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired

CODE = {
    "nothing": "pass",
    "numpy": "import numpy",
    "sensecheck": "import sensecheck",
    "face": "from sensecheck import Sense",
}


def measure(*, full: bool) -> list[Measured]:
    """The whole process by the whole process; and, for the record, without what the interpreter takes."""
    spent = alternate({name: ("-c", code) for name, code in CODE.items()}, 15 if full else 5)
    empty = statistics.median(spent["nothing"])
    numpy = statistics.median(spent["numpy"]) - empty

    def net(name: str) -> float:
        return round((statistics.median(spent[name]) - empty) / numpy, 3)

    return [
        Measured.of(
            "import sensecheck",
            "CPU time of a process with `import sensecheck`, by one with `import numpy`",
            ratios=paired(spent["sensecheck"], spent["numpy"]),
            goal=Goal(1.5, "below"),
            notes={"net of the interpreter": net("sensecheck")},
        ),
        Measured.of(
            "from sensecheck import Sense",
            "CPU time of a process with `from sensecheck import Sense`, by one with `import numpy`",
            ratios=paired(spent["face"], spent["numpy"]),
            notes={"net of the interpreter": net("face")},
        ),
    ]
