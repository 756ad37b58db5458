"""The prescan beside that of html5lib, where that one follows the standard, and by the letter."""

import pytest
from html5lib._inputstream import HTMLBinaryInputStream
from hypothesis import given
from hypothesis import strategies as st
from webencodings import LABELS

from gossamer.detect.labels import WIDE, codec_of
from gossamer.detect.prescan import meta_label, xml_label

NONE = "ibm866"  # what html5lib falls back to here; no page below names it

labels = st.sampled_from(
    [
        *("utf-8", "UTF-8", "latin1", "gb2312", "windows-1251", "Shift_JIS", "utf-16", "utf-16be"),
        *("no-such-thing", "", "utf8;", " koi8-r "),
    ]
)
quotes = st.sampled_from(['"', "'"])
space = st.sampled_from(["", " ", "\n", "\t "])
gap = st.sampled_from([" ", "\n", " \f", "  "])


@st.composite
def charset_meta(draw: st.DrawFn) -> str:
    quote, name = draw(quotes), draw(st.sampled_from(["charset", "CHARSET", "Charset"]))
    equals = draw(space) + "=" + draw(space)
    return f"<meta{draw(gap)}{name}{equals}{quote}{draw(labels)}{quote}{draw(space)}>"


@st.composite
def pragma_meta(draw: st.DrawFn) -> str:
    quote = draw(quotes)
    pragma = draw(st.sampled_from(["Content-Type", "content-type", "refresh", ""]))
    between = draw(st.sampled_from(["; ", ";", " ", ""]))
    label = draw(labels).strip(" ;")
    attributes = [
        f"http-equiv={quote}{pragma}{quote}",
        f"content={quote}text/html{between}charset{draw(space)}={draw(space)}{label}{quote}",
        f"name{draw(space)}={draw(space)}x",
        "itemscope",
    ]
    chosen = draw(st.permutations(attributes))[: draw(st.integers(1, 4))]
    return f"<meta{draw(gap)}{draw(gap).join(chosen)} >"


others = st.sampled_from(
    [
        *("<!DOCTYPE html>", "<html lang=en>", "<!-- <meta charset=koi8-r> -->", "<!-- > -->"),
        *(
            "<?php echo 1 ?>",
            "</p >",
            "<title>a < b</title>",
            "< 3",
            "a=\"<meta charset='utf-8'>\"",
        ),
        *("<p title='<meta charset=koi8-r>'>", '<p title="a>b" x=1>', "<b/>", "<x-y =a>", "</ x>"),
        *("<metal charset=koi8-r>", "<a b = c>", "<meta>", "<meta name=viewport>"),
    ]
)
heads = st.lists(st.one_of(others, charset_meta(), pragma_meta()), max_size=8)


@given(heads)
def test_html5lib_finds_the_same(pieces: list[str]) -> None:
    # In a page that goes on, both have the same bytes: how they end is a matter of its own.
    page = "".join(pieces).encode() + b"<p> <p> " * 200
    theirs = HTMLBinaryInputStream(page, default_encoding=NONE, useChardet=False).charEncoding[0]
    label = meta_label(page[:1024])
    if label is None:
        assert theirs.name == NONE, page
    else:
        codec = codec_of(label)
        assert ("utf-8" if codec in WIDE else codec) == codec_of(theirs.name), page


def by_letter(page: str) -> str | None:
    return meta_label(page.encode())


@pytest.mark.parametrize(
    ("page", "label"),
    [
        ("<meta charset=utf-8>", "utf-8"),
        ("<meta/charset=utf-8>", "utf-8"),
        ("<meta charset=utf-8/>", None),  # the stroke belongs to the value
        ("<meta charset = 'utf-8' />", "utf-8"),
        ("<meta charset=a charset=utf-8>", None),  # the first of a name counts
        ("<meta charset=a><meta charset=utf-8>", "utf-8"),
        ("<meta charset=''>", None),
        ("<meta charset=>", None),
        ("<meta charset>", None),
        ("<metacharset=utf-8>", None),
        ("<META CHARSET=UTF-8>", "UTF-8"),
        ("<meta =charset=utf-8>", None),
        ("<meta charset=utf-8", None),  # not ended
        ("<meta charset='utf-8>", None),
        ("<meta charset='utf-8'", None),
        ("<p title=\"<meta charset=utf-8>", None),
        ("<p title=\"'\"><meta charset=utf-8>", "utf-8"),
        ("<!-- <meta charset=koi8-r> --><meta charset=utf-8>", "utf-8"),
        ("<!--><meta charset=utf-8>", "utf-8"),
        ("<!-- <meta charset=utf-8>", None),
        ("<script>'<meta charset=utf-8>'</script>", "utf-8"),  # the prescan knows no scripts
        ("<! <meta charset=utf-8>", None),
        ("</ <meta charset=utf-8>", None),
        ("< <meta charset=utf-8>", "utf-8"),
        ("<a<meta charset=utf-8>", None),
        ("<meta http-equiv=content-type content='text/html; charset=utf-8'>", "utf-8"),
        ("<meta content='charset=utf-8' http-equiv=Content-Type>", "utf-8"),
        ("<meta content='text/html; charset=utf-8'>", None),
        ("<meta http-equiv=refresh content='charset=utf-8'>", None),
        ("<meta http-equiv=content-type content='charset charset=utf-8'>", "utf-8"),
        ("<meta http-equiv=content-type content='charset=utf-8;x'>", "utf-8"),
        ("<meta http-equiv=content-type content='charset=\"utf-8\"'>", "utf-8"),
        ("<meta http-equiv=content-type content='charset=\"utf-8'>", None),
        ("<meta http-equiv=content-type content='charset=koi8-r' charset=utf-8>", "utf-8"),
        ("<meta http-equiv=content-type content='charset=koi8-r' charset=x>", None),
        ("<meta charset=utf-16>", "utf-16"),  # what it means is decided elsewhere
    ],
)  # fmt: skip
def test_the_prescan_follows_the_standard(page: str, label: str | None) -> None:
    assert by_letter(page) == label


@pytest.mark.parametrize(
    ("declaration", "label"),
    [
        ('<?xml version="1.0" encoding="utf-8"?>', "utf-8"),
        ("<?xml version='1.0' encoding = 'KOI8-R' ?>", "KOI8-R"),
        ('<?xml version="1.0"?>', None),
        ('<?xml encoding="utf-8', None),
        ("<?xml encoding=utf-8?>", None),
        ('<?xml encoding="utf 8"?>', None),
        (' <?xml encoding="utf-8"?>', None),
        ('<?XML encoding="utf-8"?>', None),
        ('<?xml version="1.0"?><a encoding="utf-8">', None),
    ],
)
def test_an_xml_declaration_names_its_encoding(declaration: str, label: str | None) -> None:
    assert xml_label(declaration.encode()) == label


def test_every_label_of_the_standard_is_understood_in_a_meta_element() -> None:
    for label in LABELS:
        assert by_letter(f"<meta charset={label}>") == label


@given(st.binary(max_size=300))
def test_any_bytes_are_scanned(head: bytes) -> None:
    label = meta_label(b"<meta charset " + head)
    assert label is None or codec_of(label)
    assert xml_label(b"<?xml encoding=" + head) is None or b">" in head
