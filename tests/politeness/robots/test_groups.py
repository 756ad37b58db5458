"""What a robots.txt says to one agent."""

import pytest

from gossamer.politeness.robots.groups import Group, Groups, read_groups
from gossamer.politeness.robots.lines import text_of


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
