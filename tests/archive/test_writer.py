import asyncio
import gzip
import os
import random
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.archive import endless
from tests.archive.endless import BATCH, numbered
from tests.archive.exchanges import (
    HTML,
    URL,
    answers,
    archive_in,
    exchanges,
    fetched,
    names,
    seen_by_fastwarc,
    seen_by_warcio,
    warcs,
)
from tests.fetch.servers import AGENT, QUICK, answered, answering, ask
from tests.slowness import patience

from gossamer.archive.exchange import ArchivePlace, Exchange, Profile
from gossamer.config import Fetch
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.errors import ArchiveError, ArchiveFullError
from gossamer.fetch.http import HttpFetcher
from gossamer.model import BodyState, Fetched
from gossamer.reading.extraction import extract_page
from gossamer.reading.jobs import PageJob


def test_nothing_written_makes_no_file(tmp_path: Path) -> None:
    with archive_in(tmp_path / "archive") as archive:
        assert archive.write([]) == []
    assert names(tmp_path / "archive") == []


def test_a_file_begins_with_what_it_is(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        archive.write(exchanges(b"body"))
    (path,) = warcs(tmp_path)
    info, response, request = seen_by_warcio(path)
    assert (info.kind, response.kind, request.kind) == ("warcinfo", "response", "request")
    assert info.fields["WARC-Filename"] == path.name
    assert b"software: gossamer/" in info.body
    assert b"http-header-user-agent: gossamer/0\r\n" in info.body
    assert response.fields["WARC-Warcinfo-ID"] == info.fields["WARC-Record-ID"]
    assert response.fields["WARC-IP-Address"] == "192.0.2.1"
    assert response.fields["WARC-Date"] == "2026-01-01T12:00:00.000000Z"


texts = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=20)
pages = st.builds(
    fetched,
    st.binary(max_size=400),
    headers=st.lists(
        st.tuples(st.from_regex(r"[A-Za-z-]{1,12}", fullmatch=True), texts.map(str.strip)),
        max_size=5,
    ).map(tuple),
    status=st.integers(200, 599),
    body_state=st.sampled_from(BodyState),
    http_version=st.sampled_from(["1.0", "1.1", "2"]),
)


@settings(max_examples=50)
@given(st.lists(pages, min_size=1, max_size=4))
def test_others_read_all_that_was_written_and_find_the_digests_right(
    tmp_path_factory: pytest.TempPathFactory, batch: list[Fetched]
) -> None:
    folder = tmp_path_factory.mktemp("read")
    with archive_in(folder) as archive:
        places = archive.write([Exchange(page) for page in batch])
        for page, place in zip(batch, places, strict=True):
            kept = archive.read(place)
            assert (kept.headers, kept.body, kept.status) == (page.headers, page.body, page.status)
    (path,) = warcs(folder)
    seen = seen_by_warcio(path)
    assert [each.body for each in seen if each.kind == "response"] == [page.body for page in batch]
    fast = seen_by_fastwarc(path)
    assert len(fast) == len(seen) == 1 + 2 * len(batch)
    assert all(right for *_, right in fast)
    assert [place.offset for place in places] == [offset for _, offset, _ in fast][1::2]


def test_a_body_of_any_size_comes_back(tmp_path: Path) -> None:
    large = os.urandom(3_000_000)
    with archive_in(tmp_path) as archive:
        (place,) = archive.write(exchanges(large))
        assert archive.read(place).body == large
    (path,) = warcs(tmp_path)
    assert answers(seen_by_warcio(path)) == {"http://site.test/0": large}


def test_revisits_refer_to_the_answer_that_holds_the_body(tmp_path: Path) -> None:
    first = fetched(b"body", headers=(*HTML, ("ETag", '"1"')))
    with archive_in(tmp_path) as archive:
        (place,) = archive.write([Exchange(first)])
        again = [
            Exchange(fetched(b"", status=304), place),
            Exchange(fetched(b"body"), place),
            Exchange(fetched(b"other"), place),
        ]
        places = archive.write(again)
    assert places[:2] == [place, place]
    assert places[2] != place
    (path,) = warcs(tmp_path)
    seen = [each for each in seen_by_warcio(path) if each.kind in ("response", "revisit")]
    assert [each.kind for each in seen] == ["response", "revisit", "revisit", "response"]
    assert [each.fields["WARC-Profile"] for each in seen[1:3]] == [
        Profile.NOT_MODIFIED,
        Profile.IDENTICAL,
    ]
    for each in seen[1:3]:
        assert each.fields["WARC-Refers-To-Target-URI"] == URL
        assert each.fields["WARC-Refers-To-Date"] == seen[0].fields["WARC-Date"]
        assert each.fields["WARC-Refers-To"] == seen[0].fields["WARC-Record-ID"]
        assert each.fields["WARC-Payload-Digest"] == seen[0].fields["WARC-Payload-Digest"]
        assert each.body == b""


def test_where_the_earlier_answer_is_gone_this_one_is_kept_whole(tmp_path: Path) -> None:
    lost = ArchivePlace("gossamer-lost.warc.gz", 0, 10)
    with archive_in(tmp_path) as archive:
        (place,) = archive.write([Exchange(fetched(b"body"), lost)])
        assert archive.read(place).body == b"body"
        (unchanged,) = archive.write([Exchange(fetched(b"", status=304), lost)])
        assert (archive.read(unchanged).status, archive.read(unchanged).revisit) == (304, None)


def test_files_are_rotated_by_size_between_batches(tmp_path: Path) -> None:
    with archive_in(tmp_path, max_file_bytes=4000) as archive:
        for _ in range(6):
            archive.write(exchanges(os.urandom(500), os.urandom(500)))
    sizes = [path.stat().st_size for path in warcs(tmp_path)]
    assert len(sizes) == 3
    assert all(4000 <= size < 4000 + 3000 for size in sizes)
    assert all(seen_by_warcio(path)[0].kind == "warcinfo" for path in warcs(tmp_path))


def test_two_writers_never_share_a_file(tmp_path: Path) -> None:
    with archive_in(tmp_path) as one, archive_in(tmp_path) as two, archive_in(tmp_path) as three:
        for archive in (one, two, three, one, two):
            archive.write(exchanges(b"body"))
    assert len(warcs(tmp_path)) == 3
    assert names(tmp_path) == [path.name for path in warcs(tmp_path)]


def test_a_full_disk_is_one_error_after_which_the_crawl_can_go_on(tmp_path: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    archive = archive_in(tmp_path)
    places = archive.write(exchanges(b"zero"))
    batch = exchanges(os.urandom(3000), os.urandom(3000))
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, usual[1]))
    try:
        for _ in range(3):
            with pytest.raises(ArchiveFullError, match="make room, and go on"):
                archive.write(batch)
            assert [len(seen_by_warcio(path)) for path in warcs(tmp_path)] == [3, 1]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    places += archive.write(batch)
    archive.close()
    assert [len(seen_by_warcio(path)) for path in warcs(tmp_path)] == [3, 5]
    assert [archive.read(place).body[:4] for place in places] == [
        b"zero",
        *(each.fetched.body[:4] for each in batch),
    ]


def test_where_files_may_not_grow_so_large_the_next_is_begun(tmp_path: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    archive, places = archive_in(tmp_path), list[ArchivePlace]()
    batches = [exchanges(os.urandom(3000)) for _ in range(3)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, usual[1]))
    try:
        for batch in batches:
            places += archive.write(batch)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    archive.close()
    assert [len(seen_by_warcio(path)) for path in warcs(tmp_path)] == [3, 3, 3]
    bodies = [each.fetched.body for batch in batches for each in batch]
    assert [archive.read(place).body for place in places] == bodies
    assert names(tmp_path) == [path.name for path in warcs(tmp_path)]


def test_a_disk_too_full_to_begin_a_file_keeps_none(tmp_path: Path) -> None:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    archive = archive_in(tmp_path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, usual[1]))
    try:
        with pytest.raises(ArchiveFullError):
            archive.write(exchanges(b"zero"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert names(tmp_path) == []
    archive.write(exchanges(b"zero"))
    archive.close()
    assert len(warcs(tmp_path)) == 1


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArchiveError, match="file/archive"):
        archive_in(tmp_path / "file" / "archive")


def test_forgetting_ends_the_file_at_hand_first(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        zero, one = archive.write(exchanges(b"zero", b"one"))
        (done,) = archive.forget(lambda url: url.endswith("/0"))
        assert archive.read(done.moved[one]).body == b"one"
        assert zero not in done.moved
        assert list(archive.unfinished()) == []
        archive.write(exchanges(b"zero"))
    assert len(warcs(tmp_path)) == 2


def test_kill_9_at_any_moment_loses_nothing_that_was_reported(
    tmp_path: Path, full_size: bool
) -> None:
    chance, reported, number = random.Random(), dict[int, ArchivePlace](), 0
    for _ in range(300 if full_size else 12):
        places = killed_writer(tmp_path, number, chance)
        reported |= enumerate(places, number)
        number += len(places) + BATCH  # the batch at hand may be there or not
        with archive_in(tmp_path) as archive:
            assert not any(each.left_alone for each in archive.mended)
            assert names(tmp_path) == [path.name for path in warcs(tmp_path)]
    for page, place in reported.items():
        kept, wanted = archive.read(place), numbered(page).fetched
        assert (kept.url, kept.body) == (wanted.url, wanted.body)
    assert all(seen_by_warcio(path) for path in warcs(tmp_path))


def killed_writer(folder: Path, number: int, chance: random.Random) -> list[ArchivePlace]:
    """What a writer reported before it was killed, somewhere in the middle of its work."""
    command = [sys.executable, str(Path(endless.__file__)), str(folder), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(chance.randrange(1, 6))]
        if chance.random() < 0.7:
            while_writing(folder)
        else:  # anywhere in the next batch, which takes some tens of milliseconds
            select.select([], [], [], chance.random() * 0.1)
        os.kill(writer.pid, signal.SIGKILL)
        said += writer.stdout.readlines()
    whole = [line for line in said if line.endswith(b"\n")]
    return [ArchivePlace.parse(text) for line in whole for text in line.decode().split()]


def while_writing(folder: Path) -> None:
    """Return as soon as more bytes are in the folder than a moment ago."""
    before = total_bytes(folder)
    for _ in range(100_000):
        if total_bytes(folder) > before:
            return


def total_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in warcs(folder))


WORLD = World(seed=3, pages=25, hosts=3)


def test_the_archive_of_live_pages_gives_the_quads_of_the_live_pages(tmp_path: Path) -> None:
    with DemoServer(WORLD) as web:
        live = asyncio.run(visited(web.connect_to))
    page = b'<title>A page</title><p vocab="http://v.test/" typeof="T"><b property="p">o</b>'
    packed = gzip.compress(page)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
    coded = answered(ask(answering(head, b"Transfer-Encoding: chunked\r\n\r\n", chunked)))
    assert coded.body == packed
    with archive_in(tmp_path) as archive:
        archive.write([Exchange(each) for each in [*live, coded]])
    (path,) = warcs(tmp_path)
    seen_by_warcio(path)
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "extract", str(path)],
        capture_output=True,
        timeout=patience(60),
        check=True,
    )
    wanted = [line for each in [*live, coded] for line in quads_of(each)]
    assert len(wanted) > WORLD.pages
    assert sorted(done.stdout.splitlines()) == sorted(wanted)


async def visited(connect_to: str) -> list[Fetched]:
    settings = Fetch(connect_to=(connect_to,), total_timeout=QUICK.total_timeout)
    async with HttpFetcher(settings, AGENT) as http:
        urls = [WORLD.page(number).url for number in range(WORLD.pages)]
        return [answered(await http.get(url)) for url in urls]


def quads_of(page: Fetched) -> list[bytes]:
    content_type = page.header("content-type")
    job = PageJob(page.url, page.body, content_type, page.content_encoding)
    return extract_page(job).nquads.splitlines()
