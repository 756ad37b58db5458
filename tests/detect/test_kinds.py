import pytest

from gossamer.detect.kinds import MEDIA_TYPES, NOTATIONS, Family, family_of, in_words


@pytest.mark.parametrize(
    ("media_type", "family"),
    [
        ("text/html", Family.HTML),
        ("application/xhtml+xml", Family.HTML),
        ("text/xml", Family.XML),
        ("image/svg+xml", Family.XML),
        ("application/rss+xml", Family.XML),
        ("application/json", Family.JSON),
        ("application/vc+ld+json", Family.JSON),
        ("text/n3", Family.NOTATION),
        ("image/png", Family.OPAQUE),
        ("text/css", Family.OPAQUE),
        ("application/x-javascript", Family.OPAQUE),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", Family.OPAQUE),
        ("text/csv", Family.UNKNOWN),
        ("", Family.UNKNOWN),
    ],
)
def test_a_media_type_asks_for_a_kind_of_reading(media_type: str, family: Family) -> None:
    assert family_of(media_type) is family


@pytest.mark.parametrize(
    ("media_type", "words"),
    [
        ("image/webp", "an image"),
        ("image/svg+xml", None),
        ("video/mp4", "a video"),
        ("audio/ogg", "sound"),
        ("font/woff2", "a font"),
        ("application/pdf", "a PDF"),
        ("application/vnd.ms-excel", "an office document"),
        ("application/x-tar", "an archive"),
        ("application/wasm", "a program"),
        ("text/javascript", "a script"),
        ("application/octet-stream", None),
    ],
)
def test_what_holds_nothing_for_us_has_a_name(media_type: str, words: str | None) -> None:
    assert in_words(media_type) == words


def test_each_notation_is_known_by_its_own_type() -> None:
    for syntax, media_type in MEDIA_TYPES.items():
        assert NOTATIONS[media_type] is syntax
