from pathlib import Path

from tests.site_report.sites import found, html, ld

A = "http://a.test/"
LAMP = {"@type": "Product", "name": "Lamp", "image": f"{A}lamp.jpg"}
TRAIL = {
    "@type": "BreadcrumbList",
    "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Lamps", "item": f"{A}lamps"}],
}


def test_pictures_and_breadcrumbs_that_are_gone_are_told_at_their_lines(tmp_path: Path) -> None:
    answers = {f"{A}lamp.jpg": 404, f"{A}lamps": 503}
    broken = found(tmp_path, {A: html(ld(LAMP), ld(TRAIL))}, answers)
    assert [(each.rule, each.line, each.severity.value) for each in broken] == [
        ("broken-link", 10, "error"),
        ("broken-link", 22, "warning"),
    ]
    assert broken[0].message == f'The image "{A}lamp.jpg" was answered with 404.'
    assert broken[1].message == f'The breadcrumb "{A}lamps" was answered with 503.'


def test_what_nobody_has_asked_for_is_not_told(tmp_path: Path) -> None:
    assert found(tmp_path, {A: html(ld(LAMP), ld(TRAIL))}) == []


def test_data_behind_robots_txt_is_told(tmp_path: Path) -> None:
    robots = {"http://a.test": "User-agent: *\nDisallow: /lamp.jpg\nDisallow: /hidden"}
    pages = {A: html(ld(LAMP)), f"{A}hidden": html(ld(TRAIL)), f"{A}hidden/plain": html("<p>x")}
    blocked = found(tmp_path, pages, robots=robots)
    assert [(each.rule, each.page) for each in blocked] == [
        ("blocked", f"{A}hidden"),
        ("blocked", A),
    ]


def test_a_canonical_page_that_is_gone_hidden_or_says_less_is_told(tmp_path: Path) -> None:
    def page(target: str, *body: str) -> str:
        return html(*body, head=f'<link rel="canonical" href="{A}{target}">')

    pages = {
        f"{A}1": page("gone", ld(LAMP)),
        f"{A}2": page("hidden", ld(TRAIL)),
        f"{A}3": page("less", ld(LAMP)),
        f"{A}4": page("4", ld(LAMP)),
        f"{A}hidden": html(ld(TRAIL), head='<meta name="robots" content="noindex">'),
        f"{A}less": html("<p>x"),
    }
    messages = {each.page: each.message for each in found(tmp_path, pages, {f"{A}gone": 404})}
    assert messages == {
        f"{A}1": f'The canonical address "{A}gone" was answered with 404.',
        f"{A}2": f'The canonical page "{A}hidden" says noindex.',
        f"{A}3": f'The canonical page "{A}less" has no Product, which this one has.',
    }


def test_languages_that_are_not_mutual_or_say_less_are_told(tmp_path: Path) -> None:
    def page(languages: str, *body: str) -> str:
        links = (f'<link rel="alternate" hreflang="{x}" href="/{x}">' for x in languages.split())
        return html(*body, head="".join(links))

    pages = {
        f"{A}de": page("de en fr", ld(LAMP)),
        f"{A}en": page("en", ld(LAMP)),
        f"{A}fr": page("de fr"),
    }
    messages = [(each.page, each.message) for each in found(tmp_path, pages, {f"{A}it": 404})]
    assert messages == [
        (f"{A}de", f'The page in en, "{A}en", does not name this one.'),
        (f"{A}de", f'The page in fr, "{A}fr", has no Product, which this one has.'),
    ]


def test_a_sitemap_lists_what_is_to_be_found(tmp_path: Path) -> None:
    sitemap = "".join(f"<url><loc>{A}{name}</loc></url>" for name in ("ok", "gone", "hidden", "x"))
    pages = {
        f"{A}sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{sitemap}</urlset>',
        f"{A}ok": html(),
        f"{A}hidden": html(head='<meta name="robots" content="noindex">'),
        f"{A}x": html(head=f'<link rel="canonical" href="{A}ok">'),
    }
    messages = [each.message for each in found(tmp_path, pages, {f"{A}gone": 404})]
    assert messages == [
        f'The sitemap lists "{A}gone", which was answered with 404.',
        f'The sitemap lists "{A}hidden", which says noindex.',
        f'The sitemap lists "{A}x", which has another canonical address, "{A}ok".',
    ]
