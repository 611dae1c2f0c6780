"""What an install puts into an empty environment: `just weight`, after `just build`."""

import json
import os
import subprocess
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_OURS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "sensecheck_minilm")
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


def installed(wanted: str, folder: Path) -> Path:
    """A new environment with what `pip install` brings, from our built wheels."""
    venv.create(folder, with_pip=True)
    wheels = " ".join(filter(None, (str(ROOT / "dist"), os.environ.get("PIP_FIND_LINKS"))))
    environment = {**os.environ, "PIP_FIND_LINKS": wheels}
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", wanted], env=environment, check=True)
    return folder


def main() -> None:
    """Weigh both installs and keep the result."""
    with tempfile.TemporaryDirectory() as folder:
        base, base_size = weigh(installed("sensecheck", Path(folder) / "base"))
        full, full_size = weigh(installed("sensecheck[minilm]", Path(folder) / "minilm"))
    figures = {
        "distributions": len(full),
        "megabytes": round(full_size, 1),
        "base_distributions": len(base),
        "base_megabytes": round(base_size, 1),
    }
    (ROOT / "benchmarks" / "results" / "weight.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(figures)


if __name__ == "__main__":
    main()
