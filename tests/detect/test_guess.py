import codecs

import pytest

from gossamer.detect import guess
from gossamer.detect.guess import guessed

RUSSIAN = "<p>Привет, мир</p>"
JAPANESE = "<p>日本語のページです。東京と大阪</p>"


@pytest.mark.parametrize(
    ("text", "codec", "lang", "url"),
    [
        (RUSSIAN, "cp1251", "ru", "http://x.test/"),
        (RUSSIAN, "cp1251", "ru-RU", "http://x.test/"),
        (RUSSIAN, "cp1251", "", "http://news.example.ru:8080/a.html"),
        (RUSSIAN, "cp1251", "", "https://user@EXAMPLE.RU./"),
        (JAPANESE, "cp932", "ja", "http://x.test/"),
        (JAPANESE, "euc_jp", "", "http://example.jp/"),
        ("<p>中文网页</p>", "gb18030", "", "http://example.cn/"),
        ("<p>中文網頁</p>", "big5hkscs", "zh-Hant", "http://example.cn/"),
        ("<p>한국어</p>", "cp949", "ko", "http://x.test/"),
        ("<p>Ελληνικά</p>", "iso8859-7", "", "http://example.gr/"),
        ("<p>Łódź</p>", "iso8859-2", "pl", "http://x.test/"),
        ("<p>déjà vu</p>", "cp1252", "", "http://example.test/"),
        ("<p>déjà vu</p>", "cp1252", "fr", "http://example.ru/"),  # the page knows better
        ("<p>déjà vu</p>", "cp1252", "ja", "http://x.test/"),  # no Japanese: it cannot be read so
    ],
)
def test_language_and_domain_tell_the_encoding(text: str, codec: str, lang: str, url: str) -> None:
    start = f'<html class="a" lang="{lang}">' if lang else "<html>"
    body = (start + text).encode(codec)
    assert guessed(body, url)[0] == codec
    assert body.decode(guessed(body, url)[0]) == start + text


def test_every_domain_has_a_language_and_every_language_a_codec() -> None:
    for language in guess._LANGUAGE_OF_DOMAIN.values():
        assert language in guess._BY_LANGUAGE
    for names in guess._BY_LANGUAGE.values():
        assert all(codecs.lookup(name).name == name for name in names)
