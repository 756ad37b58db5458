"""Every broken kind, as curl sees it: an independent judge of what is wrong."""

import gzip
import zlib
from io import BytesIO

import pycurl
import pytest
from tests.slowness import patience

from gossamer.demo.malice.broken import BOMB_BYTES, BROKEN, FLOOD_BYTES, NAME, bomb_bytes
from gossamer.demo.process import DemoServer
from gossamer.demo.resources import Broken

TOO_LARGE = 100  # CURLE_TOO_LARGE
ERRORS = {
    "/reset": {pycurl.E_RECV_ERROR},
    "/empty": {pycurl.E_GOT_NOTHING},
    "/reset-halfway": {pycurl.E_RECV_ERROR, pycurl.E_PARTIAL_FILE},
    "/short": {pycurl.E_PARTIAL_FILE},
    "/cut-chunks": {pycurl.E_PARTIAL_FILE, pycurl.E_RECV_ERROR},
    "/not-gzip": {pycurl.E_BAD_CONTENT_ENCODING},
    "/not-http": {pycurl.E_UNSUPPORTED_PROTOCOL, pycurl.E_FTP_WEIRD_SERVER_REPLY},
    "/huge-header": {TOO_LARGE, pycurl.E_RECV_ERROR},
    "/silent": {pycurl.E_OPERATION_TIMEDOUT},
    "/endless-trickle": {pycurl.E_OPERATION_TIMEDOUT},
}


def fetched(server: DemoServer, path: str, *, decode: bool = True, most: int = 1 << 30) -> BytesIO:
    """The body, or pycurl.error; for what never ends, a limit stands in for a crawler's patience."""
    host, _, port = server.address.partition(":")
    body, handle = BytesIO(), pycurl.Curl()

    def write(data: bytes) -> int | None:
        body.write(data)
        return 0 if body.tell() > most else None

    handle.setopt(pycurl.URL, f"http://{NAME}{path}")
    handle.setopt(pycurl.CONNECT_TO, [f"{NAME}:80:{host}:{port}"])
    handle.setopt(pycurl.WRITEFUNCTION, write)
    is_endless = ERRORS.get(path) == {pycurl.E_OPERATION_TIMEDOUT}
    handle.setopt(pycurl.TIMEOUT_MS, 1_500 if is_endless else round(patience(60_000)))
    handle.setopt(pycurl.NOPROXY, "*")
    if decode:
        handle.setopt(pycurl.ACCEPT_ENCODING, "gzip")
    try:
        handle.perform()
    finally:
        handle.close()
    return body


def trouble(server: DemoServer, path: str, **options: int) -> int:
    with pytest.raises(pycurl.error) as caught:
        fetched(server, path, **options)  # type: ignore[arg-type] # decode is never among them
    return int(caught.value.args[0])


@pytest.mark.parametrize(("path", "errors"), ERRORS.items())
def test_curl_finds_each_kind_broken_as_intended(
    malice: DemoServer, path: str, errors: set[int]
) -> None:
    assert trouble(malice, path) in errors


def test_a_body_may_be_cut_within_its_gzip(malice: DemoServer) -> None:
    packed = fetched(malice, "/cut-gzip", decode=False).getvalue()
    with pytest.raises(EOFError):
        gzip.decompress(packed)


def test_the_flood_does_not_end_before_the_client_does(malice: DemoServer) -> None:
    most = 20 * 1024 * 1024
    assert trouble(malice, "/flood", most=most) in (
        pycurl.E_WRITE_ERROR,
        pycurl.E_OPERATION_TIMEDOUT,
    )
    assert most < FLOOD_BYTES


def test_the_bomb_is_small_and_unpacks_to_something_very_large(malice: DemoServer) -> None:
    packed = fetched(malice, "/bomb", decode=False).getvalue()
    assert packed == bomb_bytes()
    assert len(packed) < 2 * 1024 * 1024
    unpack, size, rest = zlib.decompressobj(wbits=31), 0, packed
    while rest:
        size += len(unpack.decompress(rest, 1024 * 1024))
        rest = unpack.unconsumed_tail
    assert unpack.eof
    assert size > BOMB_BYTES


def test_every_kind_is_tested_here() -> None:
    assert {*ERRORS, "/cut-gzip", "/flood", "/bomb"} == set(BROKEN.exhibits)
    assert all(isinstance(kind, Broken) and kind.cause for kind in BROKEN.exhibits.values())
