import gzip
import json
import zipfile
from pathlib import Path

import pytest
from tests.archive.exchanges import NOON, archive_in, fetched
from tests.cli.conftest import Gossamer

from gossamer.archive.exchange import Exchange

GZIP = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))


@pytest.fixture(autouse=True)
def archive(small_crawl: object, tmp_path: Path) -> None:
    with archive_in(tmp_path / "gossamer-data" / "archive") as writer:
        packed = gzip.compress(b"<p>packed")
        (first,) = writer.write([Exchange(fetched(b"<p>one", "http://a.test/one"))])
        writer.write([Exchange(fetched(packed, "http://a.test/packed", headers=GZIP))])
        writer.write([Exchange(fetched(b"<p>b", "http://b.test/"))])
        later = NOON.replace(day=2)
        again = fetched(b"<p>one", "http://a.test/one", started_at=later)
        writer.write([Exchange(again, first)])


def test_answers_are_listed_by_page_and_by_host(here: Gossamer) -> None:
    told = here("archive", "list", "--host", "a.test")
    assert told.returncode == 0
    assert told.stdout.count("http://a.test/") == 3
    assert "as before" in told.stdout
    assert "b.test" not in told.stdout
    lines = here("archive", "list", "a.test/one", "--json").stdout.splitlines()
    first, second = (json.loads(line) for line in lines)
    assert first["at"] < second["at"]
    assert second["refers"] == {"url": first["url"], "at": first["at"]}
    assert len(here("archive", "list", "--limit", "1", "--json").stdout.splitlines()) == 1


def test_a_page_is_printed_as_it_was(here: Gossamer, tmp_path: Path) -> None:
    assert here("archive", "get", "http://a.test/packed").stdout == "<p>packed"
    assert here("archive", "get", "a.test/one").stdout == "<p>one"  # the last answer is a revisit
    told = here("archive", "get", "http://a.test/one", "--at", "2026-01-01T23:00Z", "--headers")
    assert told.stdout.splitlines()[:2] == ["HTTP/1.1 200 OK", "Content-Type: text/html"]
    assert "2026-01-01 12:00:00 UTC" in told.stderr
    here("archive", "get", "http://a.test/packed", "--raw", "-o", "raw")
    assert (tmp_path / "raw").read_bytes().startswith(b"\x1f\x8b")


def test_a_package_and_one_index_are_written(here: Gossamer, tmp_path: Path) -> None:
    told = here("archive", "wacz", "-o", "a.wacz", "--host", "A.test")
    assert (told.returncode, told.stdout) == (0, "")
    assert "a.wacz: 3 answers with 2 pages" in told.stderr
    with zipfile.ZipFile(tmp_path / "a.wacz") as packed:
        assert packed.testzip() is None
    here("archive", "index", "-o", "all.cdxj")
    lines = (tmp_path / "all.cdxj").read_text().splitlines()
    assert [line.split(" ")[0] for line in lines] == [
        "test,a)/one",
        "test,a)/one",
        "test,a)/packed",
        "test,b)/",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("list", "--host", "c.test"), "no answer of c.test"),
        (("get", "http://c.test/"), "no answer of http://c.test/"),
        (("get", "http://a.test/one", "--at", "2025-01-01"), "no answer of http://a.test/one"),
        (("get", "http://a.test/one", "--at", "yesterday"), "--at: 'yesterday' is neither an age"),
        (("wacz", "-o", "c.wacz", "--host", "c.test"), "no answer of c.test"),
        (("wacz", "-o", "none/c.wacz"), "cannot be written"),
        (("list", "--data", "nowhere"), "There is no crawl in"),
    ],
)
def test_what_is_not_there_is_a_sentence(
    here: Gossamer, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    told = here("archive", *words)
    assert told.returncode != 0
    assert sentence in told.stderr
    assert not [*tmp_path.glob("*.wacz")]
