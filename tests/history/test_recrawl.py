"""Two crawls of a shop: what their summaries count, and what commands, Python and status say has changed."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.history.shop import HOSTILE, SHOP, crawl_on, crawl_twice
from tests.in_process import gossamer, run_here

import gossamer as package
from gossamer.config import KeptHistory
from gossamer.crawl.progress import Summary
from gossamer.errors import GossamerError


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summary, Summary]:
    folder = tmp_path_factory.mktemp("shop") / "data"
    return (folder, *crawl_twice(folder))


@pytest.fixture
def folder(crawled: tuple[Path, Summary, Summary]) -> str:
    return str(crawled[0])


def test_pages_are_counted_by_what_they_say(crawled: tuple[Path, Summary, Summary]) -> None:
    _, first, second = crawled
    assert first.changes["new"] == 5
    assert not first.changes["changed"] + first.changes["unchanged"] + first.changes["gone"]
    assert dict(second.changes) == {
        "new": 1,
        "changed": 1,
        "unchanged": 2,
        "gone": 1,
        "failed": 1,
        "unchanged_with_other_bytes": 1,
        "unchanged_with_other_text": 1,
        "changed_with_same_text": 1,
    }


def test_changes_are_told_by_entity_with_before_and_after(folder: str) -> None:
    found = json.loads(gossamer("changes", "--json", "--data", folder))
    assert {(each["label"], each["kind"]) for each in found} == {
        ("Tea", "changed"),
        (HOSTILE, "new"),
        ("Cup", "gone"),
    }
    (tea,) = (each for each in found if each["label"] == "Tea")
    assert tea["page"] == f"{SHOP}/tea"
    price = {"property": "http://schema.org/price", "path": "offers.price", "type": "literal"}
    assert tea["added"] == [{**price, "value": "12.50"}]
    assert tea["removed"] == [{**price, "value": "10.00"}]
    assert found[0]["at"] >= found[-1]["at"]  # the latest first
    lines = gossamer("changes", "--to", "jsonl", "--data", folder).splitlines()
    assert [json.loads(line) for line in lines] == found


def test_changes_can_be_selected(folder: str) -> None:
    def labels(*words: str) -> list[str]:
        found = json.loads(gossamer("changes", "--json", "--data", folder, *words))
        return sorted(each["label"] for each in found)

    assert labels("--kind", "new") == [HOSTILE]
    assert labels("--type", "Product", "--property", "price") == ["Cup", HOSTILE, "Tea"]
    assert labels("--type", "Thing") == ["Cup", HOSTILE, "Tea"]
    assert labels("--type", "Person") == []
    assert labels("--property", "brand") == []
    assert labels("--page", "http://shop.test/cup") == ["Cup"]
    assert labels("--host", "other.test") == []
    assert labels("--until", "1h") == []
    assert len(labels("--since", "1h", "--limit", "2")) == 2


def test_a_table_and_csv_have_before_and_after_side_by_side(folder: str) -> None:
    assert "offers.price: 10.00 → 12.50" in gossamer("changes", "--data", folder)
    rows = [*csv.DictReader(io.StringIO(gossamer("changes", "--to", "csv", "--data", folder)))]
    (tea,) = (row for row in rows if row["label"] == "Tea")
    assert (tea["property"], tea["before"], tea["after"]) == ("offers.price", "10.00", "12.50")
    assert {row["before"] for row in rows if row["kind"] == "new"} == {""}


def test_where_nothing_has_changed_people_are_told_since_when(folder: str, tmp_path: Path) -> None:
    done = run_here("changes", "--type", "Person", "--data", folder)
    assert done.stdout == ""
    assert "Nothing that was asked for has changed. 5 pages are known" in done.stderr
    assert gossamer("changes", "--type", "Person", "--json", "--data", folder) == "[]\n"
    done = run_here("changes", "--since", "yesteryear", "--data", folder)
    assert done.returncode == 2
    assert "neither an age such as 7d" in done.stderr
    done = run_here("changes", "--data", str(tmp_path / "none"))
    assert "There is no crawl in" in done.stderr


def test_python_has_the_same(folder: str) -> None:
    with package.open(folder) as data:
        found = data.changes(since="1h", type="Product", property="price")
        assert {(row["label"], row["before"], row["after"]) for row in found} == {
            ("Tea", "10.00", "12.50"),
            (HOSTILE, None, "20.00"),
            ("Cup", "3.00", None),
        }
        assert len(found.records) == 3
        assert data.changes(limit=1).cut
        with pytest.raises(GossamerError, match="neither an age"):
            data.changes(since="soon")


def test_a_folder_without_a_history_begins_one_with_what_is_archived(tmp_path: Path) -> None:
    folder = str(tmp_path)
    crawl_on(0, tmp_path, history=KeptHistory(keep=timedelta(0)))
    assert "There is no history" in run_here("changes", "--data", folder).stderr
    gossamer("rebuild", "--data", folder)
    told = run_here("changes", "--data", folder).stderr
    assert "Nothing has changed. 5 pages are known" in told
    crawl_on(1, tmp_path)
    found = json.loads(gossamer("changes", "--json", "--data", folder))
    assert {(each["label"], each["kind"]) for each in found} == {
        ("Tea", "changed"),
        (HOSTILE, "new"),
        ("Cup", "gone"),
    }


def test_two_copies_of_a_page_are_compared(folder: str) -> None:
    found = json.loads(gossamer("diff", f"{SHOP}/tea", "--json", "--data", folder))
    (tea,) = found["changes"]
    assert (tea["label"], tea["kind"]) == ("Tea", "changed")
    assert [said["value"] for said in tea["removed"] + tea["added"]] == ["10.00", "12.50"]
    assert found["from"] < found["to"] == tea["at"]
    assert "offers.price: 10.00 → 12.50" in gossamer("diff", f"{SHOP}/tea", "--data", folder)
    (cup,) = json.loads(gossamer("diff", f"{SHOP}/cup", "--json", "--data", folder))["changes"]
    assert (cup["label"], cup["kind"]) == ("Cup", "gone")
    same = run_here("diff", f"{SHOP}/tea", "--from", "0s", "--data", folder)
    assert "The page says the same at both moments." in same.stderr


def test_a_page_without_two_copies_is_told_why(folder: str) -> None:
    for words, why in (
        ((f"{SHOP}/nowhere",), "The archive has no copy of"),
        ((f"{SHOP}/tea", "--from", "7d"), "The first copy of"),
        ((f"{SHOP}/tea", "--to", "soon"), "neither an age such as 7d"),
    ):
        done = run_here("diff", *words, "--data", folder)
        assert done.returncode
        assert why in done.stderr


def canonical(nquads: str) -> set[str]:
    dataset = ox.Dataset(ox.parse(nquads, ox.RdfFormat.N_QUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, dataset))


def test_the_graph_is_exported_as_it_was(tmp_path: Path) -> None:
    folder = str(tmp_path)
    crawl_on(0, tmp_path)
    then, moment = gossamer("export", "--no-fetches", "--data", folder), datetime.now(UTC)
    crawl_on(1, tmp_path)
    now = gossamer("export", "--no-fetches", "--data", folder)
    assert canonical(then) != canonical(now)
    was = gossamer("export", "--as-of", moment.isoformat(), "--data", folder)
    assert canonical(was) == canonical(then)
    file = tmp_path / "now.nq"
    gossamer("export", "--as-of", "0s", "-o", str(file), "--data", folder)
    assert canonical(file.read_text()) == canonical(now)
    done = run_here("export", "--as-of", "9d", "-o", str(tmp_path / "no.nq"), "--data", folder)
    assert "no page that said anything by" in done.stderr
    assert not (tmp_path / "no.nq").exists()
    done = run_here("export", "--as-of", "1d", "--to", "turtle", "--data", folder)
    assert "--as-of writes N-Quads of all pages" in done.stderr


def test_status_tells_what_the_last_crawl_found(folder: str) -> None:
    record = json.loads(gossamer("status", "--json", "--data", folder))["changes"]
    assert (record["new"], record["changed"], record["gone"]) == (1, 1, 1)
    assert record["ended_at"] >= record["started_at"]
    said = gossamer("status", "--data", folder)
    assert "against the visit before: 1 new, 1 changed, 2 unchanged, 1 gone, 1 failed" in said
