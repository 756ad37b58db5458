"""Challenges of bot walls: answers that ask a visitor to prove that it is no robot. Pure.

A challenge is neither the page nor a sign of load. We are a robot, and say so: it means no. Walls are recognised by
headers that they alone send, and where there are none by the form of their pages: small pages with few links that
load the wall's own script. Nothing is solved, sent along or tried under another name.
"""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from gossamer.model import ResponseHead

REST: Final = timedelta(
    days=1
)  # of a host that challenged us; then one page tells whether it still does
RULE: Final = "challenge"
MAX_BYTES: Final = 64 * 1024  # of a challenge, unpacked; those that were met have 2 to 30 KiB
MOST_LINKS: Final = 10  # on a challenge that is answered like a page, with status 200
# With these a wall may answer; pages of a site that merely says no have them too.
STATUSES: Final = frozenset({401, 403, 405, 406, 418, 429, 468, 503})

# Header, the values that mean a challenge (all that begin so), whose it is.
_HEADERS: Final = (
    ("cf-mitigated", ("challenge",), "Cloudflare"),
    ("x-amzn-waf-action", ("challenge", "captcha"), "AWS WAF"),
    ("x-vercel-mitigated", ("challenge",), "Vercel"),
    ("sg-captcha", ("challenge",), "SiteGround"),
)
# Cookies by which walls know a challenge again; sites that let us pass set none of these.
_COOKIES: Final = (
    ("techaro.lol-anubis-cookie-verification", "Anubis"),
    ("__ddg_challenge", "DDoS-Guard"),
)
# All of these pieces of markup stand on the page: what only some page *about* a wall would have is escaped there.
_FORMS: Final = (
    ((b'<script id="anubis_challenge"',), "Anubis"),
    ((b"window._cf_chl_opt", b"/cdn-cgi/challenge-platform/"), "Cloudflare"),
    ((b'id="main-iframe"', b"/_Incapsula_Resource?"), "Imperva"),
    ((b"captcha-delivery.com/", b"var dd={"), "DataDome"),
    ((b"window._pxAppId", b"px-captcha"), "HUMAN"),
    ((b"?bm-verify=", b"http-equiv="), "Akamai"),
    ((b"/.well-known/sgcaptcha/", b"http-equiv="), "SiteGround"),
    ((b"/.well-known/vercel/security/static/challenge",), "Vercel"),
    ((b"/.well-known/.git.gammaspectra.live/git/go-away/",), "go-away"),
    ((b"/.well-known/ddos-guard/js-challenge/",), "DDoS-Guard"),
    ((b".awswaf.com/", b"AwsWafIntegration"), "AWS WAF"),
)
_ANY: Final = re.compile(b"|".join(re.escape(pieces[0]) for pieces, _ in _FORMS))


def wall_by_headers(head: ResponseHead) -> str | None:
    """The wall whose challenge an answer is, by its headers; None where they name none."""
    for name, values, wall in _HEADERS:
        if (said := head.header(name)) is not None and said.strip().lower().startswith(values):
            return wall
    return _by_cookies(head.header_values("set-cookie"))


def wall_by_form(body: bytes) -> str | None:
    """The wall whose challenge a page is, by its markup; `body` is without content codings."""
    if len(body) > MAX_BYTES or _ANY.search(body) is None:
        return None
    for pieces, wall in _FORMS:
        if all(piece in body for piece in pieces):
            return wall
    return None


def meaning(wall: str) -> str:
    """What a challenge means, in a sentence, without its full stop."""
    return (
        f"{wall} asks visitors to prove that they are no robot, which for a robot is a no. "
        "Ask the owner of the site to let you in, or leave the site out"
    )


def _by_cookies(cookies: Iterable[str]) -> str | None:
    for cookie in cookies:
        name, _, rest = cookie.strip().partition("=")
        value = rest.partition(";")[0].strip()
        for known, wall in _COOKIES:
            if name.lower().startswith(known) and value:
                return wall
    return None
