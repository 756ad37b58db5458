"""`gossamer identity`: the keys that sign requests, and the directory by which servers check them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.errors import Commands
from gossamer.cli.options import data_option, data_options, effective_settings
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table
from gossamer.errors import GossamerError
from gossamer.folder.data import DataFolder
from gossamer.moments import now_utc

if TYPE_CHECKING:
    from gossamer.identity.keys import KeyRing

_NO_ADDRESS: Final = (
    "Requests are not signed yet: servers have to know where your public keys are. Publish them (gossamer identity "
    "publish), and name the site: gossamer config set identity.agent_url=https://bot.example.org"
)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer identity create",
        "gossamer identity",
        "gossamer identity publish -o public/.well-known/http-message-signatures-directory",
        "gossamer identity rotate",
    ),
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def identity(ctx: click.Context, data: DataFolder, as_json: bool) -> None:
    """Show the identity of the crawler: its keys, and where servers find them.

    With an identity, requests are signed (Web Bot Auth): servers can tell them from those of somebody who only
    uses the same name. Without one, nothing is signed.
    """
    if ctx.invoked_subcommand is None:
        from gossamer.identity.keys import KeyRing

        ring = KeyRing.load(data.identity_folder)
        if not ring.keys:
            raise GossamerError(
                f"There is no identity in {data.identity_folder}. Make one: gossamer identity create"
            )
        _show(ring, data, as_json=as_json)


@identity.command("create", epilog=example("gossamer identity create"))
@data_option
def create(data: DataFolder) -> None:
    """Make a key. It stays on this machine, readable by you alone."""
    from gossamer.identity.keys import create

    data.make()
    _show(create(data.identity_folder, now_utc()), data)


@identity.command(
    "rotate", epilog=example("gossamer identity rotate", "gossamer identity rotate --now")
)
@click.option(
    "--now", "at_once", is_flag=True, help="Use the new key at once, and drop the others."
)
@data_option
def rotate(data: DataFolder, at_once: bool) -> None:
    """Replace the key.

    The new one is published at once and used after a day, when servers have fetched it; the old one is
    published for one more day. With --now, for a key that somebody may have got, servers refuse requests until they
    fetch the directory again.
    """
    from gossamer.identity.keys import OVERLAP, rotate

    now = now_utc()
    ring = rotate(data.identity_folder, now, now - now if at_once else OVERLAP)
    _show(ring, data)


@identity.command(
    "publish",
    epilog=example(
        "gossamer identity publish",
        "gossamer identity publish -o public/.well-known/http-message-signatures-directory",
    ),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, for a web server to offer as /.well-known/http-message-signatures-directory.",
)
@data_option
def publish(data: DataFolder, output: Path | None) -> None:
    """Print the directory of public keys, or write it to a file.

    `gossamer serve` offers it too, signed. Publish it again after each rotation.
    """
    from gossamer.identity.directory import DIRECTORY_TYPE, directory_body
    from gossamer.identity.keys import KeyRing

    ring = KeyRing.load(data.identity_folder)
    if not ring.keys:
        raise GossamerError("There is no key to publish. Make one: gossamer identity create")
    body = directory_body(ring.published(now_utc()))
    if output is None:
        emit(body.decode().rstrip())
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(body)
    except OSError as error:
        raise GossamerError(f"{output} cannot be written: {error.strerror}.") from None
    click.echo(f"Have your web server send it as {DIRECTORY_TYPE}.", err=True)


def _show(ring: KeyRing, data: DataFolder, *, as_json: bool = False) -> None:
    from gossamer.identity.directory import DIRECTORY_PATH

    agent_url = effective_settings(data).config.identity.agent_url
    where = None if agent_url is None else agent_url.rstrip("/") + DIRECTORY_PATH
    now = now_utc()
    current = ring.in_use(now)
    keys = [
        {
            "keyid": key.keyid,
            "made": key.made_at.isoformat(),
            "used_from": key.use_from.isoformat(),
            "dropped": None if key.drop_at is None else key.drop_at.isoformat(),
            "in_use": key == current,
        }
        for key in ring.published(now)
    ]
    if as_json:
        signs = current is not None and where is not None
        emit(json.dumps({"directory": where, "signs": signs, "keys": keys}, indent=2))
        return
    rows = [("KEY", "USED FROM", "PUBLISHED UNTIL", "")]
    rows += [
        (
            key.keyid,
            f"{key.use_from:%Y-%m-%d %H:%M}",
            "" if key.drop_at is None else f"{key.drop_at:%Y-%m-%d %H:%M}",
            "in use" if key == current else "",
        )
        for key in ring.published(now)
    ]
    emit(table(rows, width=1000))
    if where is None:
        click.echo(_NO_ADDRESS, err=True)
    else:
        emit(f"Servers fetch the keys from {where}")
