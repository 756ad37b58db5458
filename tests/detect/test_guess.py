import codecs
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal
from tests.detect.languages import TEXTS, page_of, samples

import gossamer
from gossamer.detect import detect, guess
from gossamer.detect.guess import by_custom, guessed
from gossamer.detect.labels import codec_of

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


@pytest.mark.parametrize(
    ("language", "codec"),
    [
        *(("ru", "cp1251"), ("ru", "koi8-r"), ("uk", "cp1251"), ("pl", "cp1250"), ("cs", "cp1250")),
        *(
            ("el", "cp1253"),
            ("he", "cp1255"),
            ("ar", "cp1256"),
            ("th", "tis-620"),
            ("tr", "cp1254"),
        ),
        *(
            ("ja", "shift_jis"),
            ("ja", "euc_jp"),
            ("zh", "gbk"),
            ("zh-tw", "big5"),
            ("ko", "euc_kr"),
        ),
    ],
)
def test_short_and_long_pages_that_declare_nothing_are_read(language: str, codec: str) -> None:
    (text,) = (each[-1] for each in TEXTS if each[0] == language)
    padding = "<!-- nothing -->" * 4000  # past any sample that began at the top
    for page in (page_of(text[:60]), page_of(text * 400), padding + page_of(text)):
        found = gossamer.extract(page.encode(codec), url="http://page.test/")
        assert not found.problems
        (title,) = (each.object for each in found.quads if each.predicate.value.endswith("/title"))
        assert isinstance(title, Literal)
        assert title.value == text[:30].strip()


def test_most_pages_are_read_wherever_they_are() -> None:
    pages = list(samples())
    for of_domain, least in ((True, 101), (False, 99)):
        right = [
            page
            for page in pages
            if page.body.decode(
                guessed(page.body, f"http://a.{page.domain if of_domain else 'test'}/")[0],
                "replace",
            )
            == page.page
        ]
        assert len(right) >= least, len(pages)


def test_detection_says_how_the_encoding_was_found() -> None:
    found = detect(page_of(RUSSIAN * 3).encode("koi8-r"), "http://page.test/", "text/html")
    assert codec_of(found.encoding) in ("koi8-r", "koi8-u")
    assert found.encoding_why in ("its bytes look like koi8-r", "its bytes look like koi8-u")


@pytest.mark.parametrize("text", ["naïve", "20 °C", "£5 or ½", "Lefèvre"])
def test_a_few_letters_are_western(text: str) -> None:
    assert guessed(f"<p>{text}</p>".encode("cp1252"), "http://page.test/")[0] == "cp1252"


def test_an_english_page_may_have_foreign_names_in_it() -> None:
    page = '<html lang="en"><p>Pádraig, Göteborg, Tomás Šimek, Nîmes, café, Lefèvre, 20 °C</p>'
    assert guessed(page.encode("cp1252"), "http://page.test/")[0] == "cp1252"
    # … unless it says so because its template did.
    page = f'<html lang="en">{page_of(RUSSIAN * 3)}'
    assert guessed(page.encode("cp1251"), "http://page.test/")[0] == "cp1251"


def test_json_is_utf_8_whatever_its_bytes_look_like() -> None:
    body = '{"@context": "https://schema.org/", "name": "Привет, мир"}'.encode("cp1251")
    assert detect(body, "http://page.test/", "application/ld+json").encoding == "utf-8"


def test_without_the_library_language_and_domain_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chardetng_py", None)
    body = page_of(RUSSIAN).encode("cp1251")
    assert guessed(body, "http://example.ru/") == ("cp1251", "usual in .ru")
    assert guessed(body, "http://page.test/")[0] == "cp1252"
    assert by_custom(b"<p>\xe9", "", "") == ("cp1252", "it names none and is not UTF-8")


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_at_any_host_are_something(body: bytes, host: str) -> None:
    codec, why = guessed(body, f"http://{host}/")
    assert codecs.lookup(codec)
    assert why


def test_every_domain_has_a_language_and_every_language_a_codec() -> None:
    for language in guess._LANGUAGE_OF_DOMAIN.values():
        assert language in guess._BY_LANGUAGE
    for names in guess._BY_LANGUAGE.values():
        assert all(codecs.lookup(name).name == name for name in names)
