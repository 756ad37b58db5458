import ssl
from pathlib import Path

from tests.proxy.origin import PAGE
from tests.proxy.proxied import run, running

from gossamer.config import Fetch, Proxy
from gossamer.proxy.authority import Authority, AuthorityError
from gossamer.proxy.certificates import Certificates


def test_what_is_asked_in_the_open_inside_a_tunnel_has_all_manners(tmp_path: Path) -> None:
    connect = b"CONNECT a.test:80 HTTP/1.1\r\nHost: a.test\r\n\r\n"

    def inside(path: str, host: str = "a.test") -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()

    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(connect)
            head = await client.reader.readuntil(b"\r\n\r\n")
            assert head == b"HTTP/1.1 200 Connection Established\r\n\r\n"
            await client.send(inside("/"))
            assert (await client.reply()).body == PAGE
            await client.send(inside("/private/x"))
            assert (await client.reply()).status == 403
            await client.send(inside("/", "b.test"))
            assert (await client.reply()).status == 400
            assert [each.target for each in proxied.web.pages()] == ["/"]
            assert proxied.parts.figures.tunnels == 0

    run(work())


def test_what_is_said_before_tls_was_not_said_inside(
    tmp_path: Path, tls: ssl.SSLContext, test_authority: Authority
) -> None:
    connect = b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test\r\n\r\n"
    early = b"GET /early HTTP/1.1\r\nHost: secure.test\r\n\r\n"

    async def work() -> None:
        fetch, made = Fetch(ca=str(test_authority.file)), Certificates(test_authority)
        async with (
            running(tmp_path, fetch=fetch, tls=tls, certificates=made) as proxied,
            proxied.connected() as client,
        ):
            await client.send(connect + early)
            assert (await client.reply()).status == 400
            assert await client.is_closed()
            assert proxied.web.pages() == []

    run(work())


def test_a_port_for_plain_http_is_a_tunnel_where_it_is_listed_and_looked_into_where_not(
    tmp_path: Path, test_authority: Authority
) -> None:
    connect = b"CONNECT a.test:80 HTTP/1.1\r\nHost: a.test\r\n\r\n"
    private = b"GET /private/x HTTP/1.1\r\nHost: a.test\r\n\r\n"

    async def work(ports: tuple[str, ...], status: int) -> None:
        made = Certificates(test_authority)
        proxy = Proxy(connect_ports=ports)
        folder = tmp_path / str(status)
        async with (
            running(folder, proxy, certificates=made) as proxied,
            proxied.connected() as client,
        ):
            await client.send(connect)
            await client.reader.readuntil(b"\r\n\r\n")
            await client.send(private)
            assert (await client.reply()).status == status

    run(work(("443",), 403))
    run(work(("443", "80"), 200))


class Over(Certificates):
    """Those of an authority that has ended."""

    async def certificate_for(self, name: str) -> ssl.SSLContext:
        raise AuthorityError("It has ended; `gossamer ca create --anew` makes another.")


def test_an_authority_that_has_ended_is_told_to_the_client(
    tmp_path: Path, test_authority: Authority
) -> None:
    async def work() -> None:
        made = Over(test_authority)
        async with running(tmp_path, certificates=made) as proxied:
            reply = await proxied.raw(
                b"CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test\r\n\r\n"
            )
            assert (reply.status, reply.headers["x-gossamer-cause"]) == (503, "authority")
            assert b"`gossamer ca create --anew`" in reply.body

    run(work())
