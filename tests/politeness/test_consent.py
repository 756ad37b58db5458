"""Consent: a table of what sites say, and whether each purpose is allowed, by which line."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import ConfigError
from gossamer.model import Url
from gossamer.politeness.consent import (
    CATEGORIES,
    Purpose,
    consent,
    objection,
    read_purposes,
    reading,
)
from gossamer.politeness.robots.policy import RobotsPolicy
from gossamer.politeness.usage import (
    TdmFile,
    UsageStatement,
    page_usage,
    robots_usage,
)

ORIGIN = "http://a.test"

# The examples of draft-ietf-aipref-attach and draft-ietf-aipref-vocab.
ATTACH = """User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
"""
# As a large network writes it into the files of its customers.
MANAGED = """# As a condition of accessing this website, you agree to abide by the following
# content signals.
User-Agent: *
Content-signal: search=yes,ai-train=no
Allow: /

User-agent: OtherBot
Disallow: /
"""
SHOP = """Sitemap: http://a.test/sitemap.xml
User-agent: *
Crawl-delay: 1
Disallow: /cart
Content-Signal: search=yes, ai-input=no, ai-train=no

User-agent: gossamer
Disallow: /admin
"""
OURS = """User-agent: *
Content-Usage: search=n

User-agent: gossamer
Content-Usage: search=y
Content-Usage: /private/ search=n
"""
ALL = "User-agent: *\nContent-Usage: {}\n"
SIGNAL = "User-agent: *\nContent-Signal: {}\n"

# A robots.txt, a path, and what is known then: `purpose=yes|no:LINE`; the other purposes are unknown.
ROBOTS = [
    # draft-ietf-aipref-attach, section 3.5, and its table
    (ATTACH, "/test", "train-ai=no:4"),
    (ATTACH, "/ai-ok/test", "train-ai=yes:5"),
    (ATTACH, "/", "train-ai=no:4"),
    (ATTACH, "/ai-ok", "train-ai=no:4"),
    # section 1.2
    ("User-Agent: *\nAllow: /\nContent-Usage: / train-ai=n\n", "/x", "train-ai=no:3"),
    # draft-ietf-aipref-vocab, section 6 and its subsections
    (ALL.format("train-ai=y, search=n"), "/", "train-ai=yes:2 search=no:2"),
    (ALL.format("/ train-ai=y, search=n"), "/", "train-ai=yes:2 search=no:2"),
    (ALL.format("train-ai;allow=n, train-ai=y"), "/", "train-ai=yes:2"),
    (ALL.format('train-ai;has;parameters="?";'), "/", ""),
    (ALL.format('train-ai, search="n"'), "/", ""),
    (ALL.format("train-ai=y;exceptions=1"), "/", "train-ai=yes:2"),
    (ALL.format("ai-use=n"), "/", "ai-input=no:2"),
    (ALL.format("ai-use=n, ai-use=n"), "/", "ai-input=no:2"),
    (ALL.format("search=?1"), "/", ""),
    (ALL.format("search=1"), "/", ""),
    (ALL.format("unheard-of=n"), "/", ""),
    (ALL.format("unheard-of=n, search=y"), "/", "search=yes:2"),
    (ALL.format(""), "/", ""),
    (ALL.format("/only/a/path"), "/only/a/path", ""),
    # earlier drafts: words for all uses, and words within them
    (ALL.format("bots=n"), "/", "search=no:2 ai-input=no:2 ai-index=no:2 train-ai=no:2 text-mining=no:2"),
    (ALL.format("all=n, search=y"), "/", "search=yes:2 ai-input=no:2 ai-index=no:2 train-ai=no:2 text-mining=no:2"),
    (ALL.format("search=y, all=n"), "/", "search=yes:2 ai-input=no:2 ai-index=no:2 train-ai=no:2 text-mining=no:2"),
    (ALL.format("all=y, train-ai=n"), "/", "search=yes:2 ai-input=yes:2 ai-index=yes:2 train-ai=no:2 text-mining=yes:2"),
    (ALL.format("tdm=n"), "/", "text-mining=no:2 train-ai=no:2"),
    (ALL.format("tdm=n, train-ai=y"), "/", "text-mining=no:2 train-ai=yes:2"),
    (ALL.format("ai=n"), "/", "ai-input=no:2 ai-index=no:2 train-ai=no:2"),
    (ALL.format("ai=n, ai-input=y"), "/", "ai-input=yes:2 ai-index=no:2 train-ai=no:2"),
    (ALL.format("train-genai=n"), "/", "train-ai=no:2"),
    (ALL.format("genai=n"), "/", "train-ai=no:2"),
    # the longest path, and several lines with one path: the stricter
    ("User-agent: *\nContent-Usage: /a/ search=n\nContent-Usage: /a/b/ search=y\n", "/a/b/c", "search=yes:3"),
    ("User-agent: *\nContent-Usage: /a/b/ search=y\nContent-Usage: /a/ search=n\n", "/a/c", "search=no:3"),
    ("User-agent: *\nContent-Usage: /a/ search=n\n", "/b", ""),
    ("User-agent: *\nContent-Usage: / search=y\nContent-Usage: / search=n\n", "/", "search=no:3"),
    ("User-agent: *\nContent-Usage: / search=n\nContent-Usage: / search=y\n", "/", "search=no:2"),
    ("User-agent: *\nContent-Usage: /*.pdf$ train-ai=n\n", "/a/b.pdf", "train-ai=no:2"),
    ("User-agent: *\nContent-Usage: /*.pdf$ train-ai=n\n", "/a/b.pdf?x", ""),
    ("User-agent: *\nContent-Usage: /caf%C3%A9 search=n\n", "/caf%C3%A9/1", "search=no:2"),
    ("User-agent: *\nContent-Usage: / search=n\nContent-Usage: /a train-ai=n\n", "/a", "train-ai=no:3"),
    ("User-agent: *\nContent-Usage:\t/a\tsearch=n\n", "/a", "search=no:2"),
    ("User-agent: *\nContent-Usage: /a   search=n # soon\n", "/a", "search=no:2"),
    ("User-agent: *\r\nContent-Usage: / search=n\r\n", "/", "search=no:2"),
    # groups: only what is said to us
    (OURS, "/", "search=yes:5"),
    (OURS, "/private/x", "search=no:6"),
    ("User-agent: otherbot\nContent-Usage: search=n\n", "/", ""),
    ("User-agent: otherbot\nUser-agent: *\nContent-Usage: search=n\n", "/", "search=no:3"),
    ("User-agent: *\nContent-Usage: search=n\nUser-agent: gossamer\nDisallow:\n", "/", ""),
    ("User-agent: gossamer\nDisallow: /a\n\nUser-agent: *\nContent-Usage: search=n\n", "/", ""),
    # Content Signals
    (MANAGED, "/", "search=yes:4 train-ai=no:4"),
    (SHOP, "/tea", ""),
    (SHOP.replace("gossamer", "otherbot"), "/tea", "search=yes:5 ai-input=no:5 train-ai=no:5"),
    (SIGNAL.format("search=yes"), "/", "search=yes:2"),
    (SIGNAL.format("search=no"), "/", "search=no:2"),
    (SIGNAL.format("search=YES , AI-Train=No"), "/", "search=yes:2 train-ai=no:2"),
    (SIGNAL.format("ai-input=yes, ai-train=no"), "/", "ai-input=yes:2 train-ai=no:2"),
    (SIGNAL.format("/blog/ ai-train=no"), "/blog/1", "train-ai=no:2"),
    (SIGNAL.format("/blog/ ai-train=no"), "/shop/1", ""),
    (SIGNAL.format("search-ai=no"), "/", "ai-input=no:2"),
    (SIGNAL.format("search=conditional"), "/", ""),
    (SIGNAL.format("search"), "/", ""),
    (SIGNAL.format("search=yes ai-train=no"), "/", ""),  # no comma: nothing is certain
    # two vocabularies that disagree: the stricter
    ("User-agent: *\nContent-Usage: train-ai=y\nContent-Signal: ai-train=no\n", "/", "train-ai=no:3"),
    ("User-agent: *\nContent-Signal: search=no\nContent-Usage: search=y\n", "/", "search=no:2"),
    ("User-agent: *\nContent-Signal: search=yes\nContent-Usage: all=n\n", "/", "search=no:3 ai-input=no:3 ai-index=no:3 train-ai=no:3 text-mining=no:3"),
    ("User-agent: *\nContent-Usage: /a search=y\nContent-Signal: search=no\n", "/a/b", "search=no:3"),
    # rules about training by AI (draft-canel-robots-ai-control)
    ("User-agent: *\nDisallowAITraining: /\n", "/x", "train-ai=no:2"),
    ("User-agent: *\nDisallowAITraining: /\nAllowAITraining: /open/\n", "/open/x", "train-ai=yes:3"),
    ("User-agent: *\nDisallowAITraining: /private/\n", "/x", ""),
    ("User-agent: *\nDisallow-AI-Training: /\n", "/x", "train-ai=no:2"),
    ("User-agent: *\nDisallowAITraining:\n", "/x", ""),
    # before all groups: read as for everyone
    ("Content-Signal: ai-train=no\nUser-agent: *\nDisallow:\n", "/", "train-ai=no:1"),
    ("Content-Usage: train-ai=n\n", "/", "train-ai=no:1"),
    ("Content-Usage: train-ai=y\n\nUser-agent: *\nContent-Usage: train-ai=n\n", "/", "train-ai=no:4"),
    ("# rights\nContent-Signal: search=no\nUser-agent: gossamer\nAllow: /\n", "/", "search=no:2"),
    ("Sitemap: /s.xml\nContent-Usage: /a search=n\nUser-agent: *\nDisallow: /b\n", "/a", "search=no:2"),
    # misspelled
    ("User-agent: *\nContent-Signals: ai-train=no\n", "/", "train-ai=no:2"),
    ("User-agent: *\nContent_Signal: ai-train=no\n", "/", "train-ai=no:2"),
    ("User-agent: *\ncontent signal: ai-train=no\n", "/", "train-ai=no:2"),
    ("User-agent: *\nContentUsage: train-ai=n\n", "/", "train-ai=no:2"),
    ("User-agent: *\nContent-usages: train-ai=n\n", "/", "train-ai=no:2"),
    ("User-agent: *\nCONTENT-USAGE : train-ai=n\n", "/", "train-ai=no:2"),
    ("User-agent: *\nContent-Usage train-ai=n\n", "/", "train-ai=no:2"),
    (ALL.format("train_ai=n"), "/", "train-ai=no:2"),
    (ALL.format("ai_train=n"), "/", "train-ai=no:2"),
    (ALL.format("ai-training=n"), "/", "train-ai=no:2"),
    (ALL.format("TRAIN-AI=N"), "/", "train-ai=no:2"),
    (ALL.format("train-ai=false"), "/", "train-ai=no:2"),
    (ALL.format("train-ai=disallow"), "/", "train-ai=no:2"),
    (ALL.format("train-ai=deny"), "/", "train-ai=no:2"),
    (ALL.format("train-ai=allow"), "/", "train-ai=yes:2"),
    (ALL.format("train-ai = n"), "/", "train-ai=no:2"),
    (ALL.format("train-ai=maybe"), "/", ""),
    # nothing to do with it
    ("", "/", ""),
    ("User-agent: *\nDisallow: /\n", "/", ""),
    ("User-agent: *\nContent-Language: en\n", "/", ""),
    ("User-agent: *\n# Content-Usage: search=n\n", "/", ""),
    ("<html>Content-Usage: search=n</html>", "/", ""),
]  # fmt: skip


def known(statements: Sequence[UsageStatement]) -> dict[str, str]:
    """What is known of each purpose: `yes` or `no`, with the source that decided, and its line."""
    found = {}
    for purpose, answer in consent(statements).items():
        if answer.by is not None:
            line = "" if answer.by.line is None else f":{answer.by.line}"
            found[str(purpose)] = ("yes" if answer.value == "allowed" else "no") + (
                line or f":{answer.by.source}"
            )
    return found


def expected(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


def of_robots(text: str, path: str = "/") -> tuple[UsageStatement, ...]:
    policy = RobotsPolicy.parse(text.encode(), "gossamer")
    return robots_usage(policy.usage_of(Url(ORIGIN + path)))


@pytest.mark.parametrize(("robots", "path", "answers"), ROBOTS)
def test_what_a_robots_txt_allows(robots: str, path: str, answers: str) -> None:
    assert known(of_robots(robots, path)) == expected(answers)


ROBOT = "X-Robots-Tag"
# Headers and meta elements, and what is known by them.
PAGES = [
    ("Content-Usage: train-ai=n", "", "train-ai=no:header"),
    ("Content-Usage: train-ai=y, search=n", "", "train-ai=yes:header search=no:header"),
    ("content-usage: search=y", "", "search=yes:header"),
    ("Content-Signal: search=yes, ai-train=no", "", "search=yes:header train-ai=no:header"),
    ("Content-Signal: ai-train=yes, search=yes, ai-input=yes", "", "train-ai=yes:header search=yes:header ai-input=yes:header"),
    ("TDM-Reservation: 1", "", "text-mining=no:header train-ai=no:header"),
    ("TDM-Reservation: 0", "", "text-mining=yes:header train-ai=yes:header"),
    ("TDM-Reservation: 2", "", ""),
    ("TDM-Reservation: true", "", ""),
    ("TDM-Policy: http://a.test/policy.json", "", ""),
    ("X-Robots-Tag: noai", "", "ai-input=no:header ai-index=no:header train-ai=no:header"),
    ("X-Robots-Tag: noimageai", "", ""),
    ("X-Robots-Tag: noai, noimageai, nofollow", "", "ai-input=no:header ai-index=no:header train-ai=no:header"),
    ("X-Robots-Tag: gossamer: noai", "", "ai-input=no:header ai-index=no:header train-ai=no:header"),
    ("X-Robots-Tag: otherbot: noai", "", ""),
    ("X-Robots-Tag: noindex", "", ""),
    ("", "robots: noai", "ai-input=no:meta ai-index=no:meta train-ai=no:meta"),
    ("", "robots: NOAI, NOIMAGEAI", "ai-input=no:meta ai-index=no:meta train-ai=no:meta"),
    ("", "gossamer: noai", "ai-input=no:meta ai-index=no:meta train-ai=no:meta"),
    ("", "otherbot: noai", ""),
    ("", "robots: index, follow", ""),
    ("", "tdm-reservation: 1", "text-mining=no:meta train-ai=no:meta"),
    ("", "tdm-reservation: 0", "text-mining=yes:meta train-ai=yes:meta"),
    ("", "content-usage: train-ai=n", "train-ai=no:meta"),
    ("", "Content-Signal: search=no", "search=no:meta"),
    ("", "description: noai", ""),
    # disagreements: the stricter
    ("Content-Usage: train-ai=y", "robots: noai", "train-ai=no:meta ai-input=no:meta ai-index=no:meta"),
    ("Content-Usage: train-ai=n", "content-usage: train-ai=y", "train-ai=no:header"),
    ("Content-Usage: search=y", "content-signal: search=no", "search=no:meta"),
    ("TDM-Reservation: 0", "tdm-reservation: 1", "text-mining=no:meta train-ai=no:meta"),
    ("TDM-Reservation: 1", "content-usage: train-ai=y", "text-mining=no:header train-ai=no:header"),
    ("Content-Usage: all=n", "content-usage: search=y", "search=no:header ai-input=no:header ai-index=no:header train-ai=no:header text-mining=no:header"),
]  # fmt: skip


def field(text: str) -> list[tuple[str, str]]:
    name, _, value = text.partition(": ")
    return [(name, value)] if name else []


@pytest.mark.parametrize(("header", "meta", "answers"), PAGES)
def test_what_a_page_allows(header: str, meta: str, answers: str) -> None:
    assert known(page_usage(field(header), field(meta), "gossamer")) == expected(answers)


RESERVED = json.dumps([{"location": "/books/", "tdm-reservation": 1}])
# A robots.txt, tdmrep.json, a header of the page /books/1, and what is known by all of them.
TOGETHER = [
    ("", RESERVED, "", "text-mining=no:tdmrep.json train-ai=no:tdmrep.json"),
    ("", RESERVED.replace("1}", "0}"), "", "text-mining=yes:tdmrep.json train-ai=yes:tdmrep.json"),
    ("", RESERVED.replace("books", "films"), "", ""),
    (ALL.format("train-ai=y"), RESERVED, "", "text-mining=no:tdmrep.json train-ai=no:tdmrep.json"),
    (ALL.format("train-ai=n"), RESERVED.replace("1}", "0}"), "", "text-mining=yes:tdmrep.json train-ai=no:2"),
    (MANAGED, "", "Content-Signal: search=yes, ai-train=yes", "search=yes:header train-ai=no:4"),
    (MANAGED, RESERVED, "X-Robots-Tag: noai", "search=yes:4 train-ai=no:header ai-input=no:header ai-index=no:header text-mining=no:tdmrep.json"),
    (ALL.format("search=n"), "", "Content-Usage: search=y", "search=no:2"),
    (ALL.format("search=y"), "", "Content-Usage: search=n", "search=no:header"),
    (ALL.format("search=y"), "", "Content-Usage: train-ai=n", "search=yes:2 train-ai=no:header"),
    (ALL.format("all=y"), "", "Content-Usage: train-ai=n", "search=yes:2 ai-input=yes:2 ai-index=yes:2 train-ai=no:header text-mining=yes:2"),
    (ALL.format("/films/ search=n"), "", "", ""),
    (OURS, RESERVED, "", "search=yes:5 text-mining=no:tdmrep.json train-ai=no:tdmrep.json"),
]  # fmt: skip


@pytest.mark.parametrize(("robots", "tdmrep", "header", "answers"), TOGETHER)
def test_what_all_sources_allow_together(
    robots: str, tdmrep: str, header: str, answers: str
) -> None:
    page = Url(ORIGIN + "/books/1")
    file = TdmFile.parse(tdmrep.encode(), ORIGIN)
    said = page_usage(field(header), (), "gossamer")
    said += of_robots(robots, "/books/1") + file.usage_of(page)
    assert known(said) == expected(answers)


def test_the_table_has_as_many_cases_as_were_asked_for() -> None:
    assert len(ROBOTS) + len(PAGES) + len(TOGETHER) >= 140


@pytest.mark.parametrize(
    ("robots", "purposes", "refused"),
    [
        (ALL.format("search=n"), ["search"], True),
        (ALL.format("search=n"), ["search", "train-ai"], False),
        (ALL.format("search=n, train-ai=n"), ["search", "train-ai"], True),
        (ALL.format("train-ai=n"), ["search"], False),
        (ALL.format("all=n"), list(Purpose), True),
        ("", ["search"], False),
    ],
)
def test_a_page_is_not_for_us_only_where_all_our_purposes_are_disallowed(
    robots: str, purposes: list[str], refused: bool
) -> None:
    assert (objection(of_robots(robots), purposes) is not None) == refused


def test_an_objection_names_the_line_that_decided() -> None:
    refusal = objection(of_robots(ALL.format("search=n")), ["search"])
    assert refusal is not None
    assert refusal.rule == "consent"
    assert refusal.why == (
        "Its site disallows what the crawl is for: "
        "search by content-usage search=n, line 2 of robots.txt."
    )


def test_how_a_line_was_read_is_told_where_it_is_not_as_specified() -> None:
    def told(robots: str) -> list[str]:
        return [reading(each) for each in of_robots(robots)]

    assert told(ALL.format("train-ai=n")) == [""]
    assert told(ALL.format("training=n")) == ["'training' is read as train-ai."]
    assert told(ALL.format("x=n")) == ["'x=n' is not known, and says nothing."]
    assert told("Content-Signals: search=no") == [
        "'content-signals' is read as 'content-signal'. It stands before the first User-agent line, "
        "and is read as for everyone."
    ]


def test_licences_of_our_group_come_before_those_of_the_site() -> None:
    both = "License: http://a.test/all.xml\nUser-agent: gossamer\nLicense: http://a.test/ours.xml\n"
    assert RobotsPolicy.parse(both.encode(), "gossamer").licenses == ("http://a.test/ours.xml",)
    assert RobotsPolicy.parse(both.encode(), "otherbot").licenses == ("http://a.test/all.xml",)
    assert RobotsPolicy.parse(b"User-agent: *\nLicence: /l.xml", "x").licenses == ("/l.xml",)


def test_a_purpose_that_is_none_names_the_nearest() -> None:
    assert read_purposes(["search", "search"]) == (Purpose.SEARCH,)
    with pytest.raises(ConfigError, match="did you mean 'train-ai'"):
        read_purposes(["train"])
    with pytest.raises(ConfigError, match="at least one purpose"):
        read_purposes([])


WORDS = st.sampled_from(sorted(CATEGORIES))
VALUES = st.sampled_from(["y", "n"])


@given(st.lists(st.tuples(WORDS, VALUES, st.sampled_from(["header", "meta"])), max_size=6))
def test_more_statements_of_other_sources_never_allow_what_was_disallowed(
    said: list[tuple[str, str, str]],
) -> None:
    first = tuple(
        UsageStatement("content-usage", f"{word}={value}", "robots.txt") for word, value, _ in said
    )
    more = page_usage(
        [("Content-Usage", f"{word}={value}") for word, value, source in said if source == "header"]
    )
    before, after = consent(first), consent((*first, *more))
    for purpose in Purpose:
        if before[purpose].value == "disallowed":
            assert after[purpose].value == "disallowed"


@given(st.permutations([f"{word}={value}" for word in ("all", "ai", "search") for value in "yn"]))
def test_the_order_of_statements_does_not_matter(said: list[str]) -> None:
    answers = consent([UsageStatement("content-usage", each, "header") for each in said])
    assert {answer.value for answer in answers.values()} == {"disallowed"}
