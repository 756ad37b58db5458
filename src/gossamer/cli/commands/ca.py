"""`gossamer ca`: the local certificate authority, for a proxy that looks into HTTPS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gossamer.cli.errors import Commands
from gossamer.cli.options import data_option, data_options, effective_settings
from gossamer.cli.terminal import emit
from gossamer.cli.text import example, table
from gossamer.folder.data import DataFolder
from gossamer.model import Refusal
from gossamer.moments import now_utc

if TYPE_CHECKING:
    from gossamer.proxy.authority import Authority

_OLDER: Final = (
    "An older Gossamer made it. It works, and may sign more than the proxy needs, such as mail. "
    "To replace it, and have the new one trusted: gossamer ca create --anew"
)
# How to have the authority trusted, tool by tool.
_TOOLS: Final = (
    ("curl", "curl --cacert {file} -x {proxy} https://example.org/"),
    ("wget", "wget --ca-certificate={file} -e https_proxy={proxy} https://example.org/"),
    ("Python, requests", "export REQUESTS_CA_BUNDLE={file} HTTPS_PROXY={proxy}"),
    ("Python, others", "export SSL_CERT_FILE={file} HTTPS_PROXY={proxy}"),
    ("Node", "export NODE_EXTRA_CA_CERTS={file}"),
    ("git", "git -c http.sslCAInfo={file} -c http.proxy={proxy} clone https://…"),
    ("Java", "keytool -importcert -cacerts -alias gossamer -file {file}"),
)
_BROWSERS: Final = (
    (
        "Firefox",
        "Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import",
    ),
    ("Chrome on Linux", "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n gossamer -i {file}"),
    ("other browsers", "take what the system trusts"),
)
_SYSTEMS: Final = (
    (
        "Debian, Ubuntu",
        "sudo cp {file} /usr/local/share/ca-certificates/gossamer.crt && sudo update-ca-certificates",
    ),
    (
        "Fedora, RHEL",
        "sudo cp {file} /etc/pki/ca-trust/source/anchors/gossamer.pem && sudo update-ca-trust",
    ),
    (
        "macOS",
        "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db {file}",
    ),
    ("Windows", "certutil -addstore -user Root {file}"),
)
_PARTS: Final = (
    ("One program, the best way: nothing else on the machine changes", _TOOLS),
    ("A browser", _BROWSERS),
    ("Everything on this machine", _SYSTEMS),
)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    epilog=example(
        "gossamer ca create",
        "gossamer ca create --only example.org --only example.net",
        "gossamer ca",
        "gossamer ca trust",
        "gossamer proxy --intercept",
    ),
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def ca(ctx: click.Context, data: DataFolder, as_json: bool) -> None:
    """Show the local certificate authority.

    Programs that trust it let `gossamer proxy --intercept` read their HTTPS traffic, so
    that robots.txt, rate limits and cache apply there too. Without it, HTTPS passes through
    in tunnels.
    """
    if ctx.invoked_subcommand is None:
        from gossamer.proxy.authority import Authority

        authority = Authority.load(folder_of(data), now_utc())
        emit(json.dumps(_record(authority), indent=2) if as_json else _as_text(authority))
        if not authority.is_for_servers_alone:
            click.echo(_OLDER, err=True)


@ca.command(
    "create",
    epilog=example("gossamer ca create", "gossamer ca create --only example.org"),
)
@click.option(
    "--only",
    metavar="DOMAIN|NETWORK",
    multiple=True,
    help="Confine it to a domain and those below it, or to addresses.",
)
@click.option("--anew", is_flag=True, help="Replace the one that is there, and its key.")
@data_option
def create(data: DataFolder, only: tuple[str, ...], anew: bool) -> None:
    """Create an authority. Nobody trusts it until told to (`gossamer ca trust`).

    Its key stays on this machine, readable by you alone. Whoever gets it can forge the sites it is
    for; one that is confined with --only is worth less to them.
    """
    from gossamer.proxy.authority import Authority

    data.make()
    hosts = [_host(each) for each in only]
    authority = Authority.create(folder_of(data), now_utc(), only=hosts, anew=anew)
    emit(_as_text(authority))
    click.echo("Nobody trusts it yet. How to change that: gossamer ca trust", err=True)


@ca.command("trust", epilog=example("gossamer ca trust"))
@data_option
def trust(data: DataFolder) -> None:
    """Explain how to make programs, browsers and systems trust it."""
    from gossamer.proxy.authority import Authority

    authority = Authority.load(folder_of(data), now_utc())
    for title, rows in ways(
        authority.file.resolve(), effective_settings(data).config.proxy.address
    ):
        emit(f"{title}\n{table([(f'  {whom}', what) for whom, what in rows], width=1000)}\n")
    emit("Compare before you trust. Its SHA-256 fingerprint is\n  " + authority.fingerprint)


def folder_of(data: DataFolder) -> Path:
    """Where the authority of a data folder is."""
    named = effective_settings(data).config.proxy.authority
    return data.authority_folder if named is None else Path(named).expanduser()


def _host(text: str) -> str:
    """A domain or a network, as the authority has it."""
    from gossamer.proxy.authority import network_of
    from gossamer.urls import canonical, host_of, is_address

    if (network := network_of(text)) is not None:
        return str(network)
    url = canonical(f"http://{text.removeprefix('*.')}/")
    if isinstance(url, Refusal) or is_address(host_of(url)) or "/" in text:
        raise click.BadParameter(
            f"{text!r} is no domain and no network; write example.org, 192.0.2.7 or 192.0.2.0/24.",
            param_hint="--only",
        )
    return host_of(url)


def ways(file: Path, proxy: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings, and under each what to do for whom."""
    quoted = f"'{file}'" if " " in str(file) else str(file)
    address = f"http://{proxy}"
    return [
        (title, [(whom, what.format(file=quoted, proxy=address)) for whom, what in rows])
        for title, rows in _PARTS
    ]


def _record(authority: Authority) -> dict[str, object]:
    return {
        "name": authority.name,
        "file": str(authority.file.resolve()),
        "fingerprint": authority.fingerprint,
        "expires": authority.expires_at.isoformat(),
        "only": list(authority.only),
    }


def _as_text(authority: Authority) -> str:
    days = (authority.expires_at - now_utc()).days
    rows = [
        ("name", authority.name),
        ("certificate", str(authority.file.resolve())),
        ("SHA-256", authority.fingerprint),
        ("expires", f"{authority.expires_at:%Y-%m-%d}, in {days} days"),
        ("speaks for", ", ".join(authority.only) or "all hosts"),
    ]
    return table(rows, width=1000)
