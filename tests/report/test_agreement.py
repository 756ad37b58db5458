"""Our tables say what pySHACL says of the same shapes: all of 2,000 things at full size."""

import pyoxigraph as ox
from tests.conftest import IS_FULL_SIZE
from tests.report.agreement import (
    Disagreement,
    features,
    hierarchy_of,
    ours_by_profiles,
    profile_shapes,
    pyshacl_says,
    random_profile_things,
    random_things,
    schema_shapes,
)

import gossamer
from gossamer.report.page import RulePage
from gossamer.report.schema_shape import wrong_domains, wrong_ranges

THINGS = 1_000 if IS_FULL_SIZE else 25  # of each sort
TOGETHER = 25  # in one graph: shapes of many properties cost pySHACL more than many things


def ours_by_tables(triples: str) -> set[Disagreement]:
    """What our rules find: the thing that has the property, or the value of it."""
    read = gossamer.extract(
        triples, url="http://a.test/page.nt", content_type="application/n-triples"
    )
    page = RulePage(read)
    found = {
        Disagreement(each.entity or "", f"urn:domain:{each.message.rpartition('no ')[2][:-1]}")
        for each in wrong_domains(page)
    }
    values = {
        (quad.subject.value, quad.predicate.value.rpartition("/")[2]): quad.object.value
        for quad in ox.parse(triples, ox.RdfFormat.N_TRIPLES)
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
    }
    for each in wrong_ranges(page):
        name = each.message.partition(" ")[0]
        found.add(Disagreement(values[each.entity or "", name], f"urn:range:{name}"))
    return found


def test_domains_and_ranges_agree_with_pyshacl() -> None:
    things = [*random_things(1, THINGS)]
    count = 0
    for start in range(0, THINGS, TOGETHER):
        lot = things[start : start + TOGETHER]
        triples = "".join(text for text, _, _ in lot)
        shapes = schema_shapes(sorted(set().union(*(names for _, _, names in lot))))
        hierarchy = hierarchy_of(sorted(set().union(*(kinds for _, kinds, _ in lot))))
        ours = ours_by_tables(triples)
        assert ours == pyshacl_says(triples, shapes, hierarchy)
        count += len(ours)
    assert count > THINGS / 2  # there was something to agree on


def test_profiles_agree_with_pyshacl() -> None:
    wanted = features()
    shapes = profile_shapes(wanted)
    things = [*random_profile_things(2, THINGS)]
    count = 0
    for start in range(0, THINGS, TOGETHER):
        triples = "".join(things[start : start + TOGETHER])
        ours = ours_by_profiles(triples, wanted)
        assert ours == pyshacl_says(triples, shapes, "")
        count += len(ours)
    assert count > THINGS
