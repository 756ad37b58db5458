"""Parameters that change nothing, in a whole crawl: learned, put off or left out, and dropped where they matter."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.crawl.crawls import Crawled, hurried
from tests.crawl.sites import Answering, Sent, Site, crawled_site

from gossamer.config import Config, Crawl, Urls
from gossamer.events import ParameterLearned, ParameterMatters
from gossamer.frontier.protocol import Ended

A = "http://a.test/"
ITEMS = 7
ODD = 7  # the one item whose session matters, where one does
Mode = Literal["off", "last", "drop"]


def shop(*, odd: bool = False) -> Answering:
    """A shop that hands each visitor of each page a session, and sorts its goods as one likes."""

    def answer(url: str, _: Mapping[str, str]) -> Sent | None:
        parts = urlsplit(url)
        if parts.path == "/robots.txt":
            return None
        given = parse_qs(parts.query)
        number = int(parts.path.removeprefix("/") or 0)
        session = given.get("sid", ["0"])[0]
        said = f"{session} for you" if odd and number == ODD else "for all"
        words = " ".join(f"word{number * each % 89}" for each in range(1, 40))
        links = "".join(
            f'<a href="/{other}?sid={number * 31 + other * 7 + 1}&sort={way}">{other}</a>'
            for other in range(1, ITEMS + 1)
            for way in ("up", "down")
        )
        return Sent(f"<title>Item {number} {said}</title><p>{words} {said}</p>{links}")

    return answer


def config(mode: Mode) -> Config:
    # What comes next is decided when a page is settled, as where there is a delay: nothing is learned sooner.
    return replace(
        hurried(scope="host", crawl=Crawl(workers=1, strategy="best", depth=2)),
        urls=Urls(learned=mode),
    )


def crawled(folder: Path, mode: Mode, *, odd: bool = False) -> tuple[Crawled, Site]:
    return crawled_site(folder, shop(odd=odd), [A], config(mode))


def items(site: Site) -> Counter[str]:
    """How often each item was asked for, at whatever address."""
    return Counter(urlsplit(url).path for url in site.pages_asked)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawled, Site]:
    return crawled(tmp_path_factory.mktemp("off"), "off")


def test_last_asks_for_all_there_is_at_the_depth_where_it_is(
    tmp_path: Path, everything: tuple[Crawled, Site]
) -> None:
    done, site = crawled(tmp_path, "last")
    before, asked = everything
    assert sorted(site.asked) == sorted(asked.asked)
    assert {url: page.depth for url, page in done.pages.items()} == {
        url: page.depth for url, page in before.pages.items()
    }
    learned = {event.parameter for event in done.events if isinstance(event, ParameterLearned)}
    assert learned == {"sid", "sort"}


def test_drop_leaves_out_what_brings_nothing_new(
    tmp_path: Path, everything: tuple[Crawled, Site]
) -> None:
    done, site = crawled(tmp_path, "drop")
    assert set(items(site)) == set(items(everything[1]))  # no page is lost
    useless = len(everything[1].pages_asked) - ITEMS - 1
    left = len(site.pages_asked) - ITEMS - 1
    assert left <= 0.2 * useless
    aside = [page for page in done.pages.values() if page.state == "aside"]
    assert aside
    assert all((page.why or "").startswith("learned-parameter: ") for page in aside)


@pytest.mark.parametrize("mode", ["last", "drop"])
def test_a_site_whose_parameters_matter_on_one_page_loses_nothing(
    tmp_path: Path, mode: Mode
) -> None:
    done, site = crawled(tmp_path, mode, odd=True)
    assert items(site).keys() == {f"/{number or ''}" for number in range(ITEMS + 1)}
    if mode == "last":
        told = [event for event in done.events if isinstance(event, ParameterMatters)]
        assert {event.parameter for event in told} <= {"sid", "sort"}
        expected = {url for url, page in done.pages.items() if page.ended is Ended.CONTENT}
        assert len(expected) == len(site.pages_asked)
        odd = {url for url in site.pages_asked if urlsplit(url).path == f"/{ODD}"}
        assert len(odd) > ITEMS  # every session of it
