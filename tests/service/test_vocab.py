"""What there is to ask, over REST."""

from tests.service.running import Client


def test_classes_and_properties_come_the_commonest_first(ask: Client) -> None:
    found = ask("/api/vocab").json
    counts = [met["count"] for met in found["properties"]]
    assert counts == sorted(counts, reverse=True)
    assert found["class_count"] >= len(found["classes"]) > 3
    assert "schema:Person" in [met["name"] for met in found["classes"]]
    assert ask("/sparql", query=found["query"]).status == 200
    assert found["prefixes"]["schema"] == "http://schema.org/"


def test_a_limit_shows_fewer_and_counts_all(ask: Client) -> None:
    few, all_ = ask("/api/vocab", limit=2).json, ask("/api/vocab").json
    assert few["classes"] == all_["classes"][:2]
    assert few["class_count"] == all_["class_count"]
