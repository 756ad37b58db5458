import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import ConfigError
from gossamer.fetch.connect_to import ConnectTo, connect_to_rules, endpoint_of


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("*.test=127.0.0.1:8099", "127.0.0.1:8099"),
        (" A.Test = 10.0.0.1:80 ", "10.0.0.1:80"),
        ("a.test=[::1]:80", "[::1]:80"),
        ("[::1]=127.0.0.1:1", "127.0.0.1:1"),
        ("*=192.0.2.1:65535", "192.0.2.1:65535"),
    ],
)
def test_a_rule_names_hosts_and_where_they_are(text: str, endpoint: str) -> None:
    assert str(ConnectTo.parse(text).endpoint) == endpoint


@pytest.mark.parametrize(
    ("pattern", "host", "meant"),
    [
        ("*.test", "a.test", True),
        ("*.test", "a.b.test", True),
        ("*.test", "test", False),
        ("*.test", "atest", False),
        ("*.test", "a.test.org", False),
        ("a.test", "a.test", True),
        ("a.test", "axtest", False),
        ("site-*.test", "site-12.test", True),
        ("*", "anything.org", True),
        ("[::1]", "[::1]", True),
    ],
)
def test_a_star_stands_for_any_run_of_characters(pattern: str, host: str, meant: bool) -> None:
    assert ConnectTo.parse(f"{pattern}=127.0.0.1:1").matches(host) is meant


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "before `=`"),
        ("a.test", "before `=`"),
        ("=127.0.0.1:80", "before `=`"),
        ("a b=127.0.0.1:80", "before `=`"),
        ("bücher.test=127.0.0.1:80", "ASCII"),
        ("a.test=", "after `=`"),
        ("a.test=127.0.0.1", "an address and a port"),
        ("a.test=127.0.0.1:0", "an address and a port"),
        ("a.test=127.0.0.1:65536", "an address and a port"),
        ("a.test=::1:80", "an address and a port"),
        ("a.test=localhost:80", "not a name"),
        ("a.test=[127.0.0.1]:80", "IPv6"),
        ("a.test=[]:80", "not a name"),
        ("a.test=127.0.0.1:80=2", "an address and a port"),
    ],
)
def test_a_wrong_rule_says_what_would_be_right(text: str, what: str) -> None:
    with pytest.raises(ConfigError) as refused:
        ConnectTo.parse(text)
    assert what in str(refused.value)
    assert "--connect-to" in str(refused.value)
    assert "'*.test=127.0.0.1:8099'" in str(refused.value)


@given(st.text())
def test_any_text_is_a_rule_or_a_config_error(text: str) -> None:
    try:
        rule = ConnectTo.parse(text)
    except ConfigError:
        return
    assert ConnectTo.parse(f"{rule.pattern}={rule.endpoint}") == rule


def test_the_first_rule_that_matches_decides() -> None:
    rules = connect_to_rules(["a.test=127.0.0.1:1", "*.test=127.0.0.1:2"])
    assert str(endpoint_of("a.test", rules)) == "127.0.0.1:1"
    assert str(endpoint_of("b.test", rules)) == "127.0.0.1:2"
    assert endpoint_of("example.org", rules) is None
