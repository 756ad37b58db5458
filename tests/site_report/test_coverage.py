from pathlib import Path

from tests.site_report.sites import found, html, ld

A = "http://a.test/"
LAMP = {"@type": "Product", "name": "Lamp", "sku": "x", "offers": {"@type": "Offer", "price": 1}}


def product(nth: int) -> str:
    return html(ld({**LAMP, "name": f"Lamp {nth}"}))


def test_what_some_pages_of_a_template_lack_is_counted(tmp_path: Path) -> None:
    pages = {f"{A}lamp/{nth}": product(nth) for nth in range(100)}
    for nth in (7, 8, 9):
        pages[f"{A}lamp/{nth}"] = html(ld({"@type": "Product", "name": "Lamp", "sku": "x"}))
    pages[f"{A}lamp/50"] = html("<p>sold out")
    told = {(each.rule, each.message) for each in found(tmp_path, pages)}
    assert told == {
        ("template", "1 of 100 pages like a.test/lamp/# have no Product, and all others have."),
        ("template", "4 of 100 pages like a.test/lamp/# have no Offer, and all others have."),
        ("coverage", "3 of 99 pages like a.test/lamp/# with a Product have no offers."),
    }


def test_few_pages_and_what_only_some_have_are_not_compared(tmp_path: Path) -> None:
    few = {f"{A}lamp/{nth}": product(nth) for nth in range(5)}
    half = {f"{A}half/{nth}": product(nth) if nth % 2 else html() for nth in range(40)}
    rated = {"@type": "AggregateRating", "ratingValue": 4, "reviewCount": 3}
    most = {
        f"{A}x/{nth}": html(ld({**LAMP, **({"aggregateRating": rated} if nth else {})}))
        for nth in range(40)
    }
    rules = {(each.rule, each.message) for each in found(tmp_path, {**few, **half, **most})}
    assert {rule for rule, _ in rules} == {"template"}  # of AggregateRating
