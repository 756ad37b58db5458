import pytest

from gossamer.index.graph.messages import (
    ASKS,
    BEGINS,
    ENDS,
    REPLIES,
    REQUESTS,
    Ask,
    Begin,
    End,
    Reply,
    Request,
)
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.index.graph.query import GraphExport, GraphQuery, QueryLimits
from gossamer.processes.wire import WireError


def test_everything_that_is_said_arrives_as_it_was() -> None:
    pages = (PageGraphs("http://a.test/", b"\x00", b"f"), PageGraphs("x", None, b"", drop=True))
    for request in (Request("replace", pages), Request("snapshot", max_age=0.5), Request("close")):
        assert REQUESTS.loads(REQUESTS.dumps(request)) == request
    refused = (PageRefused("http://a.test/", "No."),)
    for reply in (Reply(refused), Reply(counts=GraphCounts(1, 2, 3)), Reply(fault="Full.")):
        assert REPLIES.loads(REPLIES.dumps(reply)) == reply
    for ask in (
        Ask("1", GraphQuery("ASK {}", ("json", "xml"), QueryLimits(rows=5))),
        Ask("1", export=GraphExport("trig", "g")),
    ):
        assert ASKS.loads(ASKS.dumps(ask)) == ask
    assert BEGINS.loads(BEGINS.dumps(Begin("csv"))) == Begin("csv")
    assert ENDS.loads(ENDS.dumps(End(3, cut=True))) == End(3, cut=True)


def test_a_request_that_there_is_not_cannot_be_read() -> None:
    good = REQUESTS.dumps(Request("flush"))
    with pytest.raises(WireError):
        REQUESTS.loads(good.replace(b"flush", b"erase"))
