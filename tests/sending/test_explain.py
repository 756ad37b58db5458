import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.polite_world import HURRIED, politely

from gossamer.config import Config, Crawl, Scope, Urls
from gossamer.model import Url
from gossamer.politeness.outcome import Answered
from gossamer.sending.client import PoliteClient
from gossamer.sending.explain import Explanation, explain


def explained(folder: Path, text: str, config: Config | None = None) -> Explanation:
    explanation, _, _ = politely(
        folder,
        lambda client: explain(client, text, config or Config()),
        politeness=replace(HURRIED, delay=timedelta(milliseconds=100)),
    )
    return explanation


def test_every_part_says_its_word(tmp_path: Path) -> None:
    record = explained(tmp_path, "HTTP://WWW.site0.test:80/private/./x#top").record()
    assert json.loads(json.dumps(record)) == record
    assert record["url"] == "http://www.site0.test/private/x"
    assert record["host"] == "www.site0.test"
    assert record["origin"] == "http://www.site0.test"
    assert record["site"] == "site0.test"
    assert record["scope"] == {"kind": "host", "seeds": 0, "refused": None}
    assert record["trap"] is None
    assert record["budget"] == {"pages": 100_000, "pages_per_linking_site": 10_000}
    assert record["order"] == {"strategy": "breadth", "weight": 0, "rules": []}


def test_the_form_that_was_asked_for_is_explained_and_told(tmp_path: Path) -> None:
    url = "http://www.site0.test/private/x;jsessionid=1?b=1&utm_a=2&a"
    assert explained(tmp_path, url).record()["form"] is None
    config = Config(urls=Urls(drop_parameters=("utm_*",), drop_session_parameters=True))
    record = explained(tmp_path, url, config).record()
    assert record["url"] == "http://www.site0.test/private/x?b=1&a"
    assert record["form"] == {"dropped": ["jsessionid", "utm_a"], "sorted": False}
    ordered = explained(tmp_path, url, Config(urls=Urls(sort_query=True))).record()
    assert ordered["form"] == {"dropped": [], "sorted": True}
    assert explained(tmp_path, "http://www.site0.test/", config).record()["form"] is None


def test_the_strategy_and_the_rules_that_match_are_named(tmp_path: Path) -> None:
    rules = {"/private/": 1500, "site0": -200, "/news/": 90}
    config = Config(crawl=Crawl(strategy="depth", priority=rules))
    record = explained(tmp_path, "http://www.site0.test/private/x", config).record()
    found = [
        {"expression": "/private/", "weight": 1500},
        {"expression": "site0", "weight": -200},
    ]
    assert record["order"] == {"strategy": "depth", "weight": 1300, "rules": found}


def test_what_speaks_against_the_host_is_told(tmp_path: Path) -> None:
    url = Url("http://www.site0.test/page/1")

    async def after_a_failure(client: PoliteClient) -> Explanation:
        assert (await explain(client, url, Config())).record()["trouble"] is None
        go = client.ledger.go("www.site0.test", client.now(), client.now())
        assert go is not None
        client.ledger.finish(go[0], client.now(), timedelta(0), Answered(500, url=url))
        return await explain(client, url, Config())

    explanation, _, _ = politely(tmp_path, after_a_failure, politeness=HURRIED)
    assert explanation.record()["trouble"] == (
        "a failure, which is forgiven: only a page may be broken"
    )


def test_the_group_and_line_that_decide_are_named(tmp_path: Path) -> None:
    robots = explained(tmp_path, "http://www.site0.test/private/x").record()["robots"]
    assert isinstance(robots, dict)
    assert (robots["allowed"], robots["group"], robots["group_line"]) == (False, "*", 2)
    assert (robots["line"], robots["text"]) == (3, "Disallow: /private/")
    assert robots["sitemaps"] == ["http://www.site0.test/sitemap.xml"]


def test_the_delay_names_its_source(tmp_path: Path) -> None:
    record = explained(tmp_path, "http://data.site2.test/").record()
    delay = record["delay"]
    assert isinstance(delay, dict)
    assert (delay["seconds"], delay["source"]) == (0.5, "Crawl-delay, line 4")


def test_traps_and_expressions_are_named(tmp_path: Path) -> None:
    config = Config(scope=Scope(exclude=("calendar",)))
    record = explained(tmp_path, "http://www.site0.test/calendar/2931/01", config).record()
    scope, trap = record["scope"], record["trap"]
    assert isinstance(scope, dict)
    assert scope["refused"]["rule"] == "scope-exclude"
    assert isinstance(trap, dict)
    assert trap["rule"] == "trap-calendar"


def test_with_the_seeds_of_a_crawl_the_scope_is_judged(tmp_path: Path) -> None:
    seeds = [Url("http://data.site2.test/")]

    def scope(text: str) -> object:
        explanation, _, _ = politely(
            tmp_path, lambda client: explain(client, text, Config(), seeds), politeness=HURRIED
        )
        return explanation.record()["scope"]

    near, far = scope("http://data.site2.test/1"), scope("http://www.site0.test/")
    assert near == {"kind": "host", "seeds": 1, "refused": None}
    assert isinstance(far, dict)
    assert far["refused"]["rule"] == "scope-host"


def test_what_is_no_url_has_a_verdict_all_the_same(tmp_path: Path) -> None:
    explanation = explained(tmp_path, "javascript:alert(1)")
    assert explanation.url is None
    record = explanation.record()
    assert record["robots"] is None
    verdict = record["verdict"]
    assert isinstance(verdict, dict)
    assert verdict["retryAfter"] == -1
