from gossamer.model import Url
from gossamer.proxy.figures import Figures, Stage


def test_the_record_has_everybody_who_is_at_it() -> None:
    figures = Figures(connections=3)
    one = figures.enter("anna", "GET", Url("http://a.test/1"))
    two = figures.enter("anna", "GET", Url("http://b.test/2"))
    three = figures.enter("bert", "POST", Url("http://a.test/3"))
    one.waits()
    two.waits()
    two.goes(Stage.ASKING)
    figures.leave(three, 200, "server")
    figures.leave(None, 400, "ourselves")
    record = figures.record("127.0.0.1:1", {"hits": 2}, intercepts=False)
    assert record["clients"] == [{"client": "anna", "requests": 2, "waiting": 1}]
    assert record["hosts"] == [
        {"host": "a.test", "requests": 1, "waiting": 1},
        {"host": "b.test", "requests": 1, "waiting": 0},
    ]
    assert record["answers"] == {"server": 1, "ourselves": 1}
    assert record["statuses"] == {"200": 1, "400": 1}
    assert record["stages"] == {"waiting": 1, "asking": 1}
    assert [each["url"] for each in record["requests"]] == ["http://a.test/1", "http://b.test/2"]
    assert record["cache"] == {"hits": 2}


def test_a_wait_is_over_when_the_turn_comes() -> None:
    entry = Figures().enter("anna", "GET", Url("http://a.test/1"))
    assert entry.waited.total_seconds() == 0
    entry.waits()
    entry.goes(Stage.ASKING)
    assert entry.waited == entry.waited
