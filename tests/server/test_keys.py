"""Keys as a notebook makes, lists and revokes them."""

from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.server.keys import KeyRequest, create_key, key_to_data, list_keys, revoke_key


def test_a_key_is_made_listed_and_revoked(tmp_path: Path) -> None:
    store = str(tmp_path / "service.sqlite3")
    with pytest.raises(SpecError, match="there is no database"):
        list_keys(store)

    key, secret = create_key(
        KeyRequest(project="zoo", publishable=True, origins=("https://zoo.org",), store=store)
    )
    name, since = revoke_key(secret, store)

    (listed,) = list_keys(store)
    assert (listed.id, listed.project_name, listed.kind) == (key.id, "zoo", "publishable")
    assert (name, listed.revoked_at) == (key.id, since)
    assert "digest" not in key_to_data(listed)
    with pytest.raises(SpecError, match="there is no key with this id"):
        revoke_key("nothing", store)
    with pytest.raises(SpecError, match="no policy of this project"):
        create_key(KeyRequest(policy="mine", store=store))
