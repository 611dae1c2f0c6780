"""`sensecheck keys`: who may use the service."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, cut, safe, show_table, write_json, write_line
from sensecheck.cli.options import Json, argument, option
from sensecheck.cli.store import Database
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.store.service.records import ApiKey

# ruff: noqa: PLC0415 - the store and the server are extras, which `--help` does without

_HEAD = ("key", "project", "kind", "label", "policy", "origins", "made", "")
app = typer.Typer(no_args_is_help=True, help="Keys of the service: who may ask, from where, and how much.")
Project = Annotated[
    str, option("--project NAME", "Whose it is; no project sees the messages of another.", default=True)
]


@app.command()
def create(
    project: Project = "default",
    label: Annotated[str, option("--label TEXT", "What it is for, in your own words.")] = "",
    publishable: Annotated[bool, option("--publishable", "For a web page; it can only ask.")] = False,
    origin: Annotated[
        list[str] | None, option("--origin URL", "A page that may use it; may be given more than once.")
    ] = None,
    scope: Annotated[
        list[str] | None, option("--scope NAME", "All that it may do; without any, all that its kind may.")
    ] = None,
    policy: Annotated[str, option("--policy NAME", "Judge by this policy.", default=True)] = "default",
    review: Annotated[bool, option("--review", "Store what is withheld for reviewers.")] = False,
    per_minute: Annotated[
        int, option("--per-minute N", "Requests, all together.", default=True, min=1)
    ] = 600,
    per_session_minute: Annotated[
        int, option("--per-session-minute N", "Of one session.", default=True, min=1)
    ] = 60,
    per_address_minute: Annotated[
        int, option("--per-address-minute N", "From one address.", default=True, min=1)
    ] = 120,
    daily_budget: Annotated[
        int,
        option("--daily-budget TOKENS", "How much is read in a day, about; 0 for any.", default=True, min=0),
    ] = 0,
    store: Database = None,
    as_json: Json = False,
) -> None:
    """Make a key. It is shown once."""
    with extra("server"):
        from sensecheck.server.keys import KeyRequest, create_key, key_to_data

    store_argument = {} if store is None else {"store": store}
    key, secret = create_key(
        KeyRequest(
            project=project,
            label=label,
            publishable=publishable,
            origins=tuple(origin or ()),
            scopes=tuple(scope or ()),
            policy=policy,
            review=review,
            per_minute=per_minute,
            per_session_minute=per_session_minute,
            per_address_minute=per_address_minute,
            daily_budget=daily_budget,
            **store_argument,
        )
    )
    if as_json:
        write_json({**key_to_data(key), "key": secret})
        return
    write_line(secret)
    Console(stderr=True).line(("save it: it is shown only now", "dim"))


@app.command("list")
def list_(store: Database = None, as_json: Json = False) -> None:
    """List all keys, without their secrets."""
    with extra("server"):
        from sensecheck.server.keys import key_to_data, keys_command, list_keys

    keys = list_keys(store)
    if as_json:
        write_json([key_to_data(key) for key in keys])
    elif keys:
        show_table(Console(), _HEAD, [_row(key) for key in keys], left=6)
    else:
        Console().line(f"there are no keys; make one with `{safe(keys_command('create', store))}`")


@app.command()
def revoke(
    key: Annotated[str, argument("ID", "Its id, or the complete key.")],
    store: Database = None,
    as_json: Json = False,
) -> None:
    """Revoke a key; services notice within half a minute."""
    with extra("server"):
        from sensecheck.server.keys import revoke_key

    name, since = revoke_key(key, store)
    if as_json:
        write_json({"id": name, "revoked_at": since.isoformat()})
    else:
        Console().line(f"revoked since {since:%Y-%m-%d %H:%M}")


def _row(key: "ApiKey") -> list[str]:
    state = "" if key.revoked_at is None else f"revoked {key.revoked_at:%Y-%m-%d}"
    origins = cut(", ".join(key.origins))
    created = f"{key.created_at:%Y-%m-%d %H:%M}"
    label, policy = cut(safe(key.label)), safe(key.policy)
    return [key.id, cut(safe(key.project_name)), key.kind, label, policy, origins, created, state]
