"""Text that looks like links, and text that does not."""

from hypothesis import strategies as st

from gossamer.model import Refusal, Url
from gossamer.urls.canonical import canonical

# Everything a str can hold, lone surrogates too: links come out of broken pages.
any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=40)

_url_letters = st.text(alphabet="abcXYZ019.-_~%:/\\?#[]@!&=+ \t\n\0é漢\ud800", max_size=20)
_scheme = st.sampled_from(["http:", "https:", "HTTP:", "ftp:", "mailto:", "javascript:", "x:", ""])
_slashes = st.sampled_from(["//", "/", "", "\\\\", "///"])
_user = st.sampled_from(["", "", "", "alice@", "alice:pass@", ":@", "a@b@"])
_host = st.sampled_from(
    [
        "example.test",
        "EXAMPLE.test",
        "bücher.test",
        "xn--bcher-kva.test",
        "127.1",
        "0x7f.1",
        "[::1]",
        "[1::0:0:2]",
        "a.test.",
        "%65xample.test",
        "",
        "a b",
        "☃.test",
        "[::g]",
    ]
)
_port = st.sampled_from(["", "", ":80", ":443", ":8080", ":", ":99999", ":x"])
_absolute = st.builds("".join, st.tuples(_scheme, _slashes, _user, _host, _port, _url_letters))

links = st.one_of(_absolute, _url_letters, any_text)


def _url_of(text: str) -> Url:
    """The URL of a link, or, if it is refused, of a page whose path is that text: nothing is lost."""
    for attempt in (text, f"https://example.test/{text}"):
        form = canonical(attempt, Url("https://example.test/folder/page"))
        if not isinstance(form, Refusal):
            return form
    raise AssertionError(f"no path of a URL: {text!r}")


urls = links.map(_url_of)
