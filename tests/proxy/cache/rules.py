"""The rules of RFC 9111 and what belongs to it, each with a story that shows it.

`docs/cache-conformance.md` is made from this list (`python -m tests.proxy.cache.rules`), and a
test sees to it that it stays so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .world import URL, Said

PAGE = Path(__file__).resolve().parents[3] / "docs" / "cache-conformance.md"
DAY = 24 * 3600

Expected = Literal["hit", "fetch", "validated", "refused"]


@dataclass(frozen=True)
class Step:
    """A request, what the origin says if it is asked, and what must come of it."""

    expect: Expected
    say: Said = field(default_factory=dict)
    ask: Said = field(default_factory=dict)
    after: float = 0  # seconds since the step before
    status: int = 200
    body: bytes = b"hello"
    method: str = "GET"
    url: str = URL
    fails: bool = False
    breaks_off: bool = False
    gets: int | None = None  # the status that the client gets
    has: Mapping[str, str] = field(default_factory=dict)  # fields that it gets
    lacks: tuple[str, ...] = ()
    sends: Mapping[str, str] = field(default_factory=dict)  # fields that the origin gets
    reads: bytes | None = None  # the body that the client gets


@dataclass(frozen=True)
class Rule:
    """A rule, where it stands, and a story."""

    section: str
    says: str
    story: tuple[Step, ...]


def fetch(say: Said | None = None, **more: object) -> Step:
    return Step("fetch", say or {}, **more)  # type: ignore[arg-type]  # the fields of a step


def hit(ask: Said | None = None, **more: object) -> Step:
    return Step("hit", ask=ask or {}, **more)  # type: ignore[arg-type]  # the fields of a step


def again(ask: Said | None = None, **more: object) -> Step:
    """A request that goes to the origin although something is stored."""
    return Step("fetch", ask=ask or {}, **more)  # type: ignore[arg-type]  # the fields of a step


def validated(say: Said | None = None, **more: object) -> Step:
    return Step("validated", say or {}, status=304, **more)  # type: ignore[arg-type]  # as above


def refused(ask: Said, **more: object) -> Step:
    return Step("refused", ask=ask, **more)  # type: ignore[arg-type]  # the fields of a step


def cc(value: str, **more: str) -> dict[str, str | list[str]]:
    named = {name.replace("_", "-"): text for name, text in more.items()}
    return {"Date": "@0", "Cache-Control": value, **named}


HOUR = cc("max-age=3600")
BYPASSED = 'gossamer; fwd=bypass; fwd-status=200; detail="unkeyed-field"'
TAGGED = cc("max-age=60", ETag='"1"')
DATED = cc("max-age=60", Last_Modified="@-5000")


def rule(section: str, says: str, *story: Step) -> Rule:
    return Rule(section, says, story)


STORING = [
    rule("3", "A response with a lifetime is stored and used", fetch(HOUR), hit(after=3599)),
    rule(
        "3",
        "One that says nothing about its lifetime and cannot be asked about is not",
        fetch(),
        again(),
    ),
    rule("3", "Different queries are different pages", fetch(HOUR), again(url=URL + "?a=1")),
    rule(
        "3",
        "A query is no reason not to store",
        fetch(HOUR, url=URL + "?a=1"),
        hit(url=URL + "?a=1"),
    ),
    rule("3", "Answers to POST are not stored", fetch(HOUR, method="POST"), again()),
    rule("3", "A response that breaks off is not stored", fetch(HOUR, breaks_off=True), again()),
    rule(
        "3.3",
        "A response shorter than it says is not stored",
        fetch({**HOUR, "Content-Length": "6"}),
        again(),
    ),
    *(
        rule("3", f"A fresh {status} is used", fetch(HOUR, status=status), hit(gets=status))
        for status in (
            200,
            203,
            204,
            299,
            301,
            302,
            303,
            307,
            308,
            400,
            404,
            410,
            499,
            500,
            502,
            503,
            504,
            599,
        )
    ),
    *(
        rule("3", f"A stale {status} is not", fetch(cc("max-age=0"), status=status), again())
        for status in (200, 301, 302, 404, 410, 500, 503)
    ),
    rule("3.3", "A 206 is passed through and not stored", fetch(HOUR, status=206), again()),
    rule(
        "9110, 15.5.13",
        "A 412 is about the condition of whoever asked, and not stored",
        fetch(HOUR, ask={"If-Match": '"1"'}, status=412),
        again(),
    ),
    rule(
        "9110, 15.5.17",
        "So is a 416 about the range",
        fetch(HOUR, ask={"Range": "bytes=9-"}, status=416),
        again(),
    ),
    rule("5.2.2.5", "`no-store` is not stored", fetch(cc("no-store")), again()),
    rule(
        "5.2.2.5",
        "`no-store` wins over `max-age` and `Expires`",
        fetch(cc("max-age=60, no-store", Expires="@60")),
        again(),
    ),
    rule("5.2", "Directives are read in any case", fetch(cc("MaX-aGe=60")), hit()),
    rule("5.2", "`No-StOrE` in any case, too", fetch(cc("max-age=60, No-StOrE")), again()),
    rule(
        "5.2.2.7",
        "`private` is not stored by a shared cache",
        fetch(cc("private, max-age=60")),
        again(),
    ),
    rule(
        "5.2.2.7",
        "`private` with names withholds those fields",
        fetch({"Cache-Control": ["max-age=60", 'private="a"'], "A": "1", "B": "2"}),
        hit(has={"b": "2"}, lacks=("a",)),
    ),
    rule(
        "5.2.2.4",
        "`no-cache` with names withholds those fields",
        fetch({"Cache-Control": ["max-age=60", 'no-cache="A, b"'], "a": "1", "b": "2", "c": "3"}),
        hit(has={"c": "3"}, lacks=("a", "b")),
    ),
    rule(
        "5.2.2.3",
        "`must-understand` with a strange status is not stored",
        fetch(cc("max-age=60, must-understand"), status=599),
        again(),
    ),
    rule(
        "5.2.2.3",
        "`must-understand` with a known status overrules `no-store`",
        fetch(cc("max-age=60, must-understand, no-store")),
        hit(),
    ),
    rule(
        "3.5",
        "An answer to a request with credentials is not stored",
        fetch({"Expires": "@60", "Date": "@0"}, ask={"Authorization": "x"}),
        again(),
    ),
    *(
        rule(
            "3.5",
            f"… unless `{allowed}` allows it",
            fetch(cc(f"max-age=60, {allowed}"), ask={"Authorization": "x"}),
            hit(),
        )
        for allowed in ("public", "must-revalidate", "s-maxage=60")
    ),
    rule(
        "7.3",
        "A cookie in an answer with a stated lifetime does not keep it from being used",
        fetch(cc("max-age=60", Set_Cookie="a=b"), has={"set-cookie": "a=b"}),
        hit(lacks=("set-cookie",)),
    ),
    rule("7.3", "Nor does one in a request", fetch(HOUR), hit({"Cookie": "a=b"})),
    *(
        rule(
            "7.3",
            f"With {f'`{said}`' if said else 'no word about a lifetime'} it is for whoever asked first",
            fetch(cc(said, ETag='"1"', Set_Cookie="a=b"), has={"set-cookie": "a=b"}),
            validated({"ETag": '"1"'}, lacks=("set-cookie",)),
        )
        for said in ("", "no-cache", "max-age=0")
    ),
    rule(
        "7.3",
        "So is one that a 304 sets",
        fetch({"Date": "@0", "ETag": '"1"'}),
        validated({"ETag": '"1"', "Set-Cookie": "a=b"}, has={"set-cookie": "a=b"}),
        validated({"ETag": '"1"'}, lacks=("set-cookie",)),
    ),
    rule(
        "4.2.2",
        "After which nothing is guessed, either",
        fetch({"Date": "@0", "Last-Modified": f"@-{DAY}"}),
        validated({"Set-Cookie": "a=b"}, ask={"Cache-Control": "no-cache"}),
        again(),
    ),
    rule(
        "3.1",
        "What `Connection` lists is not stored",
        fetch(cc("max-age=60", Connection="a, b", a="1", b="2", c="3")),
        hit(has={"c": "3"}, lacks=("a", "b", "connection")),
    ),
    *(
        rule(
            "3.1",
            f"`{name}` is not stored",
            fetch(cc("max-age=60", **{name: "x"})),
            hit(lacks=(name.lower(),)),
        )
        for name in (
            "Keep-Alive",
            "Proxy-Authenticate",
            "Proxy-Authentication-Info",
            "Proxy-Authorization",
            "Proxy-Connection",
            "TE",
            "Transfer-Encoding",
            "Upgrade",
        )
    ),
    *(
        rule(
            "3.1",
            f"`{name}` is stored",
            fetch(cc("max-age=60", **{name: "x"})),
            hit(has={name.lower(): "x"}),
        )
        for name in (
            "Test-Header",
            "X-Test-Header",
            "Content-Foo",
            "Content-Encoding",
            "Content-Location",
            "Content-MD5",
            "Content-Range",
            "Content-Security-Policy",
            "Content-Type",
            "Clear-Site-Data",
            "ETag",
            "Public-Key-Pins",
            "X-Frame-Options",
            "X-XSS-Protection",
        )
    ),
    *(
        rule(
            "7.3",
            f"`{name}` is for whoever asked, and no other client gets it",
            fetch(cc("public, max-age=60", ETag='"1"', **{name: "x"}), has={name.lower(): "x"}),
            hit(lacks=(name.lower(),)),
            validated({"ETag": '"1"', name: "y"}, after=61, has={name.lower(): "y"}),
            hit(lacks=(name.lower(),)),
        )
        for name in ("Set-Cookie", "Set-Cookie2", "Authentication-Info")
    ),
    *(
        rule(
            "7.1",
            f"A request with `{name}` neither fills the cache nor is answered from it",
            fetch(HOUR, ask={name: "x"}),
            fetch(HOUR),
            again({name: "x"}, has={"cache-status": BYPASSED}),
            hit(),
        )
        for name in (
            "Forwarded",
            "X-Forwarded-Host",
            "X-Forwarded-Anything",
            "X-Original-URL",
            "X-Rewrite-URL",
            "X-Host",
            "X-HTTP-Method-Override",
            "X-HTTP-Method",
            "X-Method-Override",
            "X_Forwarded_Host",
        )
    ),
    *(
        rule(
            "7",
            f"What says `X-Robots-Tag: {said}` is not kept",
            fetch(cc("max-age=60", X_Robots_Tag=said)),
            again(),
        )
        for said in ("noarchive", "noindex, NoArchive", "otherbot: noarchive", "nocache")
    ),
    rule(
        "7",
        "… but other words to robots are none about copies",
        fetch(cc("max-age=60", X_Robots_Tag="noindex, nofollow")),
        hit(),
    ),
    rule(
        "7",
        "A 304 can ask for that, too",
        fetch(TAGGED),
        validated({**TAGGED, "X-Robots-Tag": "noarchive"}, after=61),
        again(),
    ),
    rule(
        "7",
        "A page that says so in a `<meta>` element is not kept, and what was kept of it before goes",
        fetch({**TAGGED, "Content-Type": "text/html"}),
        fetch(
            {**TAGGED, "Content-Type": "text/html"},
            after=61,
            body=b'<META content="NOARCHIVE" name=robots>',
        ),
        again(),
    ),
]

FRESHNESS = [
    rule("4.2.1", "After `max-age` it is stale", fetch(cc("max-age=60")), again(after=60)),
    rule("4.2.1", "`max-age=0` is stale at once", fetch(cc("max-age=0")), again()),
    *(
        rule(
            "1.2.2",
            f"`max-age={many}` is a long time",
            fetch(cc(f"max-age={many}")),
            hit(after=DAY),
        )
        for many in (2**31 - 1, 2**31, 2**31 + 1, 99_999_999_999)
    ),
    rule("1.2.2", "So is one of 5,000 digits", fetch(cc(f"max-age={'9' * 5000}")), hit(after=DAY)),
    rule("5.2.2.10", "`s-maxage` is enough", fetch(cc("s-maxage=60")), hit(after=59)),
    rule(
        "5.2.2.10",
        "A short `s-maxage` wins over `max-age`",
        fetch(cc("max-age=60, s-maxage=1")),
        again(after=2),
    ),
    rule(
        "5.2.2.10",
        "So does a long one",
        fetch(cc("max-age=1, s-maxage=60", Expires="@-10")),
        hit(after=2),
    ),
    rule(
        "RFC 9213",
        "`CDN-Cache-Control` is for other caches: it gives no lifetime",
        fetch({"Date": "@0", "CDN-Cache-Control": "max-age=3600"}),
        again(),
    ),
    rule(
        "RFC 9213",
        "… and takes none: not by `max-age`, `no-store`, `private` or `no-cache`",
        fetch({**HOUR, "CDN-Cache-Control": "max-age=1, no-store, private, no-cache"}),
        hit(after=3599, has={"cdn-cache-control": "max-age=1, no-store, private, no-cache"}),
    ),
    rule(
        "RFC 9213",
        "… nor does it allow what `Cache-Control` forbids",
        fetch({**cc("no-store"), "CDN-Cache-Control": "max-age=3600"}),
        again(),
    ),
    rule("4.2.1", "`max-age` wins over `Expires`", fetch(cc("max-age=60", Expires="@-10")), hit()),
    rule("4.2.1", "`max-age=0` does so, too", fetch(cc("max-age=0", Expires="@60")), again()),
    rule(
        "4.2.1",
        "`max-age` wins over an `Expires` that cannot be read",
        fetch(cc("max-age=60", Expires="0")),
        hit(),
    ),
    rule("5.2.3", "Unknown directives are ignored", fetch(cc("foobar, max-age=60")), hit()),
    rule("4.2.1", "A negative `max-age` is stale", fetch(cc("max-age=-60")), again()),
    rule(
        "4.2.1",
        "Of two `max-age` the first counts",
        fetch(cc("max-age=1, max-age=60")),
        again(after=2),
    ),
    rule("5.2", "A quoted number is read", fetch(cc('max-age="60"')), hit()),
    rule("5.2", "Single quotes are none", fetch(cc("max-age='60'")), again()),
    rule(
        "5.2",
        "What is inside quotes is no directive",
        fetch(cc('ext="max-age=60", max-age=1')),
        again(after=2),
    ),
    rule(
        "5.2", "Nor behind the real one", fetch(cc('max-age=1, ext="max-age=60"')), again(after=2)
    ),
    rule(
        "5.2",
        "A quote that never ends hides no `no-store`",
        fetch(cc('max-age=60, ext="a, no-store')),
        again(),
    ),
    rule("1.2.2", "Leading zeros are read", fetch(cc("max-age=0060")), hit(after=59)),
    *(
        rule("4.2.1", f"`max-age={bad}` is stale", fetch(cc(f"max-age={bad}")), again())
        for bad in ("60.0", "a60", "60a", "", " 60")
    ),
    rule(
        "5.3",
        "`Expires` in the future is fresh",
        fetch({"Date": "@0", "Expires": "@60"}),
        hit(after=59),
    ),
    rule(
        "5.3", "`Expires` in the past is stale", fetch({"Date": "@0", "Expires": "@-60"}), again()
    ),
    rule("5.3", "`Expires` now is stale", fetch({"Date": "@0", "Expires": "@0"}), again()),
    rule(
        "4.2.1",
        "`Expires` counts from `Date`, not from our clock",
        fetch({"Date": "@400", "Expires": "@300"}),
        again(),
    ),
    rule("5.3", "`Expires: 0` is stale", fetch({"Date": "@0", "Expires": "0"}), again()),
    rule(
        "4.2",
        "Without a `Date` that can be read, our clock counts",
        fetch({"Date": "foo", "Expires": "@10"}),
        hit(after=9),
    ),
    *(
        rule("5.3", f"`Expires: {date}` can be read", fetch({"Date": "@0", "Expires": date}), hit())
        for date in (
            "Tue, 19 Jan 2038 14:14:08 GMT",
            "Sun, 21 Nov 2286 04:46:39 GMT",
            "Thursday, 18-Aug-50 02:01:18 GMT",
            "Thu Aug  8 02:01:18 2050",
            "THU, 18 Aug 2050 02:01:18 GMT",
            "Thu, 18 AUG 2050 02:01:18 gMT",
        )
    ),
    *(
        rule(
            "5.3",
            f"`Expires: {date}` cannot, and is stale",
            fetch({"Date": "@0", "Expires": date}),
            again(),
        )
        for date in (
            "Thu, 18 Aug 2050 02:01:18 UTC",
            "Thu, 18 Aug 2050 02:01:18 AEST",
            "Thu, 18 Aug 50 02:01:18 GMT",
            "Thu 18 Aug 2050 02:01:18 GMT",
            "Thu, 18  Aug  2050 02:01:18 GMT",
            "Thu, 18-Aug-2050 02:01:18 GMT",
            "Thu, 18 Aug 2050 02.01.18 GMT",
            "Thu, 18 Aug 2050 2:01:18 GMT",
            "Thu, 32 Aug 2050 02:01:18 GMT",
        )
    ),
    rule(
        "5.3",
        "Two different `Expires` are stale",
        fetch({"Date": "@0", "Expires": ["@60", "@61"]}),
        again(),
    ),
    rule(
        "4.2.3", "An `Age` above the lifetime is stale", fetch(cc("max-age=60", Age="120")), again()
    ),
    rule(
        "4.2.3",
        "Also by `Expires`, with a slow `Date`",
        fetch({"Date": "@-10", "Expires": "@10", "Age": "25"}),
        again(),
    ),
    rule(
        "4.2.3",
        "And with a fast one",
        fetch({"Date": "@10", "Expires": "@20", "Age": "15"}),
        again(),
    ),
    rule(
        "4.2.3",
        "An old `Date` is an age",
        fetch({"Date": "@-120", "Cache-Control": "max-age=60"}),
        again(),
    ),
    *(
        rule("5.1", f"`Age: {bad}` is ignored", fetch(cc("max-age=60", Age=bad)), hit())
        for bad in ("abc", "-120", "120.0")
    ),
    *(
        rule("5.1", f"`Age: {old}` is stale", fetch(cc("max-age=60", Age=old)), again())
        for old in ("2147483647", "2147483648", "99999999999", "120, 0")
    ),
    rule("5.1", "Of several ages the first counts", fetch(cc("max-age=60", Age="0, 120")), hit()),
    rule("5.1", "In one line or two", fetch({**HOUR, "Age": ["0", "7200"]}), hit()),
    *(
        rule(
            "4.2.2",
            f"A {status} with `Last-Modified` has a lifetime that can be guessed",
            fetch({"Date": "@0", "Last-Modified": f"@-{DAY}"}, status=status),
            hit(after=8000),
        )
        for status in (200, 203, 204, 404, 405, 410, 414, 501)
    ),
    *(
        rule(
            "4.2.2",
            f"A {status} has not",
            fetch({"Date": "@0", "Last-Modified": f"@-{DAY}"}, status=status),
            again(),
        )
        for status in (201, 202, 403, 502, 503, 504, 599)
    ),
    rule(
        "4.2.2",
        "… unless it is `public`",
        fetch(cc("public", Last_Modified=f"@-{DAY}"), status=599),
        hit(),
    ),
    rule(
        "4.2.2",
        "A guess is a tenth of the time since the last change",
        fetch({"Date": "@0", "Last-Modified": "@-1000"}),
        hit(after=99),
        again(after=2),
    ),
    rule(
        "4.2.2",
        "And a day at most",
        fetch({"Date": "@0", "Last-Modified": f"@-{1000 * DAY}"}),
        hit(after=DAY - 1),
        again(after=2),
    ),
    rule(
        "4.2.2",
        "Nothing is guessed for a request with a cookie",
        fetch({"Date": "@0", "Last-Modified": f"@-{DAY}"}, ask={"Cookie": "a=b"}),
        again(),
    ),
    rule(
        "4.2.2",
        "Nor for an answer that sets one",
        fetch({"Date": "@0", "Last-Modified": f"@-{DAY}", "Set-Cookie": "a=b"}),
        again(),
    ),
    *(
        rule(
            "4.2.4",
            f"What came {how} a cookie is asked about, and not used stale {when}",
            fetch({"Date": "@0", "Last-Modified": f"@-{DAY}", **sets}, ask=asks),
            step,
        )
        for how, sets, asks in (("to", {}, {"Cookie": "a=b"}), ("with", {"Set-Cookie": "a=b"}, {}))
        for when, step in (
            ("for `max-stale`", again({"Cache-Control": "max-stale"})),
            ("where no answer comes", again(fails=True, gets=502)),
            (
                "for `stale-if-error`",
                again({"Cache-Control": "stale-if-error=9"}, status=500, gets=500),
            ),
        )
    ),
    rule(
        "5.1", "An answer from the cache has an `Age`", fetch(HOUR), hit(after=3, has={"age": "3"})
    ),
    rule(
        "5.1",
        "To which that of other caches is added",
        fetch(cc("max-age=600", Age="30")),
        hit(after=3, has={"age": "33"}),
    ),
    rule(
        "4",
        "`Date` stays as it was",
        fetch(HOUR),
        hit(after=30, has={"date": "Fri, 15 Jan 2027 08:00:00 GMT"}),
    ),
    rule(
        "9110, 6.6.1",
        "A response without `Date` gets one",
        fetch({"Cache-Control": "max-age=60"}, has={"date": "Fri, 15 Jan 2027 08:00:00 GMT"}),
        hit(has={"date": "Fri, 15 Jan 2027 08:00:00 GMT"}),
    ),
]

REQUESTS = [
    rule(
        "5.2.1.1", "`max-age=0` asks the origin", fetch(HOUR), again({"Cache-Control": "max-age=0"})
    ),
    rule(
        "5.2.1.1",
        "`max-age` bounds the age",
        fetch(HOUR),
        hit({"Cache-Control": "max-age=10"}, after=9),
        again({"Cache-Control": "max-age=10"}, after=2),
    ),
    rule(
        "5.2.1.1",
        "Also the age that it came with",
        fetch(cc("max-age=3600", Age="1800")),
        again({"Cache-Control": "max-age=600"}),
    ),
    rule(
        "5.2.1.2",
        "`max-stale` accepts a stale response",
        fetch(cc("max-age=1")),
        hit({"Cache-Control": "max-stale=10"}, after=5),
    ),
    rule(
        "5.2.1.2",
        "… within its bound",
        fetch(cc("max-age=1")),
        again({"Cache-Control": "max-stale=10"}, after=20),
    ),
    rule(
        "5.2.1.2",
        "… or any, where it has none",
        fetch(cc("max-age=1")),
        hit({"Cache-Control": "max-stale"}, after=DAY),
    ),
    rule(
        "5.2.1.2",
        "… but none that must be asked about",
        fetch(cc("max-age=1, must-revalidate")),
        again({"Cache-Control": "max-stale"}, after=5),
    ),
    rule(
        "5.2.1.3",
        "`min-fresh` wants it fresh for longer",
        fetch(cc("max-age=60")),
        hit({"Cache-Control": "min-fresh=30"}),
        again({"Cache-Control": "min-fresh=70"}),
    ),
    rule(
        "5.2.1.3",
        "… counting the age that it came with",
        fetch(cc("max-age=1500", Age="1000")),
        again({"Cache-Control": "min-fresh=1000"}),
    ),
    rule(
        "5.2.1.4", "`no-cache` asks the origin", fetch(HOUR), again({"Cache-Control": "no-cache"})
    ),
    rule(
        "5.2.1.4",
        "… about what is stored, where it can",
        fetch(TAGGED),
        validated(ask={"Cache-Control": "no-cache"}, sends={"if-none-match": '"1"'}),
    ),
    rule(
        "5.2.1.4",
        "… by tag or by date",
        fetch(DATED),
        validated(
            ask={"Cache-Control": "no-cache"},
            sends={"if-modified-since": "Fri, 15 Jan 2027 06:36:40 GMT"},
        ),
    ),
    rule(
        "5.2.1.5",
        "`no-store` goes past the cache",
        fetch(HOUR),
        again({"Cache-Control": "no-store"}),
        hit(has={"answer": "1"}),
    ),
    rule(
        "5.2.1.5",
        "… and leaves nothing in it",
        fetch(HOUR, ask={"Cache-Control": "no-store"}),
        again(),
    ),
    rule(
        "5.2.1.7",
        "`only-if-cached` gets 504 where nothing is stored",
        refused({"Cache-Control": "only-if-cached"}, gets=504),
    ),
    rule(
        "5.2.1.7",
        "… or what is stored is stale",
        fetch(cc("max-age=1")),
        refused({"Cache-Control": "only-if-cached"}, after=2, gets=504),
    ),
    rule(
        "5.2.1.7",
        "… and else what is stored",
        fetch(HOUR),
        hit({"Cache-Control": "only-if-cached"}),
    ),
    *(
        rule(
            "5.2.1.7",
            f"{what} it gets 504 as well, and the origin no request",
            fetch(HOUR),
            refused({"Cache-Control": "only-if-cached", **asked}, gets=504, method=method),
        )
        for what, method, asked in (
            ("Beside `no-store`", "GET", {"Cache-Control": "only-if-cached, no-store"}),
            ("With several ranges", "GET", {"Range": "bytes=0-1,3-4"}),
            ("With `If-Match`", "GET", {"If-Match": '"1"'}),
            ("With POST", "POST", {}),
        )
    ),
    rule(
        "5.4", "`Pragma: no-cache` counts as `no-cache`", fetch(HOUR), again({"Pragma": "no-cache"})
    ),
    rule(
        "5.4",
        "… where there is no `Cache-Control`",
        fetch(HOUR),
        hit({"Pragma": "no-cache", "Cache-Control": "max-age=60"}),
    ),
    rule("5.4", "Other words in `Pragma` are ignored", fetch(HOUR), hit({"Pragma": "foo"})),
    rule("5.4", "In a response it means nothing", fetch({**HOUR, "Pragma": "no-cache"}), hit()),
]

VARY = [
    rule(
        "4.1",
        "The same request gets the same variant",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1"}),
        hit({"Foo": "1"}),
    ),
    rule(
        "4.1",
        "Another one does not",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1"}),
        again({"Foo": "2"}),
    ),
    rule(
        "4.1",
        "A field that was not there must not be there",
        fetch(cc("max-age=60", Vary="Foo")),
        again({"Foo": "1"}),
    ),
    rule(
        "4.1",
        "One that was there must be",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1"}),
        again(),
    ),
    rule(
        "4.1",
        "Variants are kept beside each other",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1"}),
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "2"}),
        hit({"Foo": "1"}, has={"answer": "1"}),
        hit({"Foo": "2"}, has={"answer": "2"}),
    ),
    rule(
        "4.1",
        "Other fields do not matter",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1", "Other": "2"}),
        hit({"Foo": "1", "Other": "3"}),
    ),
    rule(
        "4.1",
        "All fields that are named do",
        fetch(cc("max-age=60", Vary="Foo, Bar"), ask={"Foo": "1", "Bar": "a"}),
        hit({"Bar": "a", "Foo": "1"}),
        again({"Foo": "1", "Bar": "b"}),
        again({"Foo": "1"}),
    ),
    rule(
        "4.1",
        "Names are compared in any case",
        fetch(cc("max-age=60", Vary="fOO"), ask={"Foo": "1"}),
        hit({"FOO": "1"}),
    ),
    *(
        rule(
            "4.1",
            f"`Vary: {star}` is never used again",
            fetch(cc("max-age=60", Vary=star)),
            again(),
        )
        for star in ("*", "*, *", ", *", "*, Foo", "Foo, *")
    ),
    rule("4.1", "A star in a second line, too", fetch({**HOUR, "Vary": ["Foo", "*"]}), again()),
    rule(
        "4.1",
        "Lines are put together before they are compared",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1, 2"}),
        hit([("Foo", "1"), ("Foo", "2")]),
    ),
    rule(
        "4.1",
        "Blanks around commas do not count",
        fetch(cc("max-age=60", Vary="Foo"), ask={"Foo": "1,2"}),
        hit({"Foo": "1, 2"}),
    ),
    rule(
        "4.1",
        "Neither order nor case of languages counts",
        fetch(cc("max-age=60", Vary="Accept-Language"), ask={"Accept-Language": "en, de"}),
        hit({"Accept-Language": "De,eN"}),
    ),
    rule(
        "4.1",
        "Where an origin varies by something else now, old variants are gone",
        fetch(cc("max-age=60")),
        fetch(cc("max-age=60", Vary="Foo"), ask={"Cache-Control": "no-cache", "Foo": "1"}),
        again({"Foo": "2"}),
    ),
]

VALIDATION = [
    rule(
        "4.3.1",
        "A stale response is asked about by its tag",
        fetch(TAGGED),
        validated(after=60, sends={"if-none-match": '"1"'}, gets=200, reads=b"hello"),
    ),
    rule(
        "4.3.1",
        "A weak tag will do",
        fetch(cc("max-age=1", ETag='W/"1"')),
        validated(after=2, sends={"if-none-match": 'W/"1"'}, gets=200),
    ),
    rule(
        "4.3.1",
        "Or by its date",
        fetch(DATED),
        validated(after=60, sends={"if-modified-since": "Fri, 15 Jan 2027 06:36:40 GMT"}, gets=200),
    ),
    rule(
        "4.3.1",
        "The request is the client's in all else",
        fetch(cc("max-age=1", ETag='"1"', Vary="Abc"), ask={"Abc": "123"}),
        validated(ask={"Abc": "123"}, after=2, sends={"abc": "123"}),
    ),
    rule(
        "4.3.3",
        "A new response takes the old one's place",
        fetch(TAGGED),
        fetch(TAGGED, after=60, body=b"new"),
        hit(reads=b"new"),
    ),
    rule(
        "4.3.4",
        "After a 304 it is fresh again",
        fetch(TAGGED),
        validated(TAGGED, after=60),
        hit(after=59),
    ),
    rule(
        "4.3.4",
        "A 304 for something else freshens nothing",
        fetch(TAGGED),
        validated({**TAGGED, "ETag": '"2"'}, after=60, has={"etag": '"1"'}),
        validated(TAGGED),
    ),
    rule(
        "3.2",
        "What a 304 leaves out stays",
        fetch(cc("max-age=1", ETag='"1"', A="1")),
        validated(TAGGED, after=2, has={"a": "1"}),
    ),
    *(
        rule(
            "3.2",
            f"A 304 updates `{name}`",
            fetch(cc("max-age=1", ETag='"1"', **{name: "1"})),
            validated(
                cc("max-age=60", ETag='"1"', **{name: "2"}), after=2, has={name.lower(): "2"}
            ),
            hit(has={name.lower(): "2"}),
        )
        for name in (
            "Test-Header",
            "X-Test-Header",
            "Content-Foo",
            "Content-Location",
            "Content-Security-Policy",
            "Content-Type",
            "Clear-Site-Data",
            "Public-Key-Pins",
            "X-Frame-Options",
            "X-XSS-Protection",
        )
    ),
    *(
        rule(
            "3.2",
            f"A 304 leaves `{name}` alone: it is about the bytes that are stored",
            fetch(cc("max-age=1", ETag='"1"', **{name: "5"})),
            validated(
                cc("max-age=60", ETag='"1"', **{name: "6"}), after=2, has={name.lower(): "5"}
            ),
            hit(has={name.lower(): "5"}),
        )
        for name in ("Content-Encoding", "Content-Length", "Content-MD5", "Content-Range")
    ),
    *(
        rule(
            "3",
            f"A 304 with `{said}` is the last use of what is stored",
            fetch(TAGGED),
            validated(cc(f"{said}, max-age=60", ETag='"1"'), after=61, reads=b"hello"),
            again(),
        )
        for said in ("private", "no-store")
    ),
    rule(
        "4.1",
        "So is one with another `Vary`: nobody knows what the first client said there",
        fetch(TAGGED),
        validated({**TAGGED, "Vary": "Cookie"}, ask={"Cookie": "a=b"}, after=61),
        again(),
    ),
    rule(
        "3.5",
        "So is one for credentials that does not allow others to have it",
        fetch(TAGGED),
        validated(TAGGED, ask={"Authorization": "x"}, after=61),
        again(),
    ),
    rule(
        "5.2.2.7",
        "A field that a 304 names in `private` is not shown again",
        fetch(cc("max-age=60", ETag='"1"', A="1")),
        validated(cc('max-age=60, private="a"', ETag='"1"'), after=61),
        hit(lacks=("a",)),
    ),
    rule(
        "5.2.2.4",
        "`no-cache` is stored, and asked about each time",
        fetch(cc("no-cache", ETag='"1"')),
        validated(cc("no-cache", ETag='"1"')),
        validated(cc("no-cache", ETag='"1"')),
    ),
    rule(
        "5.2.2.4",
        "… whatever its lifetime",
        fetch(cc("max-age=60, no-cache", Expires="@60", ETag='"1"')),
        validated(),
    ),
    rule(
        "5.2.2.2",
        "`must-revalidate` is used while fresh",
        fetch(cc("max-age=60, must-revalidate", ETag='"1"')),
        hit(),
    ),
    rule(
        "5.2.2.2",
        "… and asked about when stale",
        fetch(cc("max-age=60, must-revalidate", ETag='"1"')),
        validated(after=61),
    ),
    rule(
        "4.3.2",
        "A client that has what is stored gets 304",
        fetch(TAGGED),
        hit({"If-None-Match": '"1"'}, gets=304, reads=b"", has={"etag": '"1"'}),
    ),
    rule(
        "4.3.2",
        "… also by a weak tag",
        fetch(cc("max-age=60", ETag='W/"1"')),
        hit({"If-None-Match": 'W/"1"'}, gets=304),
    ),
    rule(
        "4.3.2",
        "… one among several",
        fetch(TAGGED),
        hit({"If-None-Match": '"0", "1", "2"'}, gets=304),
    ),
    rule("4.3.2", "… or a star", fetch(TAGGED), hit({"If-None-Match": "*"}, gets=304)),
    rule(
        "4.3.2",
        "A client that has something else gets all of it",
        fetch(TAGGED),
        hit({"If-None-Match": '"2"'}, gets=200, reads=b"hello"),
    ),
    rule(
        "9110, 13.1.3",
        "The tag counts more than the date",
        fetch(cc("max-age=60", ETag='"1"', Last_Modified="@-5000")),
        hit({"If-None-Match": '"1"', "If-Modified-Since": "@-9000"}, gets=304),
        hit({"If-None-Match": '"2"', "If-Modified-Since": "@0"}, gets=200),
    ),
    rule(
        "4.3.2",
        "A client that has it since its last change gets 304",
        fetch(DATED),
        hit({"If-Modified-Since": "@-5000"}, gets=304),
        hit({"If-Modified-Since": "@-4000"}, gets=304),
    ),
    rule(
        "4.3.2",
        "… from before gets all of it",
        fetch(DATED),
        hit({"If-Modified-Since": "@-5001"}, gets=200),
    ),
    rule(
        "4.3.2",
        "Without `Last-Modified` the date of the response counts",
        fetch(HOUR),
        hit({"If-Modified-Since": "@60"}, gets=304),
        hit({"If-Modified-Since": "@-60"}, gets=200),
    ),
    rule(
        "4.3.2",
        "After validation the client's own condition is looked at",
        fetch(TAGGED),
        validated(TAGGED, after=61, ask={"If-None-Match": '"1"'}, gets=304),
    ),
    rule(
        "4.3.2",
        "What the client has is asked about, too",
        fetch(TAGGED),
        Step(
            "fetch",
            {"ETag": '"2"'},
            {"If-None-Match": '"2"'},
            61,
            304,
            sends={"if-none-match": '"1", "2"'},
            gets=304,
        ),
    ),
    rule(
        "4.3.2",
        "Without anything stored a condition goes to the origin",
        Step(
            "fetch",
            ask={"If-None-Match": '"1"'},
            status=304,
            sends={"if-none-match": '"1"'},
            gets=304,
        ),
    ),
    rule(
        "9110, 13.1.1",
        "`If-Match` is for the origin",
        fetch(TAGGED),
        again({"If-Match": '"1"'}, sends={"if-match": '"1"'}),
    ),
]

STALE = [
    rule(
        "4.2.4",
        "Where no answer comes, a stale response serves",
        fetch(cc("max-age=1")),
        hit(after=2, fails=True, has={"age": "2"}),
    ),
    *(
        rule(
            "4.2.4",
            f"… but not past `{strict}`",
            fetch(cc(f"max-age=1, {strict}")),
            again(after=2, fails=True, gets=502),
        )
        for strict in ("must-revalidate", "proxy-revalidate", "no-cache", "s-maxage=1")
    ),
    rule(
        "4.2.4",
        "… nor for ever",
        fetch(cc("max-age=1")),
        again(after=DAY + 2, fails=True, gets=502),
    ),
    rule(
        "4.2.4",
        "An error is an answer",
        fetch(cc("max-age=1")),
        again(after=2, status=503, gets=503),
    ),
    rule(
        "RFC 5861, 4",
        "`stale-if-error` has a stale response serve instead of an error",
        fetch(cc("max-age=1, stale-if-error=60")),
        Step("fetch", after=2, status=503, gets=200, has={"answer": "1"}),
    ),
    rule(
        "RFC 5861, 4",
        "… for so long",
        fetch(cc("max-age=1, stale-if-error=60")),
        again(after=62, status=503, gets=503),
    ),
    rule(
        "RFC 5861, 4",
        "A client may ask for it, too",
        fetch(cc("max-age=1")),
        Step(
            "fetch",
            ask={"Cache-Control": "stale-if-error=60"},
            after=2,
            status=500,
            gets=200,
            has={"answer": "1"},
        ),
    ),
    rule(
        "RFC 5861, 3",
        "`stale-while-revalidate` answers at once",
        fetch(cc("max-age=1, stale-while-revalidate=60", ETag='"1"')),
        hit(after=30, has={"age": "30"}),
    ),
    rule(
        "RFC 5861, 3",
        "… for so long",
        fetch(cc("max-age=1, stale-while-revalidate=60", ETag='"1"')),
        validated(after=62),
    ),
]

CHANGES = [
    *(
        rule(
            "4.4",
            f"A successful {method} makes what is stored doubtful",
            fetch(HOUR),
            again(method=method),
            again(),
        )
        for method in ("POST", "PUT", "DELETE", "PATCH", "M-SEARCH")
    ),
    *(
        rule(
            "4.4",
            f"A failed {method} does not",
            fetch(HOUR),
            again(method=method, status=500),
            hit(),
        )
        for method in ("POST", "PUT", "DELETE", "M-SEARCH")
    ),
    rule(
        "4.4", "So does a redirect after it", fetch(HOUR), again(method="POST", status=303), again()
    ),
    *(
        rule(
            "4.4",
            f"The URL in `{name}` is doubtful, too",
            fetch(HOUR, url="http://a.test/other"),
            fetch({name: "/other"}, method="POST"),
            again(url="http://a.test/other"),
        )
        for name in ("Location", "Content-Location")
    ),
    rule(
        "4.4",
        "… but none of another origin",
        fetch(HOUR, url="http://b.test/"),
        fetch({"Location": "http://b.test/"}, method="POST"),
        hit(url="http://b.test/"),
    ),
    rule("9110, 9.2.1", "`OPTIONS` changes nothing", fetch(HOUR), again(method="OPTIONS"), hit()),
    rule(
        "4.3.5",
        "HEAD is answered from a stored GET",
        fetch(HOUR),
        hit(method="HEAD", reads=b"", has={"content-length": "5"}),
    ),
    rule(
        "4.3.5",
        "HEAD goes to the origin where that is stale",
        fetch(cc("max-age=1")),
        again(method="HEAD", after=2),
    ),
    rule(
        "4.3.5",
        "Its answer freshens what is stored",
        fetch(cc("max-age=1", A="1")),
        fetch(cc("max-age=60", A="2"), method="HEAD", after=2),
        hit(has={"a": "2"}, reads=b"hello"),
    ),
    rule(
        "4.3.5",
        "… or shows that it is no longer so",
        fetch(cc("max-age=60", ETag='"1"')),
        fetch(cc("max-age=60", ETag='"2"'), method="HEAD", ask={"Cache-Control": "no-cache"}),
        again(),
    ),
    *(
        rule(
            "4.3.5",
            f"… as a {status} is not, where there is a page now",
            fetch(cc("max-age=1"), status=status),
            fetch(cc("max-age=60"), method="HEAD", after=2),
            again(gets=200),
        )
        for status in (301, 404, 410)
    ),
    rule(
        "3",
        "… or that others must not have it",
        fetch(cc("max-age=5")),
        fetch(
            cc("private, max-age=600", Set_Cookie="sid=alice"),
            method="HEAD",
            ask={"Cookie": "sid=alice"},
            after=6,
        ),
        again(),
    ),
    rule(
        "7.3",
        "Cookies that it sets are for whoever asked",
        fetch(cc("max-age=5")),
        fetch(cc("max-age=600", Set_Cookie="sid=alice"), method="HEAD", after=6),
        hit(lacks=("set-cookie",)),
    ),
    rule("3", "Answers to HEAD are not stored", fetch(HOUR, method="HEAD"), again(method="HEAD")),
    rule(
        "5.2.2.5",
        "Where a new answer must not be stored, the old one goes",
        fetch(HOUR),
        fetch(cc("no-store"), ask={"Cache-Control": "no-cache"}),
        again(),
    ),
]

RANGES = [
    rule(
        "9110, 14.2",
        "A range is cut from what is stored",
        fetch(HOUR),
        hit(
            {"Range": "bytes=0-1"},
            gets=206,
            reads=b"he",
            has={"content-range": "bytes 0-1/5", "content-length": "2"},
        ),
    ),
    rule(
        "9110, 14.1.2",
        "… to its end",
        fetch(HOUR),
        hit({"Range": "bytes=1-"}, gets=206, reads=b"ello"),
    ),
    rule(
        "9110, 14.1.2",
        "… from its end",
        fetch(HOUR),
        hit({"Range": "bytes=-1"}, gets=206, reads=b"o"),
    ),
    rule(
        "9110, 14.1.2",
        "… and never beyond",
        fetch(HOUR),
        hit({"Range": "bytes=3-99"}, gets=206, reads=b"lo"),
    ),
    rule(
        "9110, 15.5.17",
        "A range that is not there gets 416",
        fetch(HOUR),
        hit({"Range": "bytes=5-"}, gets=416, reads=b"", has={"content-range": "bytes */5"}),
    ),
    rule(
        "3.4",
        "A range of what is not stored passes through",
        fetch(HOUR, ask={"Range": "bytes=0-1"}, status=206, sends={"range": "bytes=0-1"}),
        again(),
    ),
    rule(
        "3",
        "A whole answer to a range is stored",
        fetch(HOUR, ask={"Range": "bytes=0-1"}),
        hit(gets=200),
    ),
    rule(
        "9110, 14.2",
        "Several ranges at once are for the origin",
        fetch(HOUR),
        again({"Range": "bytes=0-1,3-4"}),
    ),
    *(
        rule(
            "9110, 14.2",
            f"HEAD is about the whole, whatever `Range` says: `{part}`",
            fetch(HOUR),
            hit(
                {"Range": part},
                method="HEAD",
                gets=200,
                reads=b"",
                has={"content-length": "5"},
                lacks=("content-range",),
            ),
        )
        for part in ("bytes=0-1", "bytes=5-", "bytes=0-1,3-4")
    ),
    rule(
        "9110, 13.1.5",
        "`If-Range` with the same strong tag gets the range",
        fetch(TAGGED),
        hit({"Range": "bytes=0-1", "If-Range": '"1"'}, gets=206),
    ),
    rule(
        "9110, 13.1.5",
        "… with another one the whole",
        fetch(TAGGED),
        hit({"Range": "bytes=0-1", "If-Range": '"2"'}, gets=200, reads=b"hello"),
    ),
    rule(
        "9110, 13.1.5",
        "… and with a weak one, too",
        fetch(cc("max-age=60", ETag='W/"1"')),
        hit({"Range": "bytes=0-1", "If-Range": 'W/"1"'}, gets=200),
    ),
]

TOLD = [
    rule(
        "RFC 9211",
        "A hit says how long it stays one",
        fetch(HOUR),
        hit(after=100, has={"cache-status": "gossamer; hit; ttl=3500"}),
    ),
    rule(
        "RFC 9211",
        "A stale one says for how long it is none",
        fetch(cc("max-age=1")),
        hit(
            {"Cache-Control": "max-stale"}, after=11, has={"cache-status": "gossamer; hit; ttl=-10"}
        ),
    ),
    rule(
        "RFC 9211",
        "A miss says so, and whether it is stored",
        fetch(HOUR, has={"cache-status": "gossamer; fwd=uri-miss; fwd-status=200; stored"}),
    ),
    rule(
        "RFC 9211",
        "… or why not",
        fetch(
            cc("private"),
            has={"cache-status": 'gossamer; fwd=uri-miss; fwd-status=200; detail="private"'},
        ),
    ),
    rule(
        "RFC 9211",
        "Validation says so",
        fetch(TAGGED),
        validated(after=61, has={"cache-status": "gossamer; fwd=stale; fwd-status=304"}),
    ),
    rule(
        "RFC 9211",
        "A wish of the client, too",
        fetch(TAGGED),
        validated(
            ask={"Cache-Control": "no-cache"},
            has={"cache-status": "gossamer; fwd=request; fwd-status=304"},
        ),
    ),
    rule(
        "RFC 9211",
        "And another variant",
        fetch(cc("max-age=60", Vary="Foo")),
        fetch(
            cc("max-age=60", Vary="Foo"),
            ask={"Foo": "1"},
            has={"cache-status": "gossamer; fwd=vary-miss; fwd-status=200; stored"},
        ),
    ),
    rule(
        "RFC 9211",
        "What other caches said stands before",
        fetch(
            {**HOUR, "Cache-Status": "other; hit"},
            has={"cache-status": "other; hit, gossamer; fwd=uri-miss; fwd-status=200; stored"},
        ),
        hit(has={"cache-status": "other; hit, gossamer; hit; ttl=3600"}),
    ),
]

GROUPS: Mapping[str, list[Rule]] = {
    "What is stored": STORING,
    "How long it is fresh": FRESHNESS,
    "What clients ask for": REQUESTS,
    "Variants": VARY,
    "Validation": VALIDATION,
    "When it is stale": STALE,
    "When something changes": CHANGES,
    "Ranges": RANGES,
    "What answers say about it": TOLD,
}
RULES = [each for group in GROUPS.values() for each in group]


def names(rules: list[Rule]) -> list[str]:
    """What tests are called."""
    return [re.sub(r"\W+", "-", f"{each.section} {each.says}").strip("-").lower() for each in rules]


INTRODUCTION = f"""\
# How the cache keeps to the rules

The proxy has a shared cache by [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111), with
`Cache-Status` ([RFC 9211](https://www.rfc-editor.org/rfc/rfc9211)) and `stale-if-error` and
`stale-while-revalidate` ([RFC 5861](https://www.rfc-editor.org/rfc/rfc5861)). Each line below is
a story that a test plays through, on the cache alone (`tests/proxy/cache/test_rules.py`) and
through the proxy over real sockets (`tests/proxy/cache/test_over_sockets.py`). The page is made
from those {len(RULES)} stories; sections are those of RFC 9111 unless another one is named.

## The public suite

The tests of [cache-tests.fyi](https://cache-tests.fyi) were run through the proxy, as a forward proxy with no delay and no
back-off (`http-cache-tests` 0.4.5 from npm, its latest release there; November 2026). They are no part of this project and
do not run with its tests. `python tools/cache_suite.py FOLDER` runs them again, and counts. A case counts if the suite's client runs
it for a proxy, which leaves out five cases for browsers alone. The kinds are those that the suite gives its cases: a failed *required*
case is a sign of non-conformance, a failed *optimal* one costs a request that a better cache would spare. A third kind,
*check*, has no right answer and is not counted.

| | required (157) | optimal (86) |
| --- | --- | --- |
| the proxy | 138 | 78 |
| squid 5.7, run in the same way | 121 | 52 |
| squid 4.13 | 134 | 49 |
| httpd 2.4.46 | 124 | 60 |
| Traffic Server 8.0.8 (13 cases are missing) | 119 | 57 |
| Varnish 6.4.0 | 118 | 44 |
| nginx 1.18.0 | 96 | 57 |

The last five rows are the results that the package brings along, of reverse proxies that its authors ran, counted by the same command.

Of the 19 required cases that we fail, the suite's repository has turned round or withdrawn 16 since that release, because
RFC 9111 says otherwise or nothing:

- nine about an `Age` that cannot be read or is given twice (§5.1: ignored; the first one counts): seven want the opposite by now, and
  two are of the kind *check*
- four that want a new answer from a server that hangs up without one; by now they want only that the stored one is not used. We
  answer 502
- three about a 304 with another `ETag` (§4.3.4: it updates nothing), `Set-Cookie` or `Set-Cookie2`: *check* by now

Three are left. Two **fail by choice**: that a hit has the `Set-Cookie` or `Set-Cookie2` of somebody else's answer. RFC 9111 §7.3
leaves it to the origin to forbid that. Most do not know that they would have to, and then one client is logged in as another. The
last one has a server whose `Transfer-Encoding` is a word that it made up: to that we say 502, since the next hop would take such a
body for what it is not.

Of the optimal ones we leave out: storing parts (5), answers to POST, choosing among languages by weight, and
`If-Modified-Since` from before a response that has no `Last-Modified`.

## Choices

What we choose where the RFC leaves the choice is in [decision 35](decisions/0035-proxy-cache.md), and what we do
against those who would poison the cache in [decision 53](decisions/0053-the-proxy-between-strangers.md);
what that means for users is in [the cache](cache.md).
"""


def page() -> str:
    """The page of docs."""
    parts = [INTRODUCTION]
    for title, rules in GROUPS.items():
        lines = [f"| {each.says} | {each.section} |" for each in rules]
        parts.append("\n".join([f"## {title}", "", "| rule | section |", "| --- | --- |", *lines]))
    return "\n".join(parts[:1]) + "\n" + "\n\n".join(parts[1:]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
