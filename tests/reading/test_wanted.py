from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest
from tests.fetch.answers import answer

from gossamer.config import Transform
from gossamer.detect import detect
from gossamer.errors import ConfigError
from gossamer.model import Syntax
from gossamer.reading import wanted as wanted_module
from gossamer.reading.wanted import (
    is_package,
    media_types,
    wanted,
    wanted_syntaxes,
    worth_downloading,
)
from gossamer.transform.plugins import Plugins
from gossamer.values import Addresses

OPTIONS = Transform()
NO_PLUGINS = Plugins([])
READ = [
    "text/html",
    "application/xhtml+xml",
    "image/svg+xml",
    "text/xml",
    "application/rss+xml",
    "application/json",
    "application/ld+json",
    "text/turtle",
    "application/n-triples",
    "text/n3",
    "text/plain",
    "text/csv",
    "application/octet-stream",
    "binary/octet-stream",
    "application/vnd.apple.installer+xml",
    "model/gltf+json",
    "x/y",
]
LEFT = [
    "image/png",
    "image/x-icon",
    "video/mp4",
    "audio/mpeg",
    "font/woff2",
    "application/font-woff",
    "application/zip",
    "application/x-gzip",
    "application/x-7z-compressed",
    "application/vnd.ms-excel",
    "application/x-debian-package",
    "application/x-shockwave-flash",
    "text/css",
    "text/javascript",
    "application/wasm",
]


class Pictures:
    """A plug-in for pictures."""

    media_types = ("image/*", "Application/X-ISO9660-Image")

    @staticmethod
    def statements(document: object) -> Iterable[str]:
        return []


def takes(content_type: str, options: Transform = OPTIONS, plugins: Plugins = NO_PLUGINS) -> bool:
    head = answer(200, ("Content-Type", content_type))
    return worth_downloading(options, plugins)(head)


@pytest.mark.parametrize("media_type", READ)
def test_what_may_hold_something_is_downloaded(media_type: str) -> None:
    assert takes(media_type)


@pytest.mark.parametrize("media_type", LEFT)
def test_what_holds_nothing_is_not_downloaded(media_type: str) -> None:
    assert not takes(media_type)


def test_a_pdf_is_downloaded_where_its_reader_is_and_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert takes("application/pdf")
    assert takes("application/x-pdf", Transform(only=("pdf",)))
    assert not takes("application/pdf", Transform(only=("rdfa",)))
    monkeypatch.setattr(wanted_module, "is_readable", lambda: False)
    assert not takes("application/pdf")


@pytest.mark.parametrize("media_type", LEFT)
def test_nothing_that_is_left_would_have_been_read(media_type: str) -> None:
    assert detect(b"\0\1\2 binary", "http://site.test/", media_type).skipped


@pytest.mark.parametrize("media_type", LEFT)
def test_what_a_service_of_the_user_reads_is_downloaded(media_type: str) -> None:
    service = "http://127.0.0.1:9000/"
    assert takes(media_type, replace(OPTIONS, services={media_type: Addresses(service)}))
    everything = f"{media_type.partition('/')[0]}/*"
    assert takes(media_type, replace(OPTIONS, services={everything: Addresses(service)}))


def test_what_a_plug_in_reads_is_downloaded() -> None:
    name = f"{__name__}:Pictures"
    plugins = Plugins([EntryPoint("pictures", name, "gossamer.transforms")])
    assert plugins.problems == []
    assert takes("image/png", plugins=plugins)
    assert takes("application/x-iso9660-image", plugins=plugins)
    assert not takes("video/mp4", plugins=plugins)


def test_no_words_ask_for_everything_and_none_for_nothing() -> None:
    assert wanted_syntaxes([]) is None
    assert wanted_syntaxes(["none"]) == frozenset()
    assert wanted_syntaxes(["rdfa", "json-ld"]) == frozenset({Syntax.RDFA, Syntax.JSON_LD})


def test_a_word_that_is_none_of_them_is_told_all_of_them() -> None:
    with pytest.raises(ConfigError, match="--only: 'rfda' is no syntax; did you mean 'rdfa'"):
        wanted_syntaxes(["rfda"])


def is_image(media_type: str) -> bool:
    return media_type.startswith("image/")


def is_taken(*content_types: str, status: int = 200, length: int | None = None) -> bool:
    headers = [("Content-Type", each) for each in content_types]
    headers += [("Content-Length", str(length))] if length is not None else []
    return wanted(answer(status, *headers), is_image)


def test_what_holds_nothing_is_left_and_all_else_is_taken() -> None:
    assert not is_taken("image/png")
    assert not is_taken("IMAGE/PNG; q=1")
    assert is_taken("text/html; charset=utf-8")
    assert is_taken("application/x-never-heard-of")


@pytest.mark.parametrize("vague", ["", "html", ";charset=utf-8", "  ", ","])
def test_what_has_no_type_is_taken(vague: str) -> None:
    assert is_taken(vague)
    assert is_taken()


def test_where_several_types_are_named_one_that_may_hold_something_is_enough() -> None:
    assert is_taken("image/png", "text/html")
    assert is_taken("image/png, text/html")
    assert not is_taken("image/png", "image/gif;x=y,image/png")


@pytest.mark.parametrize("status", [301, 404, 410, 500])
def test_the_type_of_an_answer_that_is_not_read_does_not_matter(status: int) -> None:
    assert is_taken("image/png", status=status)


def test_the_size_of_a_page_is_for_the_limits_to_judge() -> None:
    assert is_taken("text/html", length=10**12)


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
