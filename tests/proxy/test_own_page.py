"""What is served at the proxy's own address: how to use it, a PAC file, the certificate; nothing else."""

import json
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from tests.proxy.proxied import run, running

from gossamer.config import Proxy
from gossamer.http.wire.request import RequestHead
from gossamer.proxy.access import Cost, User
from gossamer.proxy.authority import Authority
from gossamer.proxy.certificates import Certificates
from gossamer.proxy.own_page import own_address, own_answer

BROWSER = """
const isPlainHostName = host => !host.includes('.');
const shExpMatch = (text, pattern) =>
  new RegExp('^' + pattern.replace(/[.]/g, '[.]').replace(/[*]/g, '.*') + '$').test(text);
const urls = process.argv.slice(1);
%s
console.log(JSON.stringify(urls.map(url => FindProxyForURL(url, new URL(url).hostname))));
"""


def asked(target: str, host: str = "127.0.0.1:8718", method: str = "GET") -> RequestHead:
    return RequestHead.of(method, target.encode(), 1, host.encode("latin-1"))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:8718", "127.0.0.1:8718"),
        ("[::1]:8718", "[::1]:8718"),
        ("proxy.lab", "proxy.lab:80"),
        ("localhost:3128", "localhost:3128"),
        ("other.lab", None),
        ('[fe80::1%");evil("]', None),
        ('";evil(".localhost', None),
        ("b\xfccher.localhost", None),
    ],
)
def test_only_a_name_of_ours_gets_into_script_and_page(host: str, address: str | None) -> None:
    assert own_address([host.encode("latin-1")], ("proxy.lab",)) == address
    assert own_address([host.encode("latin-1")] * 2, ("proxy.lab",)) is None


def test_a_request_for_anything_else_goes_its_usual_way() -> None:
    for head in (
        asked("http://127.0.0.1:8718/"),
        asked("/", "a.test"),
        asked("/", method="POST"),
        asked("*", method="OPTIONS"),
        RequestHead.of("GET", b"/", 0, None),
    ):
        assert own_answer(head, Proxy(), None) is None
    for path in ("/x", "//a.test/", "/?x", "/ca.pem", "/proxy.pac/"):
        missing = own_answer(asked(path), Proxy(), None)
        assert missing is not None, path
        assert missing.status == 404


def test_the_page_says_how_long_to_wait_and_whether_to_log_in() -> None:
    page = own_answer(asked("/"), Proxy(), None)
    assert page is not None
    assert b"export http_proxy=http://127.0.0.1:8718 https_proxy=http://127.0.0.1:8718" in page.body
    assert b"for 50s" in page.body
    assert b"through tunnels" in page.body
    page = own_answer(asked("/"), Proxy(users=("anna:…",)), None)
    assert page is not None
    assert b"http_proxy=http://USER:PASSWORD@127.0.0.1:8718" in page.body


def test_the_certificate_is_that_of_the_authority(test_authority: Authority) -> None:
    certificates = Certificates(test_authority)
    served = own_answer(asked("/ca.pem"), Proxy(), certificates)
    assert served is not None
    assert served.body == test_authority.file.read_bytes()
    assert ssl.create_default_context(cadata=served.body.decode()).get_ca_certs()
    page = own_answer(asked("/"), Proxy(), certificates)
    assert page is not None
    assert test_authority.fingerprint.encode() in page.body


def test_the_pac_file_leads_all_but_this_machine_to_the_proxy() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: it is not installed here")
    pac = own_answer(asked("/proxy.pac"), Proxy(), None)
    assert pac is not None
    wanted = {
        "http://a.test/": "PROXY 127.0.0.1:8718",
        "https://www.a.test/x": "PROXY 127.0.0.1:8718",
        "http://127.evil.test/": "PROXY 127.0.0.1:8718",
        "http://localhost:8000/": "DIRECT",
        "http://a.localhost/": "DIRECT",
        "http://127.0.0.1:8717/": "DIRECT",
        "http://[::1]:8717/": "DIRECT",
        "http://printer/": "DIRECT",
    }
    command = [node, "-e", BROWSER % pac.body.decode(), "--", *wanted]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    assert dict(zip(wanted, json.loads(done.stdout), strict=True)) == wanted


def test_it_is_served_without_a_password_and_nothing_is_sent_to_anybody(tmp_path: Path) -> None:
    user = str(User.new("anna", "secret", Cost(10, 8, 1)))

    async def work() -> None:
        async with (
            running(tmp_path, Proxy(users=(user,))) as proxied,
            proxied.connected() as client,
        ):
            host = f"127.0.0.1:{proxied.port}"
            for method, path, status in (
                ("GET", "/", 200),
                ("HEAD", "/", 200),
                ("GET", "/proxy.pac", 200),
                ("GET", "/ca.pem", 404),
            ):
                await client.send(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                reply = await client.reply(is_head=method == "HEAD")
                assert reply.status == status, path
                assert reply.headers["cache-control"] == "no-store"
                if path == "/proxy.pac":
                    assert f'"PROXY {host}"'.encode() in reply.body
            await client.send(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            assert (await client.reply()).status == 407  # as before
            assert proxied.web.asked == []
            assert [each.status for each in proxied.events] == [200, 200, 200, 404, 407]  # type: ignore[attr-defined]  # of `Proxied`

    run(work())
