import pytest
from tests.fetch.answers import answer

from gossamer.fetch.wanted import is_package, media_types, wanted


def is_image(media_type: str) -> bool:
    return media_type.startswith("image/")


def takes(*content_types: str, status: int = 200, length: int | None = None) -> bool:
    headers = [("Content-Type", each) for each in content_types]
    headers += [("Content-Length", str(length))] if length is not None else []
    return wanted(answer(status, *headers), is_image)


def test_what_holds_nothing_is_left_and_all_else_is_taken() -> None:
    assert not takes("image/png")
    assert not takes("IMAGE/PNG; q=1")
    assert takes("text/html; charset=utf-8")
    assert takes("application/x-never-heard-of")


@pytest.mark.parametrize("vague", ["", "html", ";charset=utf-8", "  ", ","])
def test_what_has_no_type_is_taken(vague: str) -> None:
    assert takes(vague)
    assert takes()


def test_where_several_types_are_named_one_that_may_hold_something_is_enough() -> None:
    assert takes("image/png", "text/html")
    assert takes("image/png, text/html")
    assert not takes("image/png", "image/gif;x=y,image/png")


@pytest.mark.parametrize("status", [301, 404, 410, 500])
def test_the_type_of_an_answer_that_is_not_read_does_not_matter(status: int) -> None:
    assert takes("image/png", status=status)


def test_the_size_of_a_page_is_for_the_limits_to_judge() -> None:
    assert takes("text/html", length=10**12)


def test_all_types_are_read_from_the_headers() -> None:
    head = answer(200, ("Content-Type", "Text/HTML; a=b"), ("content-type", "x, image/png ;c"))
    assert media_types(head) == ("text/html", "image/png")


@pytest.mark.parametrize(
    "media_type",
    ["application/x-debian-package", "application/x-iso9660-image", "application/x-bittorrent", "model/stl"],
)  # fmt: skip
def test_what_is_installed_run_or_viewed_is_a_package(media_type: str) -> None:
    assert is_package(media_type)


@pytest.mark.parametrize(
    "media_type",
    ["application/octet-stream", "application/debug", "application/x-ndjson", "text/csv", "application/hdt"],
)  # fmt: skip
def test_what_could_be_read_is_none(media_type: str) -> None:
    assert not is_package(media_type)
