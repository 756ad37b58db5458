"""The table in docs/proxy.md: every malformed and hostile request in it gets the answer it names."""

import re
from pathlib import Path

from tests.proxy.proxied import Proxied, run, running

PAGE = Path(__file__).resolve().parents[2] / "docs" / "proxy.md"
ROW = re.compile(r"\| `(.+)` \| (\d{3})\b")
TIMES = re.compile(r"\{(.+?)\*(\d+)\}", re.DOTALL)
ESCAPES = {"r": "\r", "n": "\n", "0": "\0"}


def rows() -> list[tuple[str, int]]:
    table = PAGE.read_text().partition("## Malformed and hostile requests")[2]
    return [(request, int(status)) for request, status in ROW.findall(table)]


def unescaped(text: str) -> str:
    def meant(found: re.Match[str]) -> str:
        return chr(int(found[1][1:], 16)) if found[1][0] == "x" else ESCAPES[found[1]]

    return re.sub(r"\\(x[0-9a-f]{2}|[rn0])", meant, text)


def sent(text: str, proxied: Proxied) -> bytes:
    """The bytes that a row of the table stands for."""
    text = unescaped(text)
    text = text.replace("{me}", proxied.parts.name.decode()).replace("{port}", str(proxied.port))
    return TIMES.sub(lambda found: found[1] * int(found[2]), text).encode("latin-1")


def test_each_request_of_the_table_gets_its_answer(tmp_path: Path) -> None:
    table = rows()
    assert len(table) >= 50

    async def work() -> None:
        async with running(tmp_path) as proxied:
            for text, status in table:
                reply = await proxied.raw(sent(text, proxied))
                assert reply.status == status, f"{text}: {reply}"
                if reply.status != 200:
                    assert reply.headers["x-gossamer-reason"], text
            asked = [each.target for each in proxied.web.pages()]
            assert "/private/y" not in asked
            assert not any("secret" in str(each.headers) for each in proxied.web.asked)

    run(work())


def test_what_follows_a_request_that_was_refused_for_its_form_is_not_read(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path) as proxied, proxied.connected() as client:
            await client.send(
                b"POST http://a.test/echo HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                b"GET http://a.test/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n"
            )
            assert (await client.reply()).status == 400
            assert await client.is_closed()
            assert proxied.web.asked == []

    run(work())
