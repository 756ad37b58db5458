from email.utils import parsedate_to_datetime

from hypothesis import given
from hypothesis import strategies as st
from tests.demo.formats.reading import URL

from gossamer.demo.content import Anchor, Format, PageSpec
from gossamer.demo.formats.feeds import entries, moment


@given(st.integers(min_value=0), st.integers(0, 5_000))
def test_both_spellings_name_one_moment(number: int, index: int) -> None:
    written = moment(number, index)
    assert f"{parsedate_to_datetime(written.rfc822):%Y-%m-%dT%H:%M:%SZ}" == written.rfc3339


@given(st.integers(min_value=0), st.integers(0, 100))
def test_the_first_entry_is_the_newest(number: int, index: int) -> None:
    assert moment(number, index).rfc3339 > moment(number, index + 1).rfc3339


def test_a_link_that_leads_nowhere_is_no_entry() -> None:
    anchors = (Anchor("http://[", "nowhere"), Anchor("/there", "there"))
    listed = entries(PageSpec(URL, 1, Format.RSS, "utf-8", anchors))
    assert [entry.title for entry in listed] == ["there"]
