"""The docs of a release stand beside those of the releases before."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def git(folder: Path, *arguments: str) -> str:
    given = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", str(folder), *arguments]
    return subprocess.run(given, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_the_docs_of_a_release_stand_beside_those_before_and_latest_leads_to_them(tmp_path: Path) -> None:
    origin, tree = tmp_path / "origin.git", tmp_path / "tree"
    git(ROOT, "clone", "--quiet", "--bare", "--no-tags", str(ROOT), str(origin))
    git(ROOT, "clone", "--quiet", str(origin), str(tree))
    for name in ("mkdocs.yml", "tools/release"):  # as they are here, committed or not
        shutil.copy(ROOT / name, tree / name)
    project = tree / "pyproject.toml"
    for version in ("7.1.0", "7.2.3"):
        lines = project.read_text().splitlines(keepends=True)
        at = next(at for at, line in enumerate(lines) if line.startswith("version = "))
        project.write_text("".join([*lines[:at], f'version = "{version}"\n', *lines[at + 1 :]]))
        git(tree, "commit", "--quiet", "--all", "--message", version)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # with `mike`
        subprocess.run(
            ["tools/release", "docs", "out"], cwd=tree, check=True, env={**os.environ, "PATH": path}
        )
        git(tree, "fetch", "--quiet", "out/docs.bundle", "gh-pages")
        git(tree, "push", "--quiet", "origin", "FETCH_HEAD:refs/heads/gh-pages")
        git(tree, "fetch", "--quiet", "origin")

    shown = {
        path: git(tree, "show", f"origin/gh-pages:{path}")
        for path in ("versions.json", "index.html", "latest")
    }
    assert [(one["version"], one["aliases"]) for one in json.loads(shown["versions.json"])] == [
        ("7.2", ["latest"]),
        ("7.1", []),
    ]
    assert "latest" in shown["index.html"]
    assert shown["latest"] == "7.2"  # a link to the folder
    for page in ("7.1/limits/index.html", "7.2/limits/index.html"):
        assert "<title>" in git(tree, "show", f"origin/gh-pages:{page}")
