"""A whole site with planted mistakes: those of pages in all syntaxes, and those that only a crawl can see."""

from typing import NamedTuple

from tests.report.planted import planted_pages
from tests.site_report.sites import html, ld

HOST = "http://planted.test"
LAMP = {"@type": "Product", "name": "Lamp", "sku": "x", "offers": {"@type": "Offer", "price": 1}}
SHOP = {"@type": "Organization", "@id": f"{HOST}/#shop", "name": "The Lamp Works"}


class PlantedOnSite(NamedTuple):
    """A mistake where it stands; without a line where it is about a page as a whole."""

    rule: str
    page: str
    line: int | None


def _line_of(text: str, marker: str) -> int:
    return text.count("\n", 0, text.index(marker)) + 1


def planted_site() -> tuple[dict[str, str], list[PlantedOnSite]]:
    """Pages by address, robots.txt and a sitemap among them; and all mistakes."""
    pages: dict[str, str] = {}
    mistakes: list[PlantedOnSite] = []
    for nth, (text, planted) in enumerate(planted_pages()):
        url = f"{HOST}/page/{chr(97 + nth)}"
        pages[url] = text
        mistakes += [PlantedOnSite(each.rule, url, each.line) for each in planted]

    def put(path: str, text: str, *planted: tuple[str, str | None]) -> None:
        url = f"{HOST}{path}"
        pages[url] = text
        mistakes.extend(
            PlantedOnSite(rule, url, None if marker is None else _line_of(text, marker))
            for rule, marker in planted
        )

    # One @id for two things; one organisation under two.
    put("/about", html(ld(SHOP)))
    put("/jobs", html(ld({**SHOP, "@type": "Event"})), ("two-things", f'"{SHOP["@id"]}"'))
    again = f"{HOST}/imprint#shop"
    put("/imprint", html(ld({**SHOP, "@id": again})), ("two-ids", again))
    # Prices that differ between syntaxes, and from what people see.
    micro = '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b>\n<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="7.77"></div></div>'
    put("/two-prices", html(ld(LAMP), micro), ("price-mismatch", '"price": 1'))
    shown = {**LAMP, "offers": {"@type": "Offer", "price": "5.55"}}
    put("/shown-price", html(ld(shown), "<p>Only € 6.66 today"), ("price-mismatch", "5.55"))
    # Pictures and breadcrumbs that are gone or blocked, sameAs that is dead.
    broken = {**LAMP, "image": f"{HOST}/gone.jpg"}
    put("/broken", html(ld(broken), '<a href="/gone.jpg">x</a>'), ("broken-link", "gone.jpg"))
    hidden = {**LAMP, "image": f"{HOST}/private/lamp.jpg"}
    put("/blocked", html(ld(hidden)), ("blocked", "private/lamp.jpg"))
    dead = {"@type": "Person", "@id": f"{HOST}/ada", "sameAs": f"{HOST}/gone/ada"}
    put("/ada", html(ld(dead), '<a href="/gone/ada">x</a>'), ("same-as", "/gone/ada"))
    # Heads that say something else than the data.
    noindex = '<meta name="robots" content="noindex">'
    put("/noindex", html(ld(LAMP), head=noindex), ("noindex", noindex))
    canonical = f'<link rel="canonical" href="{HOST}/canonical">'
    other = {**LAMP, "url": f"{HOST}/other"}
    put("/canonical", html(ld(other), head=canonical), ("canonical", f"{HOST}/other"))
    lost = '<link rel="canonical" href="/gone/canonical"><a href="/gone/canonical">x</a>'
    put("/lost", html(head=lost), ("canonical", None))
    german = '<link rel="alternate" hreflang="de" href="/german">'
    put(
        "/german",
        html(ld({"@type": "Article", "inLanguage": "en"}), head=german),
        ("hreflang-language", '"inLanguage"'),
    )
    alternate = '<link rel="alternate" hreflang="en" href="/english">'
    put("/french", html(head=alternate), ("hreflang", None))
    put("/english", html())
    # A licence for everybody, and a reservation.
    free = {**LAMP, "@type": "Dataset", "license": "https://creativecommons.org/licenses/by/4.0/"}
    free = {name: value for name, value in free.items() if name not in ("offers", "sku")}
    reserved = '<meta name="tdm-reservation" content="1">'
    put("/rights", html(ld(free), head=reserved), ("usage-rights", "tdm-reservation"))
    # Pages of one template, some of which lack what the others have.
    for nth in range(20):
        # 1 is without an offer, 2 without anything.
        lamp = {name: value for name, value in LAMP.items() if nth != 1 or name != "offers"}
        put(f"/lamp/{nth}", html("<p>Sold out" if nth == 2 else ld({**lamp, "name": f"L{nth}"})))
    mistakes += [
        PlantedOnSite("coverage", f"{HOST}/lamp/1", None),  # no offers
        PlantedOnSite("template", f"{HOST}/lamp/1", None),  # no Offer
        PlantedOnSite("template", f"{HOST}/lamp/2", None),  # no Product
    ]
    listed = "".join(f"<url><loc>{HOST}{path}</loc></url>" for path in ("/about", "/gone/listed"))
    pages[f"{HOST}/robots.txt"] = (
        f"User-agent: *\nDisallow: /private/\nSitemap: {HOST}/sitemap.xml\n"
    )
    pages[f"{HOST}/sitemap.xml"] = f"<urlset>{listed}</urlset>"
    mistakes.append(PlantedOnSite("sitemap", f"{HOST}/sitemap.xml", None))
    links = "".join(f'<a href="{url}">x</a>\n' for url in pages if "." not in url[len(HOST) :])
    pages[f"{HOST}/"] = html(links)
    return pages, mistakes
