from tests.service.running import Client

from gossamer.proxy.access_log import Figures
from gossamer.service.monitoring import families


def test_where_no_proxy_runs_there_is_nothing_to_tell(ask: Client) -> None:
    assert ask("/api/proxy").json == {"proxy": None}


def test_the_sums_of_a_proxy_are_among_the_metrics(ask: Client) -> None:
    figures = Figures(tunnels=2)
    figures.leave(None, 400, "ourselves")
    status = ask("/api/status").json
    text = "".join(families(status, [], figures.record("here", {"hits": 5}, intercepts=True)))
    assert 'gossamer_proxy_answers_total{by="ourselves"} 1' in text
    assert "gossamer_proxy_tunnels_total 2" in text
    assert 'gossamer_proxy_cache{what="hits"} 5' in text
