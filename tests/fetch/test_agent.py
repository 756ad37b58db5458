import asyncio
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fetch.servers import AGENT, PAGE, Conversation, answered, answering, ok, serving

from gossamer.config import Politeness
from gossamer.errors import ConfigError
from gossamer.fetch.agent import accept, user_agent
from gossamer.fetch.http import HttpFetcher
from gossamer.model import Syntax

RDF = {Syntax.TURTLE, Syntax.JSON_LD, Syntax.RDF_XML, Syntax.N_TRIPLES, Syntax.N_QUADS, Syntax.TRIG}
FEEDS = {Syntax.ATOM, Syntax.RSS, Syntax.JSON_FEED}
RDF_TYPES = {
    "text/turtle",
    "application/ld+json",
    "application/rdf+xml",
    "application/n-triples",
    "application/n-quads",
    "application/trig",
}
FEED_TYPES = {"application/atom+xml", "application/rss+xml", "application/feed+json"}


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


def ranges(header: str) -> dict[str, float]:
    """Media ranges and their weights, read as RFC 9110 §12.5.1 says."""
    found = {}
    for each in header.split(", "):
        media_range, _, weight = each.partition(";q=")
        assert re.fullmatch(r"|0(\.\d{1,3})?|1(\.0{1,3})?", weight), each
        found[media_range] = float(weight or 1)
    return found


def chosen(header: str, offered: Sequence[str]) -> str | None:
    """What a server that negotiates by the book sends."""
    weights = ranges(header)
    quality = {each: weights.get(each, weights.get("*/*", 0.0)) for each in offered}
    best = max(offered, key=lambda each: quality[each])
    return best if quality[best] else None


def test_the_header_as_it_is_sent() -> None:
    assert accept(None) == (
        "text/turtle, application/ld+json;q=0.95, application/rdf+xml;q=0.9, "
        "application/n-triples;q=0.87, application/trig;q=0.86, application/n-quads;q=0.85, "
        "text/html;q=0.8, application/xhtml+xml;q=0.79, application/atom+xml;q=0.5, "
        "application/rss+xml;q=0.5, application/feed+json;q=0.4, */*;q=0.1"
    )
    assert accept(frozenset()) == "text/html;q=0.8, application/xhtml+xml;q=0.79, */*;q=0.1"
    assert accept(frozenset({Syntax.RDFA})) == accept(frozenset())


@given(st.none() | st.frozensets(st.sampled_from(Syntax)))
def test_rdf_comes_before_html_before_feeds_before_the_rest(
    wanted: frozenset[Syntax] | None,
) -> None:
    weights = ranges(accept(wanted))
    rdf, feeds = weights.keys() & RDF_TYPES, weights.keys() & FEED_TYPES
    assert len(rdf) == len(RDF if wanted is None else RDF & wanted)
    assert len(feeds) == len(FEEDS if wanted is None else FEEDS & wanted)
    assert all(weights[each] > weights["text/html"] for each in rdf)
    assert all(weights["*/*"] < weights[each] < weights["text/html"] for each in feeds)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


@pytest.mark.parametrize(
    ("offered", "wanted", "sent"),
    [
        (["text/html", "text/turtle"], None, "text/turtle"),
        (["text/html", "application/rdf+xml"], None, "application/rdf+xml"),
        (["application/rss+xml", "text/html"], None, "text/html"),
        (["application/pdf"], None, "application/pdf"),
        (["image/png", "application/xhtml+xml"], None, "application/xhtml+xml"),
        (["text/html", "text/turtle"], frozenset({Syntax.RDFA}), "text/html"),
        (["text/turtle", "application/ld+json"], frozenset({Syntax.JSON_LD}), "application/ld+json"),
        (["text/turtle", "text/html"], frozenset(), "text/html"),
    ],
)  # fmt: skip
def test_a_host_that_offers_several_forms_sends_the_one_we_can_use_best(
    offered: list[str], wanted: frozenset[Syntax] | None, sent: str
) -> None:
    async def negotiating(conversation: Conversation) -> None:
        header = re.search(rb"\r\nAccept: (.*?)\r\n", conversation.request)
        assert header
        form = chosen(header[1].decode(), offered)
        assert form
        await conversation.say(ok(b"hello", f"Content-Type: {form}".encode(), b"Vary: Accept"))

    async def run() -> None:
        async with serving(negotiating) as server, HttpFetcher(server.fetch(), AGENT) as http:
            got = answered(await http.get(PAGE, headers=[("Accept", accept(wanted))]))
            assert got.media_type == sent

    asyncio.run(run())
