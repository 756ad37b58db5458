import json
from pathlib import Path

import pytest
from tests.site_report.sites import checked, html, ld

from gossamer.errors import DataFolderError
from gossamer.report.finding import Finding, Severity
from gossamer.site_report.check import check_site
from gossamer.site_report.store import CheckedPage, ReportStore

A = "http://a.test/"
LAMP = {"@type": "Product", "@id": f"{A}#it", "name": "Lamp", "sameAs": "http://b.test/"}
FINDING = Finding(
    "Odd.", Severity.ERROR, 3, "_:b1", "Mend.", "price", A, "https://schema.org/price", "a.html"
)


@pytest.fixture
def store(tmp_path: Path) -> ReportStore:
    return ReportStore.open(tmp_path / "report.db")


def test_findings_come_back_as_they_were(store: ReportStore) -> None:
    store.take([CheckedPage(A, [FINDING, Finding("Odd.")], [])])
    store.take([CheckedPage(A, [FINDING], [])])
    ((url, findings, uses),) = store.pages()
    assert (url, findings, uses) == (A, [FINDING], {})
    assert store.hosts() == [("a.test", 1)]


def test_a_page_is_known_in_one_state_and_by_one_mark(store: ReportStore) -> None:
    store.take([CheckedPage(A, [], [], "place", "mark")])
    assert store.is_known(A, "place", "mark")
    assert not store.is_known(A, "other", "mark")
    assert not store.is_known(A, "place", "other")


def test_pages_are_compared_again_when_there_are_more(store: ReportStore) -> None:
    store.take([checked(A, html(ld(LAMP)))])
    assert check_site(store) == []
    assert not store.is_stale
    store.answered([("http://b.test/", 404)])
    assert [each.rule for each in check_site(store)] == ["same-as"]
    store.drop([A])
    assert check_site(store) == []


def test_what_is_forgotten_is_nowhere(store: ReportStore, tmp_path: Path) -> None:
    store.take([checked(A, html(ld(LAMP))), checked("http://kept.test/", html())])
    store.answered([(A, 200), ("http://kept.test/", 200)])
    store.lists("http://a.test/map.xml", [A])
    store.keep_robots("http://a.test", b"User-agent: *\nDisallow: /secret")
    assert store.forget(host="a.test") == 2
    store.compact()
    store.close()
    left = b"".join(each.read_bytes() for each in tmp_path.glob("report.db*"))
    assert b"kept.test" in left
    assert b"a.test" not in left
    assert b"secret" not in left


def test_links_that_nobody_has_asked_for_are_listed(store: ReportStore) -> None:
    pictures = {"@type": "Product", "@id": A, "image": [f"{A}1.jpg", f"{A}2.jpg"], "sameAs": "x"}
    store.take([checked(A, html(ld(pictures, LAMP)))])
    store.answered([(f"{A}1.jpg", 200)])
    assert store.unanswered(10) == [f"{A}2.jpg", f"{A}x", "http://b.test/"]
    assert store.unanswered(1) == [f"{A}2.jpg"]


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "report.db").write_text(json.dumps("no database, but long enough to be one") * 50)
    with pytest.raises(DataFolderError):
        ReportStore.open(tmp_path / "report.db")
