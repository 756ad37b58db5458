from tests.index.made_pages import page

from gossamer.index.pages import PageChanged, PageRefused
from gossamer.index.server.address import Server
from gossamer.index.server.messages import ORDERS, REPLIES, Order, Reply


def test_orders_and_replies_arrive_as_they_were_sent() -> None:
    server = Server("http://a.test/", user="me", password="ö", timeout=1.5)
    for order in (Order("open", server, writing=False), Order("replace", pages=(page(1),))):
        assert ORDERS.loads(ORDERS.dumps(order)) == order
    reply = Reply((PageRefused("a", "b"),), (PageChanged("a", 1, 2),), "fault", away=True)
    assert REPLIES.loads(REPLIES.dumps(reply)) == reply
