"""Requests of a crawl, as a server that checks signatures sees them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Sent, crawled_site
from tests.identity.verifier import Verifier

from gossamer.config import Config, Identity
from gossamer.identity.directory import directory_body
from gossamer.identity.keys import KeyRing, create, rotate
from gossamer.moments import now_utc

LINKS = "".join(f'<a href="http://{host}.test/">{host}</a>' for host in "abc")
SIGNED = replace(hurried(), identity=Identity(agent_url="https://bot.test/"))


class Gate:
    """Lets in what is signed by a folder's keys, and remembers what it refused."""

    def __init__(self, folder: Path) -> None:
        self.verifier = Verifier(lambda: directory_body(KeyRing.load(folder).published(now_utc())))
        self.refused: list[str] = []
        self.seen: list[Mapping[str, str]] = []

    def __call__(self, url: str, headers: Mapping[str, str]) -> Sent:
        self.seen.append(headers)
        why = self.verifier.refusal(url, headers)
        if why is not None:
            self.refused.append(f"{url}: {why}")
            return Sent("who are you?", 403)
        return Sent("") if url.endswith("robots.txt") else Sent(f"<title>{url}</title>{LINKS}")


def crawl(folder: Path, gate: Gate, config: Config) -> list[str]:
    _, site = crawled_site(folder, gate, ["http://a.test/"], config)
    return site.pages_asked


def test_all_requests_of_a_crawl_are_signed_each_for_its_host(tmp_path: Path) -> None:
    create(tmp_path / "identity", now_utc() - timedelta(days=2))
    gate = Gate(tmp_path / "identity")
    gate.verifier.refresh()
    assert sorted(crawl(tmp_path, gate, SIGNED)) == [f"http://{host}.test/" for host in "abc"]
    assert gate.refused == []
    assert all(each["signature-agent"] == '"https://bot.test"' for each in gate.seen)


def test_a_key_that_servers_may_not_know_yet_is_not_used(tmp_path: Path) -> None:
    folder, now = tmp_path / "identity", now_utc()
    create(folder, now - timedelta(days=9))
    gate = Gate(folder)
    gate.verifier.refresh()
    rotate(folder, now)
    assert crawl(tmp_path, gate, SIGNED)
    assert gate.refused == []


def test_the_new_key_is_used_when_servers_have_had_a_day_to_fetch_it(tmp_path: Path) -> None:
    folder, now = tmp_path / "identity", now_utc()
    (old,) = create(folder, now - timedelta(days=9)).keys
    rotate(folder, now - timedelta(hours=30))
    gate = Gate(folder)
    gate.verifier.refresh()  # with the old key and the new one
    assert crawl(tmp_path, gate, SIGNED)
    assert gate.refused == []
    assert not any(old.keyid in headers["signature-input"] for headers in gate.seen)


def test_without_an_identity_or_its_address_nothing_is_signed(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "identity")
    crawl(tmp_path, gate, SIGNED)  # no key
    create(tmp_path / "other" / "identity", now_utc())
    crawl(tmp_path / "other", gate, hurried())  # no address
    assert gate.seen
    assert not any("signature" in each for each in gate.seen)


def test_fields_that_a_site_issued_go_to_that_site_only(tmp_path: Path) -> None:
    identity = Identity(headers={"b.test": "X-Crawler-Key: 7"})
    seen: dict[str, str | None] = {}

    def answer(url: str, headers: Mapping[str, str]) -> Sent:
        seen[url] = headers.get("x-crawler-key")
        return Sent("") if url.endswith("robots.txt") else Sent(f"<title>x</title>{LINKS}")

    config = replace(hurried(), identity=identity)
    crawled_site(tmp_path, answer, ["http://a.test/"], config)
    assert {url for url, key in seen.items() if key == "7"} == {
        "http://b.test/",
        "http://b.test/robots.txt",
    }
