"""`sensecheck keys`: who may use the service."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, safe, show_table, write_json, write_line
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.tables import cut
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.store.service.records import ApiKey
    from sensecheck.store.service.store import ServiceStore

# ruff: noqa: PLC0415 - the store and the server are extras, which `--help` does without

_HEAD = ("key", "project", "kind", "label", "policy", "origins", "made", "")
app = typer.Typer(no_args_is_help=True, help="Keys of the service: who may ask, from where, and how much.")
Project = Annotated[str, typer.Option(metavar="NAME", help="Whose it is; nobody sees another's messages.")]


@app.command()
def create(
    project: Project = "default",
    label: Annotated[str, typer.Option(metavar="TEXT", help="What it is for, in your own words.")] = "",
    publishable: Annotated[
        bool, typer.Option("--publishable", metavar="", help="For a web page; it can only ask.")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A page that may use it; may be given more than once."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="All that it may do; without any, all that its kind may."),
    ] = None,
    policy: Annotated[str, typer.Option(metavar="NAME", help="Judge by this policy.")] = "default",
    review: Annotated[
        bool, typer.Option("--review", metavar="", help="Keep what is held back for reviewers.")
    ] = False,
    per_minute: Annotated[int, typer.Option(metavar="N", help="Requests, all together.", min=1)] = 600,
    per_session_minute: Annotated[int, typer.Option(metavar="N", help="Of one session.", min=1)] = 60,
    per_address_minute: Annotated[int, typer.Option(metavar="N", help="From one address.", min=1)] = 120,
    daily_budget: Annotated[
        int, typer.Option(metavar="TOKENS", help="How much is read in a day, about; 0 for any.", min=0)
    ] = 0,
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Make a key. It is shown once."""
    with _opened(store) as (opened, pepper):
        from sensecheck.server.caller import PUBLISHABLE_SCOPES, SECRET_SCOPES
        from sensecheck.store.engine import writing
        from sensecheck.store.service.api_keys import NewKey
        from sensecheck.store.service.api_keys import create as create_key

        allowed = PUBLISHABLE_SCOPES if publishable else SECRET_SCOPES
        wanted = NewKey(
            project=opened.project(project),
            kind="publishable" if publishable else "secret",
            label=label or ("a page" if publishable else "a server"),
            scopes=frozenset(scope or allowed),
            origins=tuple(origin or ()),
            policy=policy,
            review=review,
            per_minute=per_minute,
            per_session_minute=per_session_minute,
            per_address_minute=per_address_minute,
            daily_budget=daily_budget,
        )
        _must_be_known(opened, wanted.project, policy)
        with writing(opened.engine) as connection:
            key, whole = create_key(connection, wanted, pepper, allowed=frozenset(allowed))
    if as_json:
        write_json({**_data(key), "key": whole})
        return
    write_line(whole)
    Paper(stderr=True).say(("keep it: it is shown only now", "dim"))


@app.command("list")
def list_(store: Store = None, as_json: Json = False) -> None:
    """List all keys, without what makes them work."""
    with _opened(store, must_be_there=True) as (opened, _):
        from sensecheck.store.engine import reading
        from sensecheck.store.service.api_keys import each

        with reading(opened.engine) as connection:
            found = list(each(connection))
    if as_json:
        write_json([_data(key) for key in found])
    elif found:
        show_table(Paper(), _HEAD, [_row(key) for key in found], left=6)
    else:
        Paper().say(f"there are no keys; make one with `{_command('create', store)}`")


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the whole of it.")],
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Take a key back; services notice within half a minute."""
    with _opened(store, must_be_there=True) as (opened, _):
        from sensecheck.store.engine import writing
        from sensecheck.store.service.api_keys import read_key
        from sensecheck.store.service.api_keys import revoke as revoke_key

        parts = read_key(key)
        with writing(opened.engine) as connection:
            since = revoke_key(connection, parts.id if parts else key)
    if since is None:
        raise SpecError(f"there is no key with this id; `{_command('list', store)}` shows them")
    if as_json:
        write_json({"id": parts.id if parts else key, "revoked_at": since.isoformat()})
    else:
        Paper().say(f"taken back since {since:%Y-%m-%d %H:%M}")


@contextmanager
def _opened(address: str | None, *, must_be_there: bool = False) -> "Iterator[tuple[ServiceStore, str]]":
    """The store that is named, and the pepper of its keys; looking makes no new file."""
    with extra("server"):
        from sensecheck.server.settings import ServiceSettings
        from sensecheck.server.startup import pepper_for
        from sensecheck.store.service.store import ServiceStore
    from sensecheck.config import variables

    named = settings_with(None).store if address is None else address
    if must_be_there:
        _must_exist(named)
    pepper = pepper_for(named, ServiceSettings.from_variables(variables()))
    store = ServiceStore.open(named)
    try:
        yield store, pepper
    finally:
        store.close()


def _command(verb: str, store: str | None) -> str:
    """A command on the same database, to be copied."""
    from sensecheck.store.address import store_option

    named = settings_with(None).store if store is None else store
    return f"sensecheck keys {verb}{safe(store_option(named))}"


def _must_exist(address: str) -> None:
    from sensecheck.store.address import database_url

    url = database_url(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        make = _command("create", address)
        raise SpecError(f"there is no database at `{url.database}`; `{make}` makes it")


def _must_be_known(store: "ServiceStore", project: int, policy: str) -> None:
    """Raise `SpecError` for a policy that is neither ours nor the project's."""
    from sensecheck.checks.policies import POLICIES, named
    from sensecheck.store.service.policies import resolve

    if policy.partition("@")[0] in POLICIES:
        named(policy)
    elif resolve(store, project, policy) is None:
        known = ", ".join(f"`{name}`" for name in POLICIES)
        raise SpecError(f"`{policy}` is no policy of this project, and none of ours: {known}")


def _data(key: "ApiKey") -> dict[str, Any]:
    data = {field.name: getattr(key, field.name) for field in fields(key) if field.name != "digest"}
    return data | {
        "project": data.pop("project_name"),
        "scopes": sorted(key.scopes),
        "created_at": key.created_at.isoformat(),
        "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
    }


def _row(key: "ApiKey") -> list[str]:
    state = "" if key.revoked_at is None else f"taken back {key.revoked_at:%Y-%m-%d}"
    origins = cut(", ".join(key.origins))
    made = f"{key.created_at:%Y-%m-%d %H:%M}"
    label, policy = cut(safe(key.label)), safe(key.policy)
    return [key.id, cut(safe(key.project_name)), key.kind, label, policy, origins, made, state]
