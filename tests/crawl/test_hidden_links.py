"""Links in scripts and forms: followed only if asked for, on the same site, and counted by what they yield."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.frontier.hidden import HiddenWay, HiddenYield

A = "http://a.test/"
DATA = '<meta property="og:title" content="Data">'
PAGES: Pages = {
    f"{A}robots.txt": Sent("User-agent: *\nDisallow: /private"),
    A: Sent(
        """<a href="/known">k</a><div data-href="/attribute">x</div><p onclick="go('/clicked')">y</p>
        <div data-url="/private/attribute"></div><div data-url="http://b.test/elsewhere"></div>
        <script id="__NEXT_DATA__" type="application/json">{"a": ["/json", "/known", "/x.png"]}</script>
        <form action="/find"><select name="kind"><option>map<option>globe</select>
        <input type="checkbox" name="old"></form>
        <form action="/cart"><select name="n"><option>1<option>2</select></form>"""
    ),
    f"{A}known": "<title>k</title>",
    f"{A}attribute": f"{DATA}<title>a</title>",
    f"{A}clicked": "<title>c</title>",
    f"{A}json": f"{DATA}<title>j</title>",
    f"{A}find?kind=map": f"{DATA}<title>m</title>",
    f"{A}find?kind=globe": "<title>g</title>",
    f"{A}find?kind=map&old=on": "<title>o</title>",
}


def config(*, hidden: bool, forms: int) -> Config:
    plain = hurried()
    return replace(plain, crawl=replace(plain.crawl, hidden_links=hidden, forms=forms))


def asked(folder: Path, *, hidden: bool = False, forms: int = 0) -> list[str]:
    _, site = crawled_site(folder, PAGES, [A], config(hidden=hidden, forms=forms))
    return [url.removeprefix(A) for url in site.pages_asked]


def test_nothing_hidden_is_followed_unless_asked_for(tmp_path: Path) -> None:
    assert asked(tmp_path) == ["", "known"]


def test_addresses_for_scripts_are_followed_last_on_the_same_site_within_robots(
    tmp_path: Path,
) -> None:
    found = asked(tmp_path, hidden=True)
    assert found[:2] == ["", "known"]
    assert sorted(found[2:]) == ["attribute", "clicked", "json"]


def test_forms_of_choices_are_filled_so_many_times(tmp_path: Path) -> None:
    assert sorted(asked(tmp_path / "two", forms=2)) == [
        "",
        "find?kind=globe",
        "find?kind=map",
        "known",
    ]
    assert len(asked(tmp_path / "all", forms=50)) == 2 + 4


def test_what_they_yield_is_counted(tmp_path: Path) -> None:
    async def work(running: CrawlHandle, _: Site) -> Mapping[HiddenWay, HiddenYield]:
        await running.crawl.run()
        return running.crawl.frontier.hidden_yields()

    chosen = config(hidden=True, forms=3)
    assert on_site(tmp_path, PAGES, work, seeds=[A], config=chosen) == {
        HiddenWay.SCRIPT: HiddenYield(found=4, pages=3, with_data=3),
        HiddenWay.FORM: HiddenYield(found=3, pages=3, with_data=3),
    }
