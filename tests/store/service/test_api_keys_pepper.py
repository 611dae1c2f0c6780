"""The secret that keys are stored under."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.store.service.api_keys import digest_of, pepper_beside


def test_the_first_who_asks_makes_it_and_all_others_get_the_same(tmp_path: Path) -> None:
    database = tmp_path / "new" / "service.sqlite3"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: pepper_beside(database), range(32)))

    assert len(found) == 1
    assert len(found.pop()) == 64
    assert [file.name for file in database.parent.iterdir()] == ["service.sqlite3.pepper"]


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    pepper_beside(tmp_path / "s")
    file = tmp_path / "s.pepper"
    assert file.stat().st_mode & 0o777 == 0o600

    file.chmod(0o644)
    with pytest.raises(SpecError, match="chmod 600"):
        pepper_beside(tmp_path / "s")


@pytest.mark.parametrize("held", [b"", b"short\n", b"\xff\xfe" * 20])
def test_a_broken_file_is_an_error_and_is_not_replaced(tmp_path: Path, held: bytes) -> None:
    file = tmp_path / "s.pepper"
    file.write_bytes(held)
    file.chmod(0o600)

    with pytest.raises(SpecError, match=r"s\.pepper"):
        pepper_beside(tmp_path / "s")
    assert file.read_bytes() == held


def test_a_short_pepper_is_refused_and_not_repeated() -> None:
    with pytest.raises(SpecError, match="got 6") as wrong:
        digest_of("secret", "tehpep")
    assert "tehpep" not in str(wrong.value)
