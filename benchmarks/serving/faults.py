"""Break everything around the service: `python benchmarks/serving/faults.py --full`, or `--short` for a look.

Real parts in processes of their own: the service, PostgreSQL, Redis, a writer over HTTP; what lies between
them misbehaves. Readers write down whatever was acknowledged to them, and at the end it is looked for.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from tests.faults.service.cluster import cluster
from tests.faults.service.ending import ended_under_load, engines_killed
from tests.faults.service.filling import filled
from tests.faults.service.killing import killed_often
from tests.faults.service.stopping import stopped
from tests.faults.service.surroundings import surroundings
from tests.faults.service.unit import Unit
from tests.faults.service.wires import FAULTS, PARTS, suffered

RESULTS = Path(__file__).resolve().parents[1] / "results" / "serving_faults.json"
WELL = 10.0
"""Seconds after the end of a fault within which all must be as before."""
Found = dict[str, Any]


def main() -> None:
    """Break what the command line says."""
    parser = argparse.ArgumentParser(description="Break everything around the service.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="5 kills; writes nothing")
    size.add_argument("--full", action="store_true", help="100 kills; writes results/serving_faults.json")
    full = parser.parse_args().full
    scenes: dict[str, Callable[[Path], Found]] = {
        "killed": lambda folder: asdict(killed_often(100 if full else 5, folder, seed=8)),
        "database_stopped": _database_stopped,
        "wires": _wires,
        "disk_full": lambda folder: _filled(folder, None),
        "spool_full": lambda folder: _filled(folder, 1),
        "ended": lambda folder: _ended(folder, 10 if full else 1),
        "engines_killed": lambda folder: _engines(folder, 10 if full else 2),
    }
    found = {name: _told(name, scene) for name, scene in scenes.items()}
    found["summary"] = summary(found)
    print(json.dumps({"summary": found["summary"]}), flush=True)
    if full:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if found["summary"]["lost"] or found["summary"]["doubled"] or found["summary"]["late"]:
        sys.exit("messages were lost or doubled, or something took too long; see above")


def summary(found: Found) -> Found:
    """All scenes together: what was acknowledged, lost and doubled, and the slowest to recover."""
    kept = list(_kept_in(found))
    recoveries = _recoveries(found)
    return {
        "kills": found["killed"]["kills"],
        **{name: sum(one[name] for one in kept) for name in ("acknowledged", "lost", "doubled")},
        "worst_recovery": recoveries,
        "late": [name for name, seconds in recoveries.items() if seconds > WELL],
    }


def _told(name: str, scene: Callable[[Path], Found]) -> Found:
    with TemporaryDirectory(prefix="sensecheck-faults-") as folder:
        found = scene(Path(folder))
    print(json.dumps({name: found}), flush=True)
    return found


def _database_stopped(folder: Path) -> Found:
    found = {}
    with cluster() as database:
        for name, end in (("stopped", database.stop), ("crashed", database.crash)):
            own = folder / name
            own.mkdir()
            found[name] = asdict(stopped(database, own, end))
    return found


def _wires(folder: Path) -> Found:
    found: Found = {}
    with surroundings() as around, Unit(folder, around.settings(folder)) as unit:
        for part in PARTS:
            for fault in FAULTS:
                told = suffered(around, unit, part, fault)
                counts: dict[str, int] = {}
                for way, one in told.told:
                    said = " ".join(filter(None, (way, str(one.status), one.kind, one.trouble)))
                    counts[said] = counts.get(said, 0) + 1
                found[f"{part} {fault.kind}"] = {
                    "told": counts,
                    "slowest": told.slowest,
                    "recovery": told.recovery,
                }
    return found


def _filled(folder: Path, spool_mb: int | None) -> Found:
    with surroundings() as around:
        return asdict(filled(around, folder, spool_mb=spool_mb))


def _ended(folder: Path, times: int) -> Found:
    with surroundings() as around:
        return {f"time {time}": asdict(ended_under_load(around, folder)) for time in range(1, times + 1)}


def _engines(folder: Path, times: int) -> Found:
    found = {}
    for engines in (1, 2):
        own = folder / str(engines)
        own.mkdir()
        with surroundings() as around:
            found[f"of {engines}"] = asdict(engines_killed(around, own, times=times, engines=engines))
    return found


def _kept_in(found: Found) -> Iterable[Found]:
    """Every account of acknowledged messages, wherever it stands."""
    for name, value in found.items():
        if name == "kept":
            yield value
        elif isinstance(value, dict):
            yield from _kept_in(value)


def _recoveries(found: Found) -> dict[str, float]:
    """The slowest to recover, of each fault."""
    wires, stops, engines = found["wires"], found["database_stopped"], found["engines_killed"]
    return {
        "killed": found["killed"]["worst_emptying"],
        **{f"database {name}": one["recovery"] for name, one in stops.items()},
        **{name: one["recovery"] for name, one in wires.items()},
        "disk full": found["disk_full"]["recovery"],
        "spool full": found["spool_full"]["recovery"],
        **{f"engine killed, {name}": one["worst_recovery"] for name, one in engines.items()},
    }


if __name__ == "__main__":
    main()
