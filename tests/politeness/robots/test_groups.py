"""What a robots.txt says to one agent."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.robots.groups import (
    MAX_ROBOTS_BYTES,
    OTHER_RECORD,
    RULE,
    Group,
    Groups,
    line_at,
    line_numbers,
    product_token,
    read_groups,
    readable_part,
    text_of,
)


def said_to(agent: str, *lines: str) -> Groups:
    return read_groups(agent, text_of("\n".join(lines).encode()))[0]


def rules(groups: Groups) -> dict[str, bool]:
    literal, wild, bare = groups.patterns()
    return literal | wild | bare


def test_groups_of_one_agent_are_merged() -> None:
    said = said_to(
        "gossamer",
        "User-agent: Gossamer",
        "Disallow: /a",
        "User-agent: other",
        "Disallow: /b",
        "User-agent: more",
        "User-agent: GOSSAMER/1.0",
        "Allow: /c",
    )
    assert rules(said) == {"/a": False, "/c": True}
    assert said.lines() == (Group("gossamer", 1), Group("gossamer", 5 + 1))


def test_everyone_is_a_fallback_only() -> None:
    lines = ("User-agent: *", "Disallow: /a", "User-agent: gossamer", "Disallow: /b")
    assert rules(said_to("gossamer", *lines)) == {"/b": False}
    assert rules(said_to("other", *lines)) == {"/a": False}


def test_a_group_without_rules_is_a_group_all_the_same() -> None:
    lines = ("User-agent: *", "Disallow: /", "User-agent: gossamer")
    assert rules(said_to("gossamer", *lines)) == {}


@pytest.mark.parametrize(
    "between",
    [
        "Sitemap: http://a.test/",
        "Crawl-delay: 1",
        "Content-Usage: bots=n",
        "Host: x",
        "???",
        "",
        "# c",
    ],
)
def test_only_a_rule_ends_a_run_of_user_agent_lines(between: str) -> None:
    lines = ("User-agent: gossamer", between, "User-agent: other", "Disallow: /x")
    assert rules(said_to("gossamer", *lines)) == {"/x": False}
    ended = ("User-agent: gossamer", "Disallow:", "User-agent: other", "Disallow: /x")
    assert rules(said_to("gossamer", *ended)) == {}


def test_the_last_line_of_a_group_counts_whatever_its_shape() -> None:
    lines = ("User-agent: gossamer", "disallow /x", "User-agent: other", "Disallow: /y")
    assert rules(said_to("gossamer", *lines)) == {"/x": False}


def test_rules_before_any_user_agent_line_are_for_nobody() -> None:
    assert rules(said_to("gossamer", "Disallow: /a", "User-agent: *", "Disallow: /b")) == {
        "/b": False
    }


def test_other_records_do_not_end_the_rules_of_a_group() -> None:
    said = said_to(
        "gossamer", "User-agent: *", "Disallow: /a", "Crawl-delay: 2", "junk", "Disallow: /b"
    )
    assert rules(said) == {"/a": False, "/b": False}


def test_a_wish_is_for_the_agents_named_before_it() -> None:
    lines = ("User-agent: slow", "Crawl-delay: 10", "User-agent: gossamer", "Disallow: /x")
    assert [wish.value.strip() for wish in said_to("slow", *lines).wishes] == ["10"]
    assert not said_to("gossamer", *lines).wishes
    assert rules(said_to("slow", *lines)) == {"/x": False}


def test_of_two_rules_with_one_pattern_the_one_that_allows_counts() -> None:
    either = {"/a": True, "/b": True, "/%24*": True}
    lines = (
        "Allow: /a",
        "Disallow: /a",
        "Disallow: /b",
        "Allow: /b",
        "Disallow: /%24*",
        "Allow: /%24*",
    )
    assert rules(said_to("gossamer", "User-agent: *", *lines)) == either


def test_patterns_with_bare_delimiters_in_a_query_are_set_apart_from_their_encoded_forms() -> None:
    lines = ("User-agent: *", "Allow: /a?b:c", "Disallow: /*?/", "Allow: /a:*?b", "Allow: /a?b")
    assert said_to("gossamer", *lines).patterns() == (
        {"/a?b%3Ac": True, "/a?b": True},
        {"/*?%2F": False, "/a:*?b": True},
        {"/a?b:c": True, "/*?/": False},
    )


def test_a_rule_is_found_again_with_its_group() -> None:
    said = said_to(
        "gossamer",
        "User-agent: gossamer",
        "Allow: /x",
        "User-agent: gossamer",
        " disallow:/%61 b # c",
    )
    found = said.find_rule("/a%20b", allowed=False)
    assert found is not None
    assert (found.group, found.line_number) == (Group("gossamer", 3), 4)
    assert found.line == "disallow:/%61 b # c"
    assert said.find_rule("/a%20b", allowed=True) is None


def test_sitemaps_are_in_no_group() -> None:
    text = text_of(b"Sitemap: /a\nUser-agent: other\nsite-map: http://b.test/ # second\n")
    assert [s.value.strip() for s in read_groups("gossamer", text)[1]] == ["/a", "http://b.test/"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_will_do(ending: str) -> None:
    text = text_of(ending.join(["User-agent: a", "Disallow: /x", "Allow: /y"]).encode())
    assert text == "\nUser-agent: a\nDisallow: /x\nAllow: /y\n"


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(mark: bytes) -> None:
    assert text_of(mark + b"Allow: /") == "\nAllow: /\n"


@pytest.mark.parametrize(
    "name",
    ["disallow", "Disallow", "DISALLOW", "  disallow\t ", "disalow", "dissallow", "diasllow"],
)
def test_a_disallow_is_understood_however_it_is_spelled(name: str) -> None:
    assert RULE.findall(f"\n{name}: /x # why\n") == [("", "/x", "")]


@pytest.mark.parametrize("line", ["disallow /x", "disallow\t/x", " disallow   /x  # no colon"])
def test_two_words_need_no_colon(line: str) -> None:
    assert RULE.findall(f"\n{line}\n") == [("", "/x", "")]


@pytest.mark.parametrize(
    "line",
    ["disallow /x /y", "disallowed: /", "disallow", "# allow: /", "no-allow: /", "disallow#: /"],
)
def test_other_lines_are_no_rules(line: str) -> None:
    assert not RULE.findall(f"\n{line}\n")


@pytest.mark.parametrize("name", ["User-agent", "useragent", "USER AGENT", " user-agent "])
def test_a_user_agent_line_is_understood_however_it_is_spelled(name: str) -> None:
    assert [value for _, value in OTHER_RECORD.findall(f"\n{name}:foo\n")] == ["foo"]


def test_lines_are_counted_from_one_and_shown_without_control_characters() -> None:
    text = text_of("# é\nAllow: /é\x1b[31m\nDisallow: /b".encode())
    starts = [rule.start() for rule in RULE.finditer(text)]
    assert list(line_numbers(text, starts)) == [2, 3]
    assert line_at(text, starts[0]) == "Allow: /é\N{REPLACEMENT CHARACTER}[31m"


def test_a_line_cut_by_the_limit_is_left_out() -> None:
    whole = b"Disallow: /a\n" * (MAX_ROBOTS_BYTES // 13)
    padding = b"#" * (MAX_ROBOTS_BYTES - len(whole) - 4)
    assert readable_part(whole + padding + b"\nDisallow: /b") == whole + padding
    assert readable_part(whole) == whole


def test_a_line_that_ends_right_at_the_limit_is_whole() -> None:
    body = b"#" * (MAX_ROBOTS_BYTES - 12) + b"Disallow: /b"
    line = b"#" * (MAX_ROBOTS_BYTES - 13) + b"\nDisallow: /b"
    assert readable_part(line + b"\nAllow: /") == line
    assert readable_part(body + b"more") == b""


@given(st.binary(max_size=300), st.integers(0, 400))
def test_what_we_read_is_what_we_read_of_it_again(start: bytes, more: int) -> None:
    body = start + b"x" * (MAX_ROBOTS_BYTES - 200) + start * 2 + b"y" * more
    assert readable_part(readable_part(body)) == readable_part(body)


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("Gossamer", "gossamer"),
        ("gossamer/2.1", "gossamer"),
        ("gossamer bot", "gossamer"),
        ("gossamer2", "gossamer2"),
        ("gossamer-news", "gossamer-news"),
        ("*", "*"),
        ("* bots", "*"),
        ("*bot", None),
        ("", None),
        ("ツ", None),
    ],
)
def test_a_user_agent_value_begins_with_a_product_token(value: str, token: str | None) -> None:
    assert product_token(value) == token


@pytest.mark.needs_suites
def test_product_tokens_are_those_of_the_suite(suites: Path) -> None:
    cases = json.loads((suites / "robots" / "extras.json").read_text())["product_token"]
    assert {case["valid"] for case in cases} == {True, False}
    for case in cases:
        token = case["token"]
        is_whole = token != "*" and product_token(token) == token.lower()
        assert is_whole is case["valid"], token


@pytest.mark.parametrize(
    "filler",
    [" ", "\n", "\n ", "a", "#", "disallow", "\ndisallow ", "\ndisallow a ", "user-agent\n"],
)
def test_no_text_takes_longer_than_one_pass(filler: str) -> None:
    # Were a record tried again for each octet of a long line, this would run into the time limit.
    text = f"\ndisallow{filler * (MAX_ROBOTS_BYTES // len(filler))}b\n"
    assert len(RULE.findall(text)) + len(OTHER_RECORD.findall(text)) <= len(text) // 10
