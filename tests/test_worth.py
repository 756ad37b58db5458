from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest
from tests.fetch.answers import answer

from gossamer.config import Transform
from gossamer.detect import detect
from gossamer.transform.plugins import Plugins
from gossamer.worth import worth_downloading

OPTIONS = Transform()
NO_PLUGINS = Plugins([])


class Pictures:
    """A plug-in for pictures."""

    media_types = ("image/*", "Application/X-ISO9660-Image")

    @staticmethod
    def statements(document: object) -> Iterable[str]:
        return []


def takes(content_type: str, options: Transform = OPTIONS, plugins: Plugins = NO_PLUGINS) -> bool:
    head = answer(200, ("Content-Type", content_type))
    return worth_downloading(options, plugins)(head)


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
    "application/pdf",
    "application/vnd.ms-excel",
    "application/x-debian-package",
    "application/x-shockwave-flash",
    "text/css",
    "text/javascript",
    "application/wasm",
]


@pytest.mark.parametrize("media_type", READ)
def test_what_may_hold_something_is_downloaded(media_type: str) -> None:
    assert takes(media_type)


@pytest.mark.parametrize("media_type", LEFT)
def test_what_holds_nothing_is_not_downloaded(media_type: str) -> None:
    assert not takes(media_type)


@pytest.mark.parametrize("media_type", LEFT)
def test_nothing_that_is_left_would_have_been_read(media_type: str) -> None:
    assert detect(b"\0\1\2 binary", "http://site.test/", media_type).skipped


@pytest.mark.parametrize("media_type", LEFT)
def test_what_a_service_of_the_user_reads_is_downloaded(media_type: str) -> None:
    service = "http://127.0.0.1:9000/"
    assert takes(media_type, replace(OPTIONS, services={media_type: service}))
    everything = f"{media_type.partition('/')[0]}/*"
    assert takes(media_type, replace(OPTIONS, services={everything: service}))


def test_what_a_plug_in_reads_is_downloaded() -> None:
    name = f"{__name__}:Pictures"
    plugins = Plugins([EntryPoint("pictures", name, "gossamer.transforms")])
    assert plugins.problems == []
    assert takes("image/png", plugins=plugins)
    assert takes("application/x-iso9660-image", plugins=plugins)
    assert not takes("video/mp4", plugins=plugins)
