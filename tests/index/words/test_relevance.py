"""Relevance over the judged collection of the demo web stays as good as it was, and as the peer's."""

from pathlib import Path

from bench.text_cases import relevance

from gossamer.demo.judged import JudgedQuery, judged_pages, judged_queries


def test_the_right_pages_come_first(tmp_path: Path) -> None:
    figures = relevance.measured(tmp_path)
    assert figures["ndcg"] > 0.98
    assert figures["ndcg"] > figures["fts5_ndcg"] - 0.01


def test_every_judgement_is_about_a_page_and_every_query_has_an_answer() -> None:
    pages, queries = judged_pages(), judged_queries()
    assert len({query.text for query in queries}) == len(queries) == 48
    for query in queries:
        assert max(query.grades.values()) == 3
        assert query.grades.keys() <= pages.keys()


def test_gain_is_discounted_by_rank() -> None:
    query = JudgedQuery("x", {"a": 3, "b": 1})
    assert relevance.ndcg(["a", "b"], query) == relevance.ndcg(["a", "a", "b"], query) == 1
    assert 0.6 < relevance.ndcg(["c", "a", "b"], query) < 0.7
    assert relevance.ndcg([], query) == 0
