"""What has changed since this work began, as Git tells it."""

import subprocess
from functools import cache
from pathlib import Path


@cache
def changed_files(root: Path) -> frozenset[Path] | None:
    """Files that differ from `origin/main`, or from the commit before where we are on it; None without Git.

    What is not committed yet counts too.
    """
    since = _asked(root, "merge-base", "HEAD", "origin/main")
    if since is None or since == _asked(root, "rev-parse", "HEAD"):
        since = _asked(root, "rev-parse", "--verify", "HEAD~1")
    if since is None:
        return None
    differ = _asked(root, "diff", "--name-only", since.strip())
    new = _asked(root, "ls-files", "--others", "--exclude-standard")
    if differ is None or new is None:
        return None
    return frozenset(root / name for name in (*differ.splitlines(), *new.splitlines()))


def _asked(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
