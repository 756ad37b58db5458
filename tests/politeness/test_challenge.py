import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model import ResponseHead, Url
from gossamer.politeness.challenge import MAX_BYTES, wall_by_form, wall_by_headers

ANUBIS = b"""<!doctype html><title>Making sure you&#39;re not a bot!</title>
<script id="anubis_version" type="application/json">"v1.21.3"</script>
<script id="anubis_challenge" type="application/json">{"challenge": "0a"}</script><p>Loading..."""


def head(*headers: tuple[str, str], status: int = 200) -> ResponseHead:
    return ResponseHead(Url("http://a.test/"), status, headers)


@pytest.mark.parametrize(
    ("header", "wall"),
    [
        (("CF-Mitigated", "challenge"), "Cloudflare"),
        (("cf-mitigated", " Challenge "), "Cloudflare"),
        (("x-amzn-waf-action", "captcha"), "AWS WAF"),
        (("x-amzn-waf-action", "challenge"), "AWS WAF"),
        (("X-Vercel-Mitigated", "challenge"), "Vercel"),
        (("SG-Captcha", "challenge"), "SiteGround"),
        (("Set-Cookie", "techaro.lol-anubis-cookie-verification=1; Path=/"), "Anubis"),
        (("Set-Cookie", "techaro.lol-anubis-cookie-verification-6b09=a; Path=/"), "Anubis"),
        (("X-Vercel-Mitigated", "deny"), None),  # which is a refusal, and no challenge
        (("Set-Cookie", "techaro.lol-anubis-cookie-verification=; Max-Age=0"), None),  # taken back
        (("Set-Cookie", "techaro.lol-anubis-auth=a"), None),  # we are let in
        (("cf-ray", "8f2b3c4d5e6f7-SJC"), None),
        (("Server", "cloudflare"), None),
    ],
)
def test_walls_are_known_by_headers_that_they_alone_send(
    header: tuple[str, str], wall: str | None
) -> None:
    assert wall_by_headers(head(("Content-Type", "text/html"), header)) == wall


@pytest.mark.parametrize(
    ("body", "wall"),
    [
        (ANUBIS, "Anubis"),
        (b"<script>window._cf_chl_opt={}</script>/cdn-cgi/challenge-platform/h", "Cloudflare"),
        (b'<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31">', "Imperva"),
        (
            b"<script>var dd={'rt':'c'}</script><script src=//ct.captcha-delivery.com/c.js>",
            "DataDome",
        ),
        (b"<script>window._pxAppId='PX1'</script><div id=px-captcha>", "HUMAN"),
        (b"<meta http-equiv=refresh content=\"5; URL='/?bm-verify=AAQ'\">", "Akamai"),
        (b'<meta http-equiv=refresh content="0;/.well-known/sgcaptcha/?r=%2F">', "SiteGround"),
        # What Cloudflare puts into each page that it serves, and a page about a wall.
        (b"<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script><p>text", None),
        (b"<code>&lt;script id=&quot;anubis_challenge&quot;&gt;</code>", None),
        (ANUBIS + b" " * MAX_BYTES, None),  # no challenge is as large as that
        (b"", None),
    ],
)
def test_walls_are_known_by_the_form_of_their_pages(body: bytes, wall: str | None) -> None:
    assert wall_by_form(body) == wall


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5), st.binary(max_size=200))
def test_whatever_a_server_sends_is_looked_at(headers: list[tuple[str, str]], body: bytes) -> None:
    assert wall_by_headers(head(*headers)) is None or headers
    assert wall_by_form(body) is None or body
