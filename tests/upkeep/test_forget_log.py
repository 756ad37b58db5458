import fcntl
import json
import threading
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.config import Log
from gossamer.events import NotIndexed, Refused, Started, WordsTrouble
from gossamer.log import JsonLog, read_events
from gossamer.model import Url
from gossamer.upkeep.forget import DRAFT, Target, forget_lines, mentions

HOST = Target("a.test")
PAGE = Target("a.test", Url("http://a.test/x?q=1"))


def line(**fields: object) -> bytes:
    return json.dumps({"at": "2026-01-02", "event": "refused", **fields}).encode()


@pytest.mark.parametrize(
    "text",
    [
        "a.test",
        "http://a.test/",
        "https://A.test:8443/x",
        "a.test:443",
        "The words of http://a.test/x.",
        "it is (a.test)",
        "a.test.",
    ],
)
def test_a_line_that_names_the_host_is_about_it(text: str) -> None:
    assert mentions([HOST])(line(why=text))


@pytest.mark.parametrize(
    "text", ["b.a.test", "a.test.org", "aa.test", "a-test", "xa.test", "a.tests"]
)
def test_a_line_about_a_host_with_a_longer_name_is_not(text: str) -> None:
    assert not mentions([HOST])(line(why=f"http://{text}/"))


@pytest.mark.parametrize(
    ("text", "is_about"),
    [
        ("http://a.test/x?q=1", True),
        ("http://a.test/x?q=1: it is too long", True),
        ("http://a.test/x?", True),  # as the log has it without its query
        ("http://a.test/x?q=12", False),
        ("http://a.test/x", False),
        ("http://a.test/", False),
        ("a.test", False),
    ],
)
def test_a_page_is_named_as_a_whole(text: str, is_about: bool) -> None:
    assert mentions([PAGE])(line(url=text)) is is_about


def test_a_torn_line_is_looked_through_as_it_is() -> None:
    assert mentions([HOST])(b'{"at": "2026", "url": "http://a.test/secr')
    assert not mentions([HOST])(b'{"at": "2026", "url": "http://b.test/secr')


def refused(url: str) -> Refused:
    return Refused(url=url, rule="scope", why="It is not of this crawl.")


def test_what_the_user_did_stays_and_what_came_of_it_goes(tmp_path: Path) -> None:
    with closing(JsonLog(tmp_path, Log())) as log:
        log(Started(command="crawl", agent="gossamer (+http://a.test/me)", version="1"))
        log(refused("http://a.test/x"))
        log(refused("http://b.test/x"))
        log(NotIndexed(url="http://b.test/y", why="It says too much of http://a.test/z."))
        log(WordsTrouble(message="http://a.test/z cannot be read."))
    with closing(JsonLog(tmp_path / "proxy", Log())) as log:
        log(refused("http://a.test/proxied"))
    (tmp_path / "crawl.txt").write_text("a.test is parked\nb.test is parked\n")
    (tmp_path / f"000001.jsonl{DRAFT}").write_text("http://a.test/ of one who was stopped")
    assert forget_lines(tmp_path, [HOST]) == 5
    assert [each["event"] for each in read_events(tmp_path)] == ["started", "refused"]
    assert list(read_events(tmp_path / "proxy")) == []
    assert (tmp_path / "crawl.txt").read_text() == "b.test is parked\n"
    assert not list(tmp_path.rglob(f"*{DRAFT}"))
    assert forget_lines(tmp_path, [HOST]) == 0
    assert forget_lines(tmp_path / "nothing", [HOST]) == 0


def test_a_log_that_is_open_goes_on_in_the_new_file(tmp_path: Path) -> None:
    with closing(JsonLog(tmp_path, Log())) as log:
        log(refused("http://a.test/x"))
        log(refused("http://b.test/1"))
        assert forget_lines(tmp_path, [HOST]) == 1
        log(refused("http://b.test/2"))
    assert [each["url"] for each in read_events(tmp_path)] == ["http://b.test/1", "http://b.test/2"]


def test_whoever_writes_waits_while_a_file_is_written_anew(tmp_path: Path) -> None:
    with closing(JsonLog(tmp_path, Log())) as log:
        log(refused("http://b.test/1"))
        with (tmp_path / "000001.jsonl").open("rb") as old:
            fcntl.flock(old.fileno(), fcntl.LOCK_EX)
            writing = threading.Thread(target=log, args=(refused("http://b.test/2"),))
            writing.start()
            draft = tmp_path / "draft"
            draft.write_bytes(old.read())
            draft.replace(tmp_path / "000001.jsonl")
        writing.join()
    assert len(list(read_events(tmp_path))) == 2
