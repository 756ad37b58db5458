"""Commands below `gossamer nodes`: invitations for machines that are to join."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gossamer import values
from gossamer.cli.options import shared_options
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.moments import told_moment

if TYPE_CHECKING:
    from gossamer.nodes.invitations import Invitations, Invited


@click.command(
    epilog=example(
        "gossamer nodes invite --address db.example > invitation.txt",
        "gossamer nodes invite node-7 --lifetime 2h --address db.example:5433",
        "gossamer nodes invite --list",
        "gossamer nodes invite --revoke node-7",
    ),
)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--lifetime", metavar="TIME", help="How long it can be taken up [default: 1d].")
@click.option(
    "--address",
    "reach",
    metavar="HOST[:PORT]",
    help="The database server, as other machines reach it.",
)
@click.option("--list", "as_list", is_flag=True, help="List invitations, and who took them up.")
@click.option(
    "--revoke", metavar="NAME", help="Take one back, with the access of the node that has it."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@shared_options
def invite(
    name: str | None,
    lifetime: str | None,
    reach: str | None,
    as_list: bool,
    revoke: str | None,
    as_json: bool,
    data: DataFolder,
) -> None:
    """Print an invitation for one more node: a line for `gossamer join`, from a file or standard input.

    It is the address of the database with a user of its own, who may read and write the crawl's tables and
    nothing else. It can be taken up once, within its lifetime; the node keeps its access until it is revoked.
    """
    from gossamer.cli.shared_crawl import shared_address
    from gossamer.nodes.invitations import Invitations

    is_new = not as_list and revoke is None
    if as_list + (revoke is not None) + (name is not None) > 1:
        raise click.UsageError("Give a NAME to invite, --revoke NAME or --list: one of them.")
    for given, flag in ((lifetime, "--lifetime"), (reach, "--address")):
        if given is not None and not is_new:
            raise click.UsageError(f"{flag} is for invitations that are made.")
    name, time = (_name(name), _lifetime(lifetime)) if is_new else ("", timedelta(0))
    with Invitations.open(shared_address(data)) as invitations:
        if as_list:
            _list(invitations, as_json=as_json)
        elif revoke is not None:
            _revoke(invitations, revoke)
        else:
            _invite(invitations, name, time, reach, as_json=as_json)


def _name(word: str | None) -> str:
    from gossamer.nodes.invitations import NAME, new_name

    if word is None:
        return new_name()
    if not NAME.fullmatch(word):
        raise click.UsageError(
            f"{word!r} is no name for an invitation: up to 40 of a-z, 0-9, - and _, such as node-7."
        )
    return word


def _invite(
    invitations: Invitations, name: str, lifetime: timedelta, reach: str | None, *, as_json: bool
) -> None:
    from gossamer.nodes.invitations import is_for_this_machine_only

    made = invitations.invite(name, lifetime, reach)
    if is_for_this_machine_only(made.token):
        click.echo(
            "This address leads to the database from this machine only; for another machine, name the server "
            "as that reaches it: --address db.example",
            err=True,
        )
    if as_json:
        emit(json.dumps({"name": name, "token": made.token, "until": made.until.isoformat()}))
        return
    emit(made.token)
    click.echo(
        f"Invitation {name}: for one node, until {told_moment(made.until)}. It holds a password: keep it in a "
        "file that only you can read, and have `gossamer join @FILE` read it.",
        err=True,
    )


def _list(invitations: Invitations, *, as_json: bool) -> None:
    found = invitations.all()
    if as_json:
        record = [
            {
                "name": each.name,
                "until": None if each.until is None else each.until.isoformat(),
                "expired": each.is_over,
                "node": each.node,
                "sessions": each.sessions,
            }
            for each in found
        ]
        emit(json.dumps(record, indent=2))
    elif not found:
        click.echo("Nobody was invited to this crawl.", err=True)
    else:
        rows = [(each.name, _told_state(each), str(each.sessions)) for each in found]
        emit(table([("invitation", "state", "connections"), *rows]))


def _told_state(each: Invited) -> str:
    if each.until is None:
        return f"taken up by {each.node or 'a node'}"
    return f"{'expired' if each.is_over else 'open until'} {told_moment(each.until)}"


def _revoke(invitations: Invitations, name: str) -> None:
    from gossamer.cli.shared_crawl import nearest

    if not invitations.revoke(name):
        names = [each.name for each in invitations.all()]
        raise click.UsageError(f"There is no invitation {name}.{nearest(name, names)}")
    click.echo(f"Invitation {name} is revoked; whoever had it has no access any more.", err=True)


def _lifetime(word: str | None) -> timedelta:
    from gossamer.nodes.invitations import USUAL_LIFETIME

    if word is None:
        return USUAL_LIFETIME
    try:
        lifetime = values.read(timedelta, word, at_least=1)
    except ValueError as error:
        raise ConfigError(f"--lifetime: {error}.") from None
    assert isinstance(lifetime, timedelta)
    return lifetime
