import pytest
from tests.index.made_pages import page, url
from tests.index.server.gate import Gate, always
from tests.index.server.oxigraph import Oxigraph

from gossamer.index.pages import PageChanged
from gossamer.index.server.address import Server
from gossamer.index.server.messages import Order, Reply
from gossamer.index.server.process import Scribe


def test_orders_are_followed(oxigraph: Oxigraph) -> None:
    scribe = Scribe()
    assert scribe.reply(Order("open", Server(oxigraph.url))) == Reply()
    assert scribe.reply(Order("replace", pages=(page(1),))) == Reply()
    changed = scribe.reply(Order("replace", pages=(page(1, size=0),), compare=True)).changed
    assert changed == (PageChanged(url(1), 0, 11),)


@pytest.mark.parametrize(("status", "away"), [(503, True), (404, False)])
def test_a_fault_tells_whether_to_try_again(status: int, away: bool) -> None:
    with Gate() as gate:
        gate.rule = always(status)
        reply = Scribe().reply(Order("open", Server(gate.url)))
    assert str(status) in (reply.fault or "")
    assert reply.away is away
