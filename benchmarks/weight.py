"""What an install puts into an empty environment: `just weight`, after `just build`.

`--before FOLDER` weighs the wheel of an earlier commit in the same run, with the same dependencies beside it:
what the base install of that commit comes to today, so that a newer numpy is not taken for our own weight.
"""

import argparse
import json
import os
import subprocess
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_OURS = (
    "pip",
    "setuptools",
    "pkg_resources",
    "_distutils_hack",
    "sensecheck_minilm",
    "sensecheck_verifier_large",
)
"""What was there before, and the weights."""


def site_packages(environment: Path) -> Path:
    """The folder into which an environment installs."""
    return next((environment / "lib").glob("python*")) / "site-packages"


def weigh(environment: Path) -> tuple[set[str], float]:
    """The distributions in an environment and their megabytes, without the weights."""
    site = site_packages(environment)
    names = {info.name.partition("-")[0].lower() for info in site.glob("*.dist-info")}
    files = (path for path in site.rglob("*") if path.is_file() and not path.is_symlink())
    own = (path for path in files if not path.relative_to(site).parts[0].startswith(NOT_OURS))
    return names - set(NOT_OURS), sum(path.stat().st_size for path in own) / 1e6


def installed(wanted: str, folder: Path, *, built: Path = ROOT / "dist") -> Path:
    """A new environment with what `pip install` brings, from our built wheels."""
    venv.create(folder, with_pip=True)
    wheels = " ".join(filter(None, (str(built), os.environ.get("PIP_FIND_LINKS"))))
    environment = {**os.environ, "PIP_FIND_LINKS": wheels}
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", wanted], env=environment, check=True)
    return folder


def main() -> None:
    """Weigh both installs and keep the result."""
    parser = argparse.ArgumentParser(description="Weigh what an install brings.")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="the wheels of an earlier commit")
    before: Path | None = parser.parse_args().before
    with tempfile.TemporaryDirectory() as folder:
        base, base_size = weigh(installed("sensecheck", Path(folder) / "base"))
        full, full_size = weigh(installed("sensecheck[local]", Path(folder) / "local"))
        there = Path(folder) / "before"
        earlier = weigh(installed("sensecheck", there, built=before.resolve())) if before else None
    figures = {
        "distributions": len(full),
        "megabytes": round(full_size, 1),
        "base_distributions": len(base),
        "base_megabytes": round(base_size, 1),
    }
    if earlier:
        figures |= {"before_distributions": len(earlier[0]), "before_megabytes": round(earlier[1], 1)}
    (ROOT / "benchmarks" / "results" / "weight.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(figures)


if __name__ == "__main__":
    main()
