import pytest
from tests.index.made_pages import page, url
from tests.index.server.gate import Gate, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.index.graph.pages import PageChanged, PageRefused
from gossamer.index.server.address import Server
from gossamer.index.server.process import ORDERS, REPLIES, Order, Reply, ServerWriter


def test_orders_are_followed(oxigraph: Oxigraph) -> None:
    scribe = ServerWriter()
    assert scribe.reply(Order("open", Server(oxigraph.url))) == Reply()
    assert scribe.reply(Order("replace", pages=(page(1),))) == Reply()
    changed = scribe.reply(Order("replace", pages=(page(1, size=0),), compare=True)).changed
    assert changed == (PageChanged(url(1), 0, 11),)


@pytest.mark.parametrize(("status", "away"), [(503, True), (404, False)])
def test_a_fault_tells_whether_to_try_again(status: int, away: bool) -> None:
    with Gate() as gate:
        gate.rule = always(status)
        reply = ServerWriter().reply(Order("open", Server(gate.url)))
    assert str(status) in (reply.fault or "")
    assert reply.away is away


def test_orders_and_replies_arrive_as_they_were_sent() -> None:
    server = Server("http://a.test/", user="me", password="ö", timeout=1.5)
    for order in (Order("open", server, writing=False), Order("replace", pages=(page(1),))):
        assert ORDERS.loads(ORDERS.dumps(order)) == order
    reply = Reply((PageRefused("a", "b"),), (PageChanged("a", 1, 2),), "fault", away=True)
    assert REPLIES.loads(REPLIES.dumps(reply)) == reply
