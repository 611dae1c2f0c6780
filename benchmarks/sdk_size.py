"""What the browser SDK weighs, beside what others add to a page: `just sdk-size`, after `just sdk-check`."""

import gzip
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SDK = ROOT / "sdk"
LIMITS = SDK / ".size-limit.json"
"""What is measured, by the same names that the limits of the build have."""
PEERS = {
    "@docsearch/js": "package/dist/umd/docsearch.js",
    "deep-chat": "package/dist/deepChat.bundle.js",
    "@inkeep/cxkit-js": "package/dist/embed.js",
}
"""By package: the one file of it that a page adds with a tag."""


def packed(content: bytes) -> int:
    """Bytes on the wire."""
    return len(gzip.compress(content, mtime=0))


def peer(name: str, path: str, folder: Path) -> dict[str, object]:
    """A package of others as it is published now."""
    said = subprocess.run(
        ["npm", "pack", name, "--silent"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    archive = said.stdout.split()[-1]
    with tarfile.open(folder / archive) as held:
        member = held.extractfile(path)
        assert member is not None, f"{name} holds no {path}"
        version = archive.removesuffix(".tgz").rpartition("-")[2]
        return {"name": name, "version": version, "bytes": packed(member.read())}


def main() -> None:
    """Weigh, and keep the result."""
    measured = json.loads(LIMITS.read_text(encoding="utf-8"))
    ours = [{"name": one["name"], "bytes": packed((SDK / one["path"]).read_bytes())} for one in measured]
    with tempfile.TemporaryDirectory() as folder:
        peers = [peer(name, path, Path(folder)) for name, path in PEERS.items()]
    results = ROOT / "benchmarks" / "results" / "sdk_size.json"
    results.write_text(json.dumps({"ours": ours, "peers": peers}, indent=1) + "\n", encoding="utf-8")
    print(results.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
