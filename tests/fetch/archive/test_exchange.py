from gossamer.fetch.archive.exchange import Archived, Exchange, Profile
from gossamer.model import BodyState, Url

from .exchanges import NOON, fetched


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
