import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.archive.place import ArchivePlace

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}\.warc\.gz", fullmatch=True)
numbers = st.integers(0, 10**18 - 1)


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
