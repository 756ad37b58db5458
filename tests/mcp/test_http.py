"""`/mcp` is behind the guard and the limits of the service, and loads the SDK when it is used."""

import json
import subprocess
import sys

import pytest
from tests.service.running import TOKEN, Client, service_on
from tests.slowness import patience

from gossamer.config import Service
from gossamer.folder.data import DataFolder
from gossamer.mcp.needs import MISSING, NoMcpError, load_server

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


def test_other_sites_other_names_and_other_methods_are_refused(served: Client) -> None:
    assert served("/mcp", "POST", body=LIST, headers=HEADERS).status == 200
    foreign = {**HEADERS, "Origin": "https://evil.test"}
    assert served("/mcp", "POST", body=LIST, headers=foreign).status == 403
    rebound = {**HEADERS, "Host": "evil.test"}
    assert served("/mcp", "POST", body=LIST, headers=rebound).status == 421
    assert served("/mcp").status == 405


@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        ("[" * 1_000 + "]" * 1_000, "application/json", 400),
        ("no json", "application/json", 400),
        (LIST, "text/plain", 415),
        ('"' + "x" * 2_000_000 + '"', "application/json", 413),
    ],
)
def test_bodies_have_the_limits_of_the_service(
    served: Client, body: str, media_type: str, status: int
) -> None:
    headers = {**HEADERS, "Content-Type": media_type}
    answer = served("/mcp", "POST", body=body, headers=headers)
    assert answer.status == status
    assert answer.json["status"] == status  # the one shape of errors


def test_beyond_loopback_it_takes_the_token(people: DataFolder, served: Client) -> None:
    assert served
    with service_on(people, Service(token=TOKEN), is_loopback=False, beside=True) as ask:
        assert ask("/mcp", "POST", body=LIST, headers=HEADERS).status == 401
        told = {**HEADERS, "Authorization": f"Bearer {TOKEN}"}
        assert len(ask("/mcp", "POST", body=LIST, headers=told).json["result"]["tools"]) == 7


def test_the_service_loads_the_sdk_when_it_is_used() -> None:
    code = (
        "import sys, gossamer.web.app; sys.exit('mcp' in sys.modules or 'pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=patience(60))
    assert done.returncode == 0


def test_without_the_sdk_the_line_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "gossamer.mcp.server", raising=False)
    with pytest.raises(NoMcpError, match=r"pip install 'gossamer\[mcp\]'") as told:
        load_server()
    assert str(told.value) == MISSING
