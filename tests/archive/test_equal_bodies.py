from datetime import timedelta
from pathlib import Path

from tests.archive.exchanges import NOON, archive_in, fetched, seen_by_warcio, warcs

from gossamer.archive.equal_bodies import FEWEST_BYTES, EqualBodies
from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.reading import read_record
from gossamer.archive.states import states_of
from gossamer.model import BodyState, Url

A, B, C = "http://a.test/", "http://a.test/?sid=1", "http://b.test/"
BODY = b"<p>" + b"a body " * FEWEST_BYTES


def test_an_equal_body_at_another_url_is_written_once(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        batch = [Exchange(fetched(BODY, url=url)) for url in (A, B)]
        first, second = archive.write(batch)
        (third,) = archive.write([Exchange(fetched(BODY, url=C))])
        other = fetched(BODY, url=C, headers=(("Content-Type", "text/plain"),))
        (fourth,) = archive.write([Exchange(other)])
    assert first == second == third
    assert fourth != first  # whose headers say that it is something else
    assert read_record(tmp_path, first).body == BODY
    (path,) = warcs(tmp_path)
    assert path.stat().st_size < 2 * len(BODY)
    revisits = [each for each in seen_by_warcio(path) if each.kind == "revisit"]
    assert [each.url for each in revisits] == [B, C]
    (state,) = states_of(tmp_path, Url(B))
    assert state.place == str(first)


def test_a_page_goes_on_from_the_place_of_another(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        _, place = archive.write([Exchange(fetched(BODY, url=url)) for url in (A, B)])
        later = NOON + timedelta(days=1)
        again = Exchange(fetched(BODY, url=B, started_at=later), place)
        still = Exchange(
            fetched(b"", url=B, status=304, started_at=later + later.resolution), place
        )
        assert archive.write([again, still]) == [place, place]
    assert [state.place for state in states_of(tmp_path, Url(B))] == [str(place)] * 3


def test_what_a_file_that_is_gone_held_is_written_again(tmp_path: Path) -> None:
    with archive_in(tmp_path, max_file_bytes=1) as archive:
        (first,) = archive.write([Exchange(fetched(BODY, url=A))])
        archive.write([Exchange(fetched(b"other", url=C))])
        (tmp_path / first.file).unlink()
        (second,) = archive.write([Exchange(fetched(BODY, url=B))])
    assert read_record(tmp_path, second).url == B


def test_what_is_known_is_bounded_and_counts_when_it_is_on_disk() -> None:
    known, place = EqualBodies(most=2), ArchivePlace("1.warc.gz", 0, 1)
    pages = [fetched(BODY + bytes([number])) for number in range(3)]
    known.note(pages[0], place, "<1>")
    assert known.find(pages[0]) is not None
    known.take_back()
    assert known.find(pages[0]) is None
    for page in pages:
        known.note(page, place, "<1>")
        known.confirm()
    assert [known.find(page) is not None for page in pages] == [False, True, True]
    known.drop(place.file)
    assert known.find(pages[2]) is None
    small = fetched(b"small")
    cut = fetched(BODY, body_state=BodyState.TRUNCATED)
    for page in (small, cut):
        known.note(page, place, "<1>")
        assert known.find(page) is None
