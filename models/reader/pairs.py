"""Every labelled pair there is to learn from; `python models/reader/pairs.py [FAMILY ...]` gathers them.

A pair is a claim, its evidence, the question if there was one, and what the label of its set can tell.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.heads.public import data_folder, rows_of
from models.reader import written
from models.reader.source import CACHE
from models.reader.written import Row
from models.verifier.articles import Text, texts
from models.verifier.edits.edit import Article
from models.verifier.evidence import stems
from models.verifier.natural import natural_pairs
from models.verifier.pair import Pair as EditPair
from models.verifier.perturbed import EDITORS, perturbed_pairs

from sensecheck.text.sentences import sentences
from sensecheck.text.words import is_stop_word

SUPPORTED, CONTRADICTED, NOT_STATED = 0, 1, 2
LABELS = ("supported", "contradicted", "not stated")
Allowed = frozenset[int]
"""The labels that a pair may have: one where its set can tell, several where it cannot."""
YES: Allowed = frozenset({SUPPORTED})
NO: Allowed = frozenset({CONTRADICTED, NOT_STATED})
NO_CONFLICT: Allowed = frozenset({SUPPORTED, NOT_STATED})
ANY: Allowed = frozenset({SUPPORTED, CONTRADICTED, NOT_STATED})


@dataclass(frozen=True, slots=True)
class Pair:
    """One example."""

    claim: str
    evidence: str
    allowed: Allowed
    source: str
    """The set that it comes from: a key of `SETS`."""
    group: str
    """What must not be split between training and testing: an article, a premise, a question."""
    question: str = ""
    """Read before the claim and before the evidence; empty where nothing was asked."""
    changed: tuple[tuple[int, int], ...] | None = None
    """The unsupported stretches of the claim; None when only the label of the whole is known."""
    kind: str = ""
    near: bool = False
    """Whether evidence is gathered by meaning too: where words in common do not lead to it."""

    @property
    def supported(self) -> bool:
        """Whether the label is `supported`; `not contradicted` alone does not count."""
        return self.allowed == YES


@dataclass(frozen=True, slots=True)
class Set:
    """A set: what it may be used for, whether it tells `contradicted` from `not stated`, and its share."""

    licence: str
    share: float
    """How much of the training mix it is, beside the other sets."""
    three: bool = False
    """Whether it tells `contradicted` from `unsupported` reliably; otherwise both are `not supported`."""
    negated: bool = False
    """Whether all its pairs are supported, so that edits of its claims are added as what is not."""


SETS: Mapping[str, Set] = {
    "everyday_claims": Set("Apache-2.0", 30, three=True),
    "everyday_answers": Set("Apache-2.0", 3, three=True),
    "everyday_means": Set("Apache-2.0", 20),
    "written_answers": Set("Apache-2.0", 20, three=True),
    "written_longer": Set("Apache-2.0", 20, three=True),
    "written_short": Set("Apache-2.0", 12, three=True),
    "written_repeated": Set("Apache-2.0", 6, three=True),
    "everyday_edits": Set("Apache-2.0", 8),
    "written_means": Set("Apache-2.0", 8),
    "written_near": Set("Apache-2.0", 6),
    "written_questions": Set("Apache-2.0", 4, three=True),
    "written_joined": Set("Apache-2.0", 12, three=True),
    "mnli_dev": Set("OANC, CC BY-SA 3.0, CC BY 3.0", 12, three=True),
    "cad_nli": Set("CC BY-SA 4.0", 6, three=True),
    "snli_devtest": Set("CC BY-SA 4.0", 4, three=True),
    "conjnli": Set("MIT", 0.8, three=True),
    "fm2": Set("CC BY-SA 3.0", 3),
    "fever_symmetric": Set("CC BY-SA 3.0", 1.5),
    "scifact_rationale": Set("CC BY 4.0, ODC-By 1.0", 1),
    "wice_dev": Set("ODC-By 1.0, CC BY-SA", 1.5),
    "hagrid": Set("Apache-2.0, CC BY-SA", 1.5),
    "q2_wow": Set("MIT", 1),
    "faithdial_audit_gold": Set("MIT", 0.4),
    "bump": Set("MIT", 1),
    "argkp": Set("CDLA-Sharing-1.0", 1.5),
    "entailmentbank": Set("Apache-2.0", 2),
    "e2e_pairs": Set("CC BY-SA 4.0", 1),
    "scitldr": Set("Apache-2.0", 1),
    "bible_paraphrase": Set("CC0, public domain", 1),
    "onestop": Set("CC BY-SA 4.0", 2, negated=True),
    "wikisplit_filtered": Set("CC BY-SA 4.0", 1, negated=True),
    "summedits": Set("Apache-2.0", 3),
    "factcheck_gpt": Set("Apache-2.0", 3),
    "begin": Set("CC BY 4.0", 2),
    "squad2_derived": Set("CC BY-SA 4.0", 3),
    "edits": Set("as the texts that were edited (share-alike)", 5),
    "sanli_wiki": Set("CC BY-SA 3.0 text; none stated for the labels", 0),
}
"""All sets. A share of 0: measured on, never trained on (the labels of `sanli_wiki` carry no licence)."""
POOL = CACHE / "pairs"
"""One file a family, written once: the natural sets and the edits take many minutes to make."""
OWN = Path(__file__).resolve().parent / "everyday" / "claims.jsonl"
"""Further passages and claims, in the form of `everyday_train/claims`."""
FAMILIES = ("everyday", "entailment", "natural", "edits", "written", "joined")
TEMPTING = 2
"""So many sentences that share most words with a question, and do not answer it, are read with it."""
EDITED_PAGES = 1_000
"""So many everyday passages have their sentences said again or changed in one place."""
EDITS, NEGATED = 6_000, 0.3
"""How many sentences of articles are edited, and the share of claims of sets without any other negative."""


PASSAGES = (written.EVERYDAY / "answers", written.LONGER, written.SHORT)
ASKED = 0.5
"""How often such a pair is read behind a question of its passage."""
JOINTS = (" ", "; ", ", and ", ", while ")
"""What stands between two sentences that are made one claim; the first leaves them two."""
LONGEST = 60
"""In words, of such a claim."""


def family(data: Path, name: str, *, seed: int = 0) -> Iterator[Pair]:
    """The pairs of one of the `FAMILIES`."""
    rng = Random(seed)
    known = [one for one in SETS if (data / "entailment" / one).is_dir()]
    if name == "everyday":
        yield from everyday_claims(data)
        yield from everyday_answers(data)
        yield from everyday_means(data)
    elif name == "entailment":
        for one in known:
            yield from entailment(data, one)
    elif name == "natural":
        yield from natural(data, rng)
    elif name == "edits":
        for one in (one for one in known if SETS[one].negated):
            for pair in entailment(data, one):
                yield from negated(pair, rng) if rng.random() < NEGATED else ()
        yield from islice(edited(data, rng), EDITS)
        yield from everyday_edited(data, rng)
    elif name == "written":
        yield from answer_pairs(written.answers(), "written_answers")
        yield from answer_pairs(written.answers(written.LONGER), "written_longer")
        yield from answer_pairs(written.answers(written.SHORT), "written_short")
        yield from answer_pairs(written.answers(written.REPEATED), "written_repeated")
        yield from means_pairs(written.means(), "written_means")
        yield from means_pairs(written.means(written.NEAR), "written_near")
        yield from question_pairs(written.questions(), rng)
    elif name == "joined":
        for folder in PASSAGES:
            yield from joined_pairs(written.answers(folder), rng)
        yield from joined_pairs(rows_of(data, "everyday_train/answers.jsonl.gz"), rng)


def entailment(data: Path, name: str) -> Iterator[Pair]:
    """The rows of one set of natural entailment."""
    for row in rows_of(data, f"entailment/{name}/{name}.jsonl.gz"):
        allowed = allowed_by(row["label"], three=SETS[name].three)
        yield Pair(row["claim"], row["evidence"], allowed, name, row["group"], kind=row["source"])


def everyday_claims(data: Path) -> Iterator[Pair]:
    """Claims over passages, written for this project: those of the data folder, and our own further ones."""
    own = [json.loads(line) for line in OWN.read_text("utf-8").splitlines()]
    for row in (*rows_of(data, "everyday_train/claims.jsonl.gz"), *own):
        for claim in row["claims"]:
            allowed = allowed_by(claim["label"], three=True)
            yield Pair(
                claim["text"], row["passage"], allowed, "everyday_claims", row["group"],
                kind=claim["kind"], near=True,
            )  # fmt: skip


def everyday_answers(data: Path, name: str = "everyday_train/answers.jsonl.gz") -> Iterator[Pair]:
    """The sentences of whole answers."""
    return answer_pairs(rows_of(data, name), "everyday_answers")


def answer_pairs(rows: Iterable[Row], source: str) -> Iterator[Pair]:
    """The sentences of answers, each with the question; what is no claim is left out."""
    for row in rows:
        for sentence in row["sentences"]:
            if sentence["label"] != "no_claim":
                allowed = allowed_by(sentence["label"], three=True)
                yield Pair(
                    sentence["text"], "\n\n".join(row["passages"]), allowed, source,
                    row["group"], row["question"], kind=row["id"], near=True,
                )  # fmt: skip


def joined_pairs(rows: Iterable[Row], rng: Random) -> Iterator[Pair]:
    """Two or three neighbouring sentences of an answer as one claim, as long as models write them.

    It is supported where all of them are; one that is not is all that tells.
    """
    for row in rows:
        told = [one for one in row["sentences"] if one["label"] != "no_claim"]
        at = 0
        while len(some := told[at : at + rng.choice((2, 2, 3))]) > 1:
            at += len(some) - 1 if rng.random() < ASKED else len(some)
            claim, changed = _in_one([(one["text"], one["label"] != "supported") for one in some], rng)
            labels = {one["label"] for one in some} - {"supported"}
            allowed = NO if len(labels) > 1 else allowed_by(*(labels or {"supported"}), three=True)
            if len(claim.split()) <= LONGEST:
                yield Pair(
                    claim, "\n\n".join(row["passages"]), allowed, "written_joined", row["group"],
                    row["question"], changed, row["id"], near=True,
                )  # fmt: skip


def _in_one(parts: Iterable[tuple[str, bool]], rng: Random) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Sentences as one claim, and where those of them stand that are marked."""
    claim, marked, joint = "", [], rng.choice(JOINTS)
    for text, wrong in parts:
        said = " ".join(text.split())
        if claim and joint.strip():
            claim = claim.rstrip(".")
            said = said[0].lower() + said[1:] if _may_be_small(said) else said
        claim += joint if claim else ""
        if wrong:
            marked.append((len(claim), len(claim) + len(said)))
        claim += said
    return claim, tuple((start, min(end, len(claim))) for start, end in marked)


def _may_be_small(sentence: str) -> bool:
    """Whether a sentence may begin with a small letter behind another one: with `It`, but not with `I`."""
    first = re.split(r"[\s'’]", sentence, maxsplit=1)[0]
    return first != "I" and is_stop_word(first.lower())


def everyday_means(data: Path) -> Iterator[Pair]:
    """Answers beside the expected one, read both ways."""
    return means_pairs(rows_of(data, "everyday_train/means.jsonl.gz"), "everyday_means")


def means_pairs(rows: Iterable[Row], source: str) -> Iterator[Pair]:
    """Every answer of these rows beside the expected one, read both ways."""
    for row in rows:
        for answer in row["answers"]:
            yield from both_ways(
                answer["text"], row["expected"], same=answer["label"] == "same",
                question=row["question"], group=row["group"], kind=answer["kind"], source=source,
            )  # fmt: skip


def both_ways(
    answer: str,
    expected: str,
    *,
    same: bool,
    question: str,
    group: str,
    kind: str,
    source: str = "everyday_means",
) -> Iterator[Pair]:
    """The answer as evidence for the expected one, and the expected one as evidence for the answer.

    An answer of the same meaning entails the expected one, and may say more, so the other way it is only
    known not to conflict. Of one with another meaning the other way says nothing: it may just be too little.
    """
    forward = Pair(expected, answer, YES if same else NO, source, group, question, kind=kind)
    yield forward
    if same:
        yield replace(forward, claim=answer, evidence=expected, allowed=NO_CONFLICT)


def question_pairs(rows: Iterable[Row], rng: Random) -> Iterator[Pair]:
    """Questions as claims, beside sentences of their page that answer them or look as if they did.

    Beside the whole page a question is supported where anything in it answers.
    """
    for row in rows:
        known, page = row["sentences"], " ".join(row["sentences"])
        for question in row["questions"]:
            text, answers = question["text"], question["answers"]
            asked = text if text.endswith("?") else f"{text}?"
            alike = {at: len(stems(text) & stems(sentence)) for at, sentence in enumerate(known)}
            others = sorted(alike.keys() - set(answers), key=lambda at: (-alike[at], at))
            tempting = [*others[:TEMPTING], rng.choice(others[TEMPTING:])]
            read = [(known[at], True) for at in answers] + [(known[at], False) for at in tempting]
            for evidence, answered in (*read, (page, bool(answers))):
                allowed = YES if answered else frozenset({NOT_STATED})
                yield Pair(asked, evidence, allowed, "written_questions", row["group"])


def natural(data: Path, rng: Random) -> Iterator[Pair]:
    """The natural sets of before: SQuAD-derived, SummEdits, Factcheck-GPT and BEGIN."""
    for pair in natural_pairs(data, rng):
        yield _from_edit(pair, pair.source)


def edited(data: Path, rng: Random) -> Iterator[Pair]:
    """Sentences of articles, changed in one place or kept; without end."""
    known = list(texts(data))
    while True:
        yield from (_from_edit(pair, "edits") for pair in perturbed_pairs(rng.choice(known), rng, each=2))


def everyday_edited(data: Path, rng: Random) -> Iterator[Pair]:
    """Sentences of everyday passages as they stand, said otherwise, or changed in one place.

    Few answers repeat a passage word for word, so a reader of answers alone learns to distrust those that do.
    """
    pages = {
        (row["group"], "\n\n".join(row["passages"])): row.get("question", "")
        for row in (
            *(
                {**row, "passages": [row["passage"]]}
                for row in rows_of(data, "everyday_train/claims.jsonl.gz")
            ),
            *rows_of(data, "everyday_train/answers.jsonl.gz"),
            *(row for folder in PASSAGES for row in written.answers(folder)),
        )
    }
    for (group, page), question in rng.sample(list(pages.items()), EDITED_PAGES):
        article = Article(group, tuple(page[a:b] for a, b in sentences(page)))
        for pair in perturbed_pairs(Text(article, "everyday_edits", group, 0), rng, each=2):
            whole = pair.evidence if pair.kind == "absent" else page
            allowed = NO if pair.unsupported else YES
            asked = question if rng.random() < ASKED else ""
            yield Pair(pair.claim, whole, allowed, "everyday_edits", group, asked, pair.changed, pair.kind)


def negated(pair: Pair, rng: Random, *, most: int = 1) -> Iterator[Pair]:
    """What the evidence no longer supports: the claim of a supported pair after one change."""
    article = Article(pair.group, tuple(pair.evidence[a:b] for a, b in sentences(pair.evidence)))
    made = 0
    for kind in rng.sample(sorted(EDITORS), len(EDITORS)):
        for edit in islice(EDITORS[kind](pair.claim, article, rng), 1):
            yield replace(pair, claim=edit.text, allowed=NO, changed=edit.changed, kind=kind)
            made += 1
        if made == most:
            return


def allowed_by(label: str, *, three: bool) -> Allowed:
    """What a set's label tells."""
    if label == "supported":
        return YES
    if label not in {"contradicted", "unsupported"}:
        raise ValueError(f"`label` must be supported, contradicted or unsupported; got {label!r}")
    if not three:
        return NO
    return frozenset({CONTRADICTED if label == "contradicted" else NOT_STATED})


def _from_edit(pair: EditPair, source: str) -> Pair:
    allowed = NO if pair.unsupported else YES
    return Pair(
        pair.claim, pair.evidence, allowed, source, f"{pair.source}:{pair.group}",
        changed=pair.changed, kind=pair.kind,
    )  # fmt: skip


def counts(pairs: list[Pair]) -> dict[str, dict[str, Any]]:
    """Rows, groups and labels of each set, for the model card."""
    told: dict[str, dict[str, Any]] = {}
    for name, known in SETS.items():
        mine = [pair for pair in pairs if pair.source == name]
        told[name] = {
            "licence": known.licence,
            "share": known.share,
            "pairs": len(mine),
            "groups": len({pair.group for pair in mine}),
            "supported": sum(pair.allowed == YES for pair in mine),
            "contradicted": sum(pair.allowed == {CONTRADICTED} for pair in mine),
            "not stated": sum(pair.allowed == {NOT_STATED} for pair in mine),
            "not supported": sum(pair.allowed == NO for pair in mine),
            "not contradicted": sum(pair.allowed == NO_CONFLICT for pair in mine),
        }
    return told


def save(pairs: Iterable[Pair], path: Path) -> int:
    """Write the pairs, one a line; return how many there are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arriving = path.with_suffix(".arriving")
    number = 0
    with gzip.open(arriving, "wt", encoding="utf-8", compresslevel=3) as file:
        for number, pair in enumerate(pairs, 1):  # noqa: B007  # counted for the caller
            file.write(json.dumps(asdict(pair) | {"allowed": sorted(pair.allowed)}) + "\n")
    arriving.replace(path)
    return number


def load(folder: Path = POOL) -> list[Pair]:
    """The pairs of all families that were saved."""
    files = [path for name in FAMILIES if (path := folder / f"{name}.jsonl.gz").is_file()]
    if not files:
        raise FileNotFoundError(
            f"`{folder}` holds no pairs; run `python models/reader/pairs.py` to write them"
        )
    found: list[Pair] = []
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found += [_read(json.loads(line)) for line in file]
    return found


def _read(row: dict[str, Any]) -> Pair:
    spans = row["changed"]
    changed = None if spans is None else tuple((start, end) for start, end in spans)
    return Pair(**(row | {"allowed": frozenset(row["allowed"]), "changed": changed}))


if __name__ == "__main__":
    for wanted in sys.argv[1:] or FAMILIES:
        print(
            f"{wanted}: {save(family(data_folder(), wanted), POOL / f'{wanted}.jsonl.gz'):,} pairs",
            flush=True,
        )
