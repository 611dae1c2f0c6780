"""Fail unless what was built for a release is what it should be: `python tools/check_release.py FOLDER`."""

import email.parser
import json
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"sensecheck", "sensecheck-minilm", "sensecheck-verifier-large"}
_STRAY = re.compile(r"(^|/)(tests?|node_modules|\.\w+|__pycache__)/|\.pyc$|\.env$")
MAX_MB = {"sensecheck": 5, "sensecheck-minilm": 100, "sensecheck-verifier-large": 100}


def main() -> None:
    """Look at all of it, and print every mistake."""
    folder = Path(sys.argv[1])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    mistakes = [*_wheels(folder / "python", project["version"]), *_node(folder / "node", project["version"])]
    mistakes += _versions(project["version"]) + _sbom(folder / "sbom.cdx.json", project["version"])
    for one in mistakes:
        print(f"error: {one}", file=sys.stderr)  # noqa: T201 - a script
    sys.exit(1 if mistakes else 0)


def _wheels(folder: Path, version: str) -> list[str]:
    mistakes, seen = [], set()
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            (where,) = [name for name in names if name.endswith(".dist-info/METADATA")]
            told = email.parser.Parser().parsestr(wheel.read(where).decode())
        name = told["Name"]
        seen.add(name)
        urls = {one.partition(",")[0] for one in told.get_all("Project-URL") or ()}
        needs = {
            f"the version {version}": name != "sensecheck" or told["Version"] == version,
            "a license": told["License-Expression"] == "Apache-2.0",
            "a LICENSE file": any(one.endswith("licenses/LICENSE") for one in names),
            "links to documentation and source": {"Documentation", "Source"} <= urls,
            "Python 3.11 or later": told["Requires-Python"] == ">=3.11",
            "py.typed": any(one.endswith("/py.typed") for one in names),
            "no stray files": not [one for one in names if _STRAY.search(one)],
            f"at most {MAX_MB.get(name, 0)} MB": path.stat().st_size <= MAX_MB.get(name, 0) * 2**20,
        }
        mistakes += [f"{path.name} must have {need}" for need, is_met in needs.items() if not is_met]
    if seen != PACKAGES or len(list(folder.iterdir())) != len(PACKAGES):
        mistakes.append(f"`{folder}` must have one wheel each of {sorted(PACKAGES)}; got {sorted(seen)}")
    return mistakes


def _node(folder: Path, version: str) -> list[str]:
    packed = list(folder.glob("*.tgz"))
    if len(packed) != 1:
        return [f"`{folder}` must have one package; got {len(packed)}"]
    with tarfile.open(packed[0]) as archive:
        names = archive.getnames()
        described = archive.extractfile("package/package.json")
        data = json.load(described) if described else {}
    mistakes = [] if data.get("version") == version else [f"{packed[0].name} must have the version {version}"]
    if "package/dist/sensecheck.js" not in names or any(_STRAY.search(name) for name in names):
        mistakes.append(f"{packed[0].name} must have the script, and no stray files")
    return mistakes


def _versions(version: str) -> list[str]:
    """Every place that names the version of the release."""
    places = {
        "CITATION.cff": rf"^version: {re.escape(version)}$",
        "sdk/package.json": rf'^  "version": "{re.escape(version)}",$',
        "src/sensecheck/server/routes/operations.py": rf'^VERSION = "{re.escape(version)}"$',
        "deploy/kubernetes/service.yaml": rf"^          image: sensecheck:{re.escape(version)}$",
        "docs/how-to/write-a-battery.md": rf"^    rev: v{re.escape(version)}$",
    }
    return [
        f"{name} must name the version {version}"
        for name, pattern in places.items()
        if not re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    ]


def _sbom(path: Path, version: str) -> list[str]:
    parts = {one["name"]: one.get("version") for one in json.loads(path.read_text("utf-8"))["components"]}
    if parts.get("sensecheck") == version and {*PACKAGES, "numpy", "onnxruntime"} <= set(parts):
        return []
    return [f"{path.name} must list sensecheck {version} and what it installs; got {sorted(parts)}"]


if __name__ == "__main__":
    main()
