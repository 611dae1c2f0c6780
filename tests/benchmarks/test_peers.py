"""What people use instead: how rows are counted, and what the page says of it."""

from pathlib import Path

import pytest
from benchmarks.figures.peers import peers_behind, peers_costs, peers_quality
from benchmarks.peers import run
from benchmarks.peers.contestants import PEERS, Peer

RESULTS = {
    "versions": {"words": "1.0"},
    "skipped": {"heavy": "it wants torch"},
    "costs": [
        {
            "package": "words",
            "distributions": 2,
            "megabytes": 12.5,
            "weight": 0.02,
            "import": 0.5,
            "first": 1.5,
            "pair": {"overlap": 0.01},
        }
    ],
    "quality": [
        run.line("means", "sensecheck", 6, 10, undecided=3),
        run.line("means", "words: overlap", 7, 10) | {"auroc": 0.8},
    ],
}


def test_the_best_threshold_is_the_kindest() -> None:
    assert run.best_threshold([0.1, 0.4, 0.6, 0.9], [False, True, False, True]) == 3
    assert run.best_threshold([0.5, 0.5], [False, False]) == 2


def test_a_ranking_that_is_right_has_an_auroc_of_one_and_ties_count_half() -> None:
    assert run.auroc([0.1, 0.2, 0.8], [False, False, True]) == 1
    assert run.auroc([0.5, 0.5], [False, True]) == 0.5


def test_what_is_left_open_is_neither_right_nor_wrong() -> None:
    table = {"decided": {"share": 0.8, "n": 10}, "right_of_decided": {"share": 0.75, "n": 8}}
    found = run.ours("means", table, 10)

    assert [found[key]["share"] for key in ("right", "wrong", "undecided")] == [0.6, 0.2, 0.2]
    with pytest.raises(SystemExit, match="measure it anew"):
        run.ours("means", table, 11)


def test_where_others_are_ahead_is_said() -> None:
    behind = peers_behind(RESULTS).splitlines()

    assert behind[2:] == [
        "| Does it mean the same as the expected answer? More rows right, of all | words: overlap |",
        "| Does it mean the same as the expected answer? Fewer rows wrong, of all | none |",
        "| Less on disk | words |",
        "| A faster import | words |",
        "| A faster first score | none |",
        "| Less CPU time for a pair | words: overlap |",
    ]


def test_costs_name_versions_and_what_was_skipped() -> None:
    text = peers_costs(RESULTS)

    assert "| words 1.0 | 2 | 12.5 MB | 0.02 | 0.5 | 1.5 | overlap 0.01 |" in text
    assert text.endswith("heavy was skipped: it wants torch")
    assert "| **sensecheck** | 60.0% (26.2–87.8) | 10.0% (0.2–44.5) | 30.0% |  |" in peers_quality(RESULTS)


def test_what_cannot_be_installed_leaves_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Peer("missing", (f"sensecheck-no-such-package @ {tmp_path.as_uri()}/no.whl",), "missing", ())
    monkeypatch.setattr(run, "PLACE", tmp_path / "peers")

    with pytest.raises(run.NotMeasured, match=r"no\.whl"):
        run.install(missing, fresh=False)
    assert not (tmp_path / "peers" / "missing").exists()


def test_every_package_is_pinned_and_has_a_rule() -> None:
    assert [peer.package for peer in PEERS if not peer.rules or not run.version_of(peer)] == []
