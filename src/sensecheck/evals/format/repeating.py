"""How often a test is run, as the file has it."""

from sensecheck.evals.battery import Repeat
from sensecheck.evals.node import Node

KEYS_OF_REPEAT = ("runs", "pass")


def read_repeat(node: Node) -> Repeat:
    """A number of runs that must all pass, or `{runs: 5, pass: 4}`."""
    if isinstance(node.held, int):
        runs = node.whole("`repeat`", least=1)
        return Repeat(runs, runs)
    keys = node.mapping("`repeat`", KEYS_OF_REPEAT)
    if "runs" not in keys:
        raise node.wrong("`repeat` wants `runs`, such as `{runs: 5, pass: 4}`")
    runs = keys["runs"].whole("`runs`", least=1)
    passes = keys["pass"].whole("`pass`", least=1) if "pass" in keys else runs
    if passes > runs:
        raise keys["pass"].wrong(f"`pass` wants from 1 to {runs} of the runs; found {passes}")
    return Repeat(runs, passes)
