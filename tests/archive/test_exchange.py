import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.archive.exchanges import NOON, fetched

from gossamer.archive.exchange import Archived, ArchivePlace, Exchange, Profile
from gossamer.model import BodyState, Url

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}\.warc\.gz", fullmatch=True)
numbers = st.integers(0, 10**18 - 1)


def test_an_archived_answer_is_asked_for_its_headers_like_any_other() -> None:
    kept = Archived(
        url=Url("http://site.test/"),
        status=200,
        headers=(("Content-Type", "Text/HTML; charset=utf-8"), ("Content-Encoding", "gzip")),
        body=b"",
        body_state=BodyState.WHOLE,
        http_version="1.1",
        address=None,
        at=NOON,
        record_id="<urn:uuid:1>",
        payload_digest="sha1:A",
    )
    assert (kept.media_type, kept.content_encoding) == ("text/html", "gzip")
    assert kept.revisit is None


def test_an_exchange_has_no_earlier_answer_unless_told() -> None:
    assert Exchange(fetched()).earlier is None


def test_the_profiles_are_those_of_warc_1_1() -> None:
    assert all(each.startswith("http://netpreserve.org/warc/1.1/revisit/") for each in Profile)


@given(st.builds(ArchivePlace, names, numbers, numbers))
def test_a_place_is_read_from_its_text(place: ArchivePlace) -> None:
    assert ArchivePlace.parse(str(place)) == place


def test_a_place_is_written_as_file_offset_and_length() -> None:
    assert str(ArchivePlace("a.warc.gz", 12, 345)) == "a.warc.gz:12:345"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.warc.gz",
        "a.warc.gz:1",
        "a.warc.gz:1:-2",
        "a.warc.gz:1:2\n",
        "a.warc.gz:\u0661:2",
        "../a.warc.gz:1:2",
        "/etc/passwd:0:10",
        "a/b.warc.gz:1:2",
        ".warc.gz:1:2",
    ],
)
def test_what_is_no_place_or_leads_out_of_the_folder_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a place"):
        ArchivePlace.parse(text)
