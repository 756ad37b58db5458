import json
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer

from gossamer.cli.commands.ca import ways


def test_made_shown_and_explained(here: Gossamer) -> None:
    made = here("ca", "create")
    assert made.returncode == 0, made.stderr
    assert "gossamer ca trust" in made.stderr
    shown = json.loads(here("ca", "--json").stdout)
    assert shown["fingerprint"] in made.stdout
    assert Path(shown["file"]).read_text().startswith("-----BEGIN CERTIFICATE-----")
    assert shown["only"] == []
    explained = here("ca", "trust").stdout
    for tool in ("curl --cacert", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "Firefox", "macOS"):
        assert tool in explained
    assert shown["fingerprint"] in explained


@pytest.mark.parametrize("command", [("ca",), ("ca", "trust")])
def test_without_one_the_way_to_it_is_named(here: Gossamer, command: tuple[str, ...]) -> None:
    done = here(*command)
    assert done.returncode == 1
    assert "gossamer ca create" in done.stderr
    assert done.stdout == ""


def test_a_second_one_replaces_the_first_only_where_that_is_said(here: Gossamer) -> None:
    first = here("ca", "create").stdout
    refused = here("ca", "create")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "--anew" in refused.stderr
    assert here("ca").stdout == first
    assert here("ca", "create", "--anew").returncode == 0
    assert here("ca").stdout != first


def test_it_can_be_confined_and_kept_elsewhere(here: Gossamer, tmp_path: Path) -> None:
    elsewhere = f"proxy.authority={tmp_path / 'shared ca'}"
    made = here(
        "ca", "--config", elsewhere, "create", "--only", "Example.org", "--only", "*.a.test"
    )
    assert made.returncode == 0, made.stderr
    shown = json.loads(here("ca", "--json", "--config", elsewhere).stdout)
    assert shown["only"] == ["example.org", "a.test"]
    assert shown["file"] == str(tmp_path / "shared ca" / "ca.pem")


@pytest.mark.parametrize("bad", ["http://a.test/", "127.0.0.1/8", "a b", "a.test/8"])
def test_what_is_no_domain_and_no_network_is_refused(here: Gossamer, bad: str) -> None:
    done = here("ca", "create", "--only", bad)
    assert done.returncode == 2
    assert "--only" in done.stderr
    assert here("ca").returncode == 1


def test_it_can_be_confined_to_addresses(here: Gossamer) -> None:
    assert here("ca", "create", "--only", "192.0.2.7", "--only", "2001:db8::/32").returncode == 0
    assert json.loads(here("ca", "--json").stdout)["only"] == ["192.0.2.7/32", "2001:db8::/32"]


def test_every_way_names_the_certificate_or_needs_no_name() -> None:
    told = ways(Path("/data/ca/ca.pem"), "127.0.0.1:8718")
    lines = [what for _, rows in told for _, what in rows]
    without = [line for line in lines if "/data/ca/ca.pem" not in line]
    assert [line.split(",")[0] for line in without] == ["Settings", "take what the system trusts"]
    assert not [line for line in lines if "{" in line]
    assert "curl --cacert /data/ca/ca.pem -x http://127.0.0.1:8718 https://example.org/" in lines


def test_a_name_with_blanks_is_quoted() -> None:
    told = ways(Path("/my data/ca.pem"), "127.0.0.1:8718")
    assert "curl --cacert '/my data/ca.pem' " in told[0][1][0][1]
