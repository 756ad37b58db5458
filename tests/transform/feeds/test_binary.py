from tests.transform.feeds.reading import read, short

from gossamer.transform.feeds import atom_statements


def titles(attributes: str, text: str) -> list[str]:
    items = read(
        atom_statements,
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title {attributes}>{text}</title></feed>',
    )
    return [line.partition("rss:title ")[2] for line in short(items) if "rss:title" in line]


def test_text_in_base64_is_read() -> None:
    assert titles('mode="base64"', " QWRh ") == ['"Ada"']
    assert titles('type="application/octet-stream"', "QWRh") == ['"Ada"']


def test_what_is_no_text_keeps_its_base64() -> None:
    assert titles('mode="base64"', "/w==") == ['"/w=="^^xsd:base64Binary']


def test_what_is_no_base64_is_text() -> None:
    assert titles('mode="base64"', "no, none") == ['"no, none"']
    assert titles('type="html"', "QWRh") == ['"QWRh"']
    assert titles('type="text/plain"', "QWRh") == ['"QWRh"']
