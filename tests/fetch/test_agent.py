import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fetch.servers import PAGE, answered, answering, ok, serving

from gossamer.config import Politeness
from gossamer.errors import ConfigError
from gossamer.fetch.agent import user_agent
from gossamer.fetch.http import HttpFetcher


@pytest.mark.parametrize(
    ("politeness", "expected"),
    [
        (Politeness(), "gossamer/0.1.0"),
        (
            Politeness(contact="https://example.org/bot"),
            "gossamer/0.1.0 (+https://example.org/bot)",
        ),
        (Politeness(contact="me+bots@example.org"), "gossamer/0.1.0 (+me+bots@example.org)"),
        (
            Politeness(agent="my-bot_2", contact="mailto:me@example.org"),
            "my-bot_2 (+mailto:me@example.org) gossamer/0.1.0",
        ),
    ],
)
def test_the_agent_string_names_the_product_and_the_contact(
    politeness: Politeness, expected: str
) -> None:
    assert user_agent(politeness, "0.1.0") == expected


@pytest.mark.parametrize("agent", ["", "my bot", "bot/1", "bot\r\nX: 1", "bötchen", "a(b)", "*"])
def test_a_name_that_robots_txt_cannot_match_is_refused(agent: str) -> None:
    with pytest.raises(ConfigError, match=r"politeness\.agent .*letters, digits, - and _"):
        user_agent(Politeness(agent=agent), "0.1.0")


@pytest.mark.parametrize(
    "contact",
    ["", "me", "ftp://example.org/", "https://", "https://a/ b", "https://a/\r\nX: 1", "a@b)c", "https://a/)", "ä@b"],
)  # fmt: skip
def test_a_contact_that_leads_nowhere_is_refused(contact: str) -> None:
    with pytest.raises(ConfigError, match=r"--agent-contact.*https://example\.org/bot"):
        user_agent(Politeness(contact=contact), "0.1.0")


@given(st.text(), st.text())
def test_no_configuration_injects_a_header(agent: str, contact: str) -> None:
    try:
        line = user_agent(Politeness(agent=agent, contact=contact), "0.1.0")
    except ConfigError:
        return
    assert re.fullmatch(r"[ -~]+", line)
    assert line.count("(") == line.count(")") == 1


def test_the_server_sees_who_asks_and_how_to_reach_them() -> None:
    async def run() -> None:
        agent = user_agent(Politeness(agent="mybot", contact="https://example.org/bot"), "1.2")
        async with (
            serving(answering(ok(b"hello"))) as server,
            HttpFetcher(server.fetch(), agent) as http,
        ):
            answered(await http.get(PAGE))
            sent = b"\r\nUser-Agent: mybot (+https://example.org/bot) gossamer/1.2\r\n"
            assert sent in server.requests[0]

    asyncio.run(run())
