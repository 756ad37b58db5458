"""What one robots.txt permits us: the suite, the RFC's own words, and a slow second opinion."""

import base64
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import re2
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gossamer.model import Url
from gossamer.politeness.robots.groups import MAX_ROBOTS_BYTES, Group
from gossamer.politeness.robots.octets import compared_paths, compared_patterns
from gossamer.politeness.robots.policy import (
    MAX_DELAY_SECONDS,
    MAX_USAGES,
    CrawlDelay,
    Decision,
    RobotsPolicy,
    asked_delay,
)
from gossamer.urls.canonical import canonical

ROOT = Url("http://foo.bar/")
MORE = 10 if os.environ.get("GOSSAMER_TEST_SIZE") == "full" else 1
RFC_9309_CASES = 141
GOOGLE_CASES = 35
# Where we differ from what only Google's parser does, and why.
GOOGLE_DIFFERENCES: Mapping[str, str] = {
    "encoding-raw-pattern-raw-url-01": "our URLs are percent-encoded before they are compared",
    "encoding-pct-pattern-raw-url-01": "our URLs are percent-encoded before they are compared",
    "encoding-unreserved-01": "RFC 9309 section 2.2.2 decodes unreserved octets on both sides",
    "index-html-01": "a rule about index.html says nothing about its folder in RFC 9309",
    "long-line-disallow-02": "the limit on the file bounds its lines; none is cut, so rules keep their tail",
    "long-line-allow-03": "the limit on the file bounds its lines; none is cut, so rules keep their tail",
}
hostile_lines = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.sampled_from([b"User-agent: *", b"User-agent: gossamer", b"\xff", b"\x00", b"#"]),
        st.builds(
            lambda name, value: name + value,
            st.sampled_from(
                [b"Disallow:", b"allow: ", b"Crawl-delay:", b"Content-Usage: ", b"Sitemap:"]
            ),
            st.binary(max_size=30),
        ),
    ),
    max_size=20,
)
pieces = st.sampled_from(["/", "a", "b", ".", "?", "=", "é", "%c3%A9", "%61", "%2f", "$", "ab"])
some_paths = st.lists(pieces.filter(lambda piece: piece != "$"), max_size=6).map("".join)
some_patterns = st.one_of(
    st.just(""),
    st.builds(
        lambda start, middle, end: start + "".join(middle) + end,
        st.sampled_from(["/", "*", "/a"]),
        st.lists(st.one_of(pieces, st.just("*")), max_size=5),
        st.sampled_from(["", "$"]),
    ),
)
some_lines = st.one_of(
    st.sampled_from(["*", "gossamer", "GOSSAMER", "other"]).map("User-agent: {}".format),
    some_patterns.map("Allow: {}".format),
    some_patterns.map("Disallow: {}".format),
    st.sampled_from(["", "# note", "Sitemap: http://foo.bar/s", "Crawl-delay: 1", "Other: x"]),
)
query_parts = st.sampled_from(["?", "?", ":", "/", "%3A", "%2f", "%3F", "a", "3A", "F", "*"])
queries = st.lists(query_parts, max_size=8).map("".join)
query_rules = st.builds(
    lambda name, start, rest, end: f"{name}: {start}{rest}{end}",
    st.sampled_from(["Allow", "Disallow"]),
    st.sampled_from(["/", "*", "/*"]),
    queries,
    st.sampled_from(["", "", "$"]),
)
some_long = st.sampled_from(
    ["", "", "a:" * 140, "/%3A" * 70]
)  # past this length, paths are indexed


def url(path: str) -> Url:
    found = canonical(path, ROOT)
    assert isinstance(found, str)
    return found


def policy(*lines: str, agent: str = "gossamer") -> RobotsPolicy:
    return RobotsPolicy.parse("\n".join(lines).encode(), agent)


def suite_cases(suites: Path, scope: str) -> list[dict[str, Any]]:
    cases = json.loads((suites / "robots" / "cases.json").read_text())
    return [case for case in cases if case["scope"] == scope]


def body_of(case: Mapping[str, Any], folder: Path) -> bytes:
    if "robots_txt_file" in case:
        return (folder / str(case["robots_txt_file"])).read_bytes()
    if "robots_txt_base64" in case:
        return base64.b64decode(case["robots_txt_base64"])
    return str(case["robots_txt"]).encode()


def differs(case: Mapping[str, Any], suites: Path) -> bool:
    ours = RobotsPolicy.parse(body_of(case, suites / "robots"), case["user_agent"])
    decision = ours.decide(url(case["url"]))
    assert decision.allowed == ours.allows(url(case["url"]))
    return decision.allowed is not case["allowed"]


@pytest.mark.needs_suites
def test_all_cases_of_the_standard_pass(suites: Path) -> None:
    cases = suite_cases(suites, "rfc9309")
    assert len(cases) == RFC_9309_CASES
    assert [case["id"] for case in cases if differs(case, suites)] == []


@pytest.mark.needs_suites
def test_we_differ_from_google_only_where_there_is_a_reason(suites: Path) -> None:
    cases = suite_cases(suites, "google")
    assert len(cases) == GOOGLE_CASES
    assert {case["id"] for case in cases if differs(case, suites)} == GOOGLE_DIFFERENCES.keys()


@pytest.mark.needs_suites
def test_sitemaps_are_found_as_the_suite_says(suites: Path) -> None:
    cases = json.loads((suites / "robots" / "extras.json").read_text())["sitemaps"]
    assert cases
    for case in cases:
        found = RobotsPolicy.parse(case["robots_txt"].encode(), "gossamer").sitemaps
        assert found == tuple(case["sitemaps"])


@pytest.mark.needs_suites
def test_the_part_of_a_url_that_is_compared_is_the_suites(suites: Path) -> None:
    cases = json.loads((suites / "robots" / "extras.json").read_text())["match_path"]
    absolute = [case for case in cases if case["url"].startswith("http")]
    assert len(absolute) == 6
    for case in absolute:
        rules = policy("User-agent: *", "Disallow: /", f"Allow: {case['path']}$")
        assert rules.decide(url(case["url"])).line_number == 3


def test_a_decision_names_group_line_and_reason() -> None:
    rules = policy("# ours", "User-agent: Gossamer", "Disallow: /x", "Allow: /x/y")
    assert rules.decide(url("/x/z")) == Decision(
        allowed=False,
        group=Group("gossamer", 2),
        line_number=3,
        line="Disallow: /x",
        why="Line 3 of robots.txt, 'Disallow: /x' (User-agent: gossamer, line 2), "
        "is the longest rule that matches.",
    )
    assert rules.decide(url("/x/y")).line_number == 4
    none = rules.decide(url("/z"))
    assert (none.allowed, none.group, none.line_number) == (True, Group("gossamer", 2), None)
    assert policy("Disallow: /").decide(url("/")).why == "No group of robots.txt concerns us."


def test_an_empty_rule_is_never_named() -> None:
    decision = policy("User-agent: *", "Allow:", "Disallow:").decide(url("/x"))
    assert decision.allowed
    assert decision.line_number is None


@pytest.mark.parametrize("path", ["/robots.txt", "/%72obots.txt"])
def test_robots_txt_itself_is_always_allowed(path: str) -> None:
    for rules in (policy("User-agent: *", "Disallow: /"), RobotsPolicy.deny_all("closed")):
        assert rules.allows(url(path))
        assert rules.decide(url(path)).allowed
        assert not rules.allows(url("/robots.txt.bak"))


def test_policies_without_rules_give_their_reason() -> None:
    assert RobotsPolicy.deny_all("it is closed").decide(url("/")).why == "it is closed"
    assert RobotsPolicy.allow_all("it is open").decide(url("/")).why == "it is open"
    assert RobotsPolicy.allow_all("it is open").allows(url("/"))
    assert not RobotsPolicy.deny_all("it is closed").allows(url("/"))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
        ("/*baz=https://", "/foo/bar?baz=https://foo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%e3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
        ("/my folder/", "/my%20folder/x"),
        ("/~joe", "/%7Ejoe"),
    ],
)
def test_percent_encoding_is_compared_as_the_rfc_says(pattern: str, path: str) -> None:
    assert not policy("User-agent: *", f"Disallow: {pattern}").allows(url(path))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("/a%2Fb", "/a/b"), ("/a/b", "/a%2Fb"), ("/A", "/a"), ("/path/%2A", "/path/x")],
)
def test_what_differs_in_meaning_is_not_the_same(pattern: str, path: str) -> None:
    assert policy("User-agent: *", f"Disallow: {pattern}").allows(url(path))


def test_the_slowest_delay_of_our_group_counts_and_names_its_line() -> None:
    rules = policy(
        "User-agent: *", "Crawl-delay: 90", "Allow: /",
        "User-agent: gossamer", "Crawl-delay: 5", "Crawl-delay: nonsense",
        "Request-rate: 1/10", "Crawl-delay: -4", "Allow: /",
    )  # fmt: skip
    assert rules.crawl_delay == CrawlDelay(10, 7, "Request-rate")
    assert policy("User-agent: *", "Disallow: /x", "crawl-delay: 3").crawl_delay == CrawlDelay(3, 3)
    assert policy("Crawl-delay: 3", "User-agent: other", "Crawl-delay: 4").crawl_delay is None


def test_content_usage_is_kept_with_its_line_and_found_by_path() -> None:
    rules = policy(
        "User-agent: *", "Allow: /", "Content-Usage: train-ai=n, search=y",
        "Content-Usage: /free/ train-ai=y", "Content-Usage: /*.pdf$ bots=n", "Content-Usage: junk",
    )  # fmt: skip
    assert [usage.line_number for usage in rules.usage_lines] == [3, 4, 5]
    assert [u.line_number for u in rules.usage_of(url("/x"))] == [3]
    assert [u.line_number for u in rules.usage_of(url("/free/x"))] == [4]
    assert [u.line_number for u in rules.usage_of(url("/x.pdf"))] == [5]
    assert policy("User-agent: *", "Content-Usage: /a bots=n").usage_of(url("/b")) == ()


def test_a_note_is_added_to_every_reason() -> None:
    rules = policy("User-agent: *", "Disallow: /x").noting("It is old.")
    assert all(rules.decide(url(path)).why.endswith(". It is old.") for path in ("/x", "/y"))


def test_rules_past_the_limit_are_not_read() -> None:
    lines = (
        b"User-agent: *\nDisallow: /early\n"
        + b"# x\n" * (MAX_ROBOTS_BYTES // 4)
        + b"Disallow: /late\n"
    )
    rules = RobotsPolicy.parse(lines, "gossamer")
    assert not rules.allows(url("/early"))
    assert rules.allows(url("/late"))


@settings(max_examples=100 * MORE)
@given(
    hostile_lines,
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.text(max_size=20),
    st.text(max_size=9),
)
@example([b"User-agent: *", b"Disallow: /\xff*%f"], b"\n", "%ff", "gossamer")
def test_no_bytes_raise(lines: list[bytes], ending: bytes, path: str, agent: str) -> None:
    for rules in (RobotsPolicy.parse(ending.join(lines), name) for name in (agent, "gossamer")):
        for asked in (url("/"), Url(f"http://foo.bar/{path}")):
            decision = rules.decide(asked)
            assert decision.allowed == rules.allows(asked)
            assert decision.why.isprintable()
            rules.usage_of(asked)
        assert rules.crawl_delay is None or rules.crawl_delay.line_number > 0


# A second opinion, slow and obvious: line by line, and a regular expression for each rule.


def opinion(lines: list[str], agent: str, path: str) -> bool:
    rules: dict[str, list[tuple[bool, str]]] = {}
    run: list[str] = []
    in_rules = False
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "User-agent":
            run = [value.lower()] if in_rules else [*run, value.lower()]
            in_rules = False
            rules.setdefault(value.lower(), [])
        elif name in ("Allow", "Disallow"):
            in_rules = True
            for named in set(run):
                rules[named].append((name == "Allow", value))
    ours = rules.get(agent, rules.get("*", []))
    matching = [
        (len(octets(p)), allow) for allow, p in ours if p and expression(p).match(octets(path))
    ]
    return max(matching, default=(0, True))[1]


def octets(text: str) -> str:
    text = re.sub("%(6[1-9A-Fa-f]|7[0-9Aa])", lambda m: chr(int(m[1], 16)), text)
    text = re.sub("%..", lambda m: m[0].upper(), text)
    return re.sub(r"\$(?=.)", "%24", text).replace("é", "%C3%A9")


def expression(pattern: str) -> re.Pattern[str]:
    parts = octets(pattern.removesuffix("$") + "\0").removesuffix("\0").split("*")
    return re.compile(".*".join(map(re.escape, parts)) + ("$" if pattern.endswith("$") else ""))


def needs_no_query_forms(lines: list[str], path: str) -> bool:
    """Delimiters in a query have a second form, which the obvious opinion knows nothing of."""
    return not any(re.search(r"\?.*(?:[/?]|%2f)", text) for text in (*lines, path))


@settings(max_examples=200 * MORE)
@given(st.lists(some_lines, max_size=14), some_paths)
def test_we_agree_with_a_slow_and_obvious_second_opinion(lines: list[str], rest: str) -> None:
    path = "/" + rest
    assume(needs_no_query_forms(lines, path))
    assert policy(*lines).allows(Url("http://foo.bar" + path)) == opinion(lines, "gossamer", path)


# And a third one about queries: each form of each rule against each form of the path.


def of_all_forms(lines: list[str], path: str) -> bool:
    ranks = [(0, True)]
    for line in lines:
        name, _, pattern = line.partition(": ")
        for form in compared_patterns(pattern):
            parts = map(re.escape, form.removesuffix("$").split("*"))
            # In linear time: `re` goes back without end over a run of stars and a long path.
            wanted = re2.compile(".*".join(parts) + ("$" if form.endswith("$") else ""))
            ranks += [(len(form), name == "Allow") for p in compared_paths(path) if wanted.match(p)]
    return max(ranks)[1]


@settings(max_examples=250 * MORE)
@given(st.lists(query_rules, min_size=1, max_size=12), queries, some_long, queries)
@example(["Disallow: */x?a:"], "p?q=", "", "/x?a%3Ab")  # encoded pattern, path as written
@example(["Disallow: */x?a:"], "p?q=", "", "/x?a:b")  # both as written
@example(["Allow: /?a:", "Disallow: /?a%3A", "Disallow: /*a:*:"], "?a:", "", ":")
def test_every_form_of_a_rule_counts_for_every_form_of_a_path(
    lines: list[str], start: str, middle: str, end: str
) -> None:
    path = f"/{start}{middle}{end}"
    rules = policy("User-agent: *", *lines)
    assert rules.allows(Url("http://foo.bar" + path)) == of_all_forms(lines, path)


def test_a_flood_of_content_usage_lines_is_bounded() -> None:
    flood = b"User-agent: *\n" + b"Content-Usage: /a train-ai=n\n" * 10_000
    assert len(RobotsPolicy.parse(flood, "gossamer").usage_lines) == MAX_USAGES


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("10", 10.0), ("0", 0.0), ("1.5", 1.5), (".5", 0.5), ("10s", 10.0), ("2 seconds", 2.0)],
)
def test_a_crawl_delay_is_in_seconds(value: str, seconds: float) -> None:
    assert asked_delay("crawl-delay", value, 4) == CrawlDelay(seconds, 4)


@pytest.mark.parametrize("value", ["", "-1", "nan", "inf", "1e9", "ten", "1_0", "0x10", "1,5", "٣"])
def test_nonsense_is_no_delay(value: str) -> None:
    assert asked_delay("crawl-delay", value, 1) is None


def test_a_delay_is_never_so_long_that_it_breaks_a_clock() -> None:
    delay = asked_delay("crawl-delay", "9" * 12, 1)
    assert delay is not None
    assert delay.seconds == MAX_DELAY_SECONDS


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("1/10", 10.0), ("1/5m", 300.0), ("2/1h", 1800.0), ("10 / 1", 0.1), ("1/10s 0600-0845", 10.0)],
)
def test_a_request_rate_is_a_delay_as_well(value: str, seconds: float) -> None:
    assert asked_delay("request-rate", value, 7) == CrawlDelay(seconds, 7, "Request-rate")


@pytest.mark.parametrize("value", ["", "1", "0/10", "a/b", "1/10x", "1/-1"])
def test_a_rate_that_makes_no_sense_is_no_delay(value: str) -> None:
    assert asked_delay("request-rate", value, 7) is None


def test_a_delay_names_its_source() -> None:
    assert str(CrawlDelay(10, 14)) == "Crawl-delay, line 14"


@given(st.sampled_from(["crawl-delay", "crawldelay", "request-rate", "content-usage"]), st.text())
def test_whatever_stands_there_is_no_delay_or_a_usable_one(name: str, value: str) -> None:
    delay = asked_delay(name, value, 1)
    assert delay is None or 0 <= delay.seconds <= MAX_DELAY_SECONDS
