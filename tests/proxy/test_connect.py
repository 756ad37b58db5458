from pathlib import Path

from tests.proxy.origin import PAGE
from tests.proxy.proxied import run, running


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
