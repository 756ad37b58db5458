from collections import Counter

from tests.report.pages import rule_page, schema

from gossamer.report.facts import MOST_OF_A_KIND, page_facts
from gossamer.report.finding import FactKind, PageFact


def facts(*things: object, more: str = "") -> list[PageFact]:
    return [*page_facts(rule_page(*things, more=more))]


def test_what_is_compared_of_a_page() -> None:
    lamp = schema(
        "Product",
        **{"@id": "http://a.test/#it", "name": "A  lamp", "gtin13": "4006381 333931"},
        image="/lamp.jpg",
        sameAs="http://b.test/lamp",
    )
    head = '<link rel="canonical" href="/lamp"><link rel="alternate" hreflang="DE" href="/de">'
    told = {(each.kind, each.subject, each.value) for each in facts(lamp, more=head)}
    assert told == {
        (FactKind.CANONICAL, "http://a.test/", "http://a.test/lamp"),
        (FactKind.HREFLANG, "de", "http://a.test/de"),
        (FactKind.ENTITY, "http://a.test/#it", "Product"),
        (FactKind.KEY, "http://a.test/#it", "gtin:4006381333931"),
        (FactKind.IMAGE, "http://a.test/#it", "http://a.test/lamp.jpg"),
        (FactKind.SAME_AS, "http://a.test/#it", "http://b.test/lamp"),
        (FactKind.USES, "Product", "gtin13 image name sameAs"),
    }


def test_a_page_gives_so_many_facts_of_each_kind_whatever_it_says() -> None:
    many = [f"/{nth}.jpg" for nth in range(3_000)]
    things = [schema("Person", **{"@id": f"#{nth}"}, sameAs="x") for nth in range(300)]
    counts = Counter(each.kind for each in facts(schema("Product", image=many), *things))
    assert max(counts.values()) == MOST_OF_A_KIND
