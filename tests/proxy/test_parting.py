import asyncio

from tests.proxy.proxied import run, until

from gossamer.proxy.parting import Parting
from gossamer.proxy.refusals import Refused

BUSY = Refused(503, "Not now.", ((b"Retry-After", b"1"),))


def test_whoever_is_sent_away_while_it_speaks_hears_why() -> None:
    async def work() -> None:
        client = Parting()
        server = await asyncio.get_running_loop().create_server(lambda: client, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        await until(lambda: hasattr(client, "transport"))
        client.dismiss(BUSY)
        client.dismiss(BUSY)  # once is enough
        writer.write(b"x" * 1_000_000)  # closed at once, the connection would be reset by this
        heard = await reader.read()
        assert heard.startswith(b"HTTP/1.1 503 \r\n")
        assert heard.count(b"Retry-After: 1") == 1
        assert client.is_lingering
        assert not client.lost
        writer.close()
        await until(lambda: client.lost)
        client.linger()  # of whom nobody is left
        server.close()

    run(work())
