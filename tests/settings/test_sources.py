from datetime import timedelta
from pathlib import Path

import pytest

from gossamer.errors import ConfigError
from gossamer.settings.sources import (
    key_named,
    keys,
    read_file,
    read_remote_value,
    read_runtime,
    read_value,
    settle,
)


def test_with_no_source_everything_is_a_default() -> None:
    settings = settle()
    assert settings.config.politeness.delay == timedelta(seconds=1)
    assert {setting.source for setting in settings.each.values()} == {"default"}
    assert set(settings.each) == set(keys())


def test_the_strongest_source_wins() -> None:
    sources = {
        "file": {"politeness.delay": 2},
        "environment": {"GOSSAMER_POLITENESS_DELAY": "3"},
        "kept": {"politeness.delay": "4"},
        "command_line": {"politeness.delay": "5"},
        "runtime": {"politeness.delay": "6"},
    }
    expected = {
        "file": (2, "gossamer.toml"),
        "environment": (3, "environment (GOSSAMER_POLITENESS_DELAY)"),
        "kept": (4, "command line of an earlier crawl"),
        "command_line": (5, "command line"),
        "runtime": (6, "runtime change (runtime.json)"),
    }
    given = {}
    for source in sources:  # from the weakest on, each added one wins over those before
        given[source] = sources[source]
        setting = settle(**given).each["politeness.delay"]  # type: ignore[arg-type]  # tables of one kind
        assert (setting.value, setting.source) == (
            timedelta(seconds=expected[source][0]),
            expected[source][1],
        )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("politeness.dealy", "politeness.delay"),
        ("delay", "politeness.delay"),
        ("scope.knid", "scope.kind"),
        ("polite.per_host", "politeness.per_host"),
    ],
)
def test_a_misspelt_key_is_refused_with_the_likeliest_one(typed: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=rf"here: {typed} is not a key. Did you mean {meant}\?"):
        key_named(typed, "here")


def test_a_key_like_no_other_points_to_the_list() -> None:
    with pytest.raises(ConfigError, match="`gossamer config` lists all keys"):
        key_named("zzzzzz", "here")


def test_a_bad_value_names_source_key_value_and_what_would_be_right() -> None:
    with pytest.raises(ConfigError) as refusal:
        settle(environment={"GOSSAMER_POLITENESS_DELAY": "fast"})
    for word in ("GOSSAMER_POLITENESS_DELAY", "politeness.delay", "'fast'", "give seconds"):
        assert word in str(refusal.value)


def test_an_unknown_variable_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"Did you mean GOSSAMER_POLITENESS_DELAY\?"):
        settle(environment={"GOSSAMER_POLITENESS_DELAYY": "1"})


def test_variables_of_others_and_of_the_tests_are_left_alone() -> None:
    settle(environment={"HOME": "/", "GOSSAMER_DATA": "x", "GOSSAMER_TEST_SIZE": "full"})


def test_a_file_is_read_by_section(tmp_path: Path) -> None:
    path = tmp_path / "gossamer.toml"
    path.write_text('[politeness]\ndelay = "2min"\n[politeness.delays]\n"example.org" = 5\n')
    config = settle(file=read_file(path)).config
    assert config.politeness.delay == timedelta(minutes=2)
    assert config.politeness.delays == {"example.org": timedelta(seconds=5)}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[politeness\n", "not readable as TOML"),
        ("delay = 1\n", r"delay is not a key. Did you mean politeness.delay\?"),
        (
            "[politenes]\ndelay = 1\n",
            r"politenes.delay is not a key. Did you mean politeness.delay\?",
        ),
        ("[politeness]\ndelay = -1\n", "politeness.delay: -1s is too small; give at least 0"),
        ("[scope]\nkind = 'world'\n", "'world' is not one of page, host, site, any"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "gossamer.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=complaint):
        settle(file=read_file(path))


def test_a_whole_name_at_the_top_of_the_file_counts_too(tmp_path: Path) -> None:
    path = tmp_path / "gossamer.toml"
    path.write_text('"politeness.delay" = 7\n')
    assert settle(file=read_file(path)).config.politeness.delay == timedelta(seconds=7)


def test_no_file_sets_nothing(tmp_path: Path) -> None:
    assert read_file(tmp_path / "gossamer.toml") == {}
    assert read_runtime(tmp_path / "runtime.json") == {}


def test_a_damaged_runtime_file_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    for text in ("{", "[]"):
        path.write_text(text)
        with pytest.raises(ConfigError, match="delete it to drop the changes"):
            read_runtime(path)


def test_secrets_are_masked_for_people() -> None:
    key = keys()["fetch.upstream_proxy"]
    assert key.shown("http://user:secret@proxy.test/") == "***"
    assert key.shown(None) == "none"


def test_of_services_only_their_servers_are_shown() -> None:
    key = keys()["transform.services"]
    services = {
        "a/b": "https://me:pass@one.test/hook-8f3a?key=5e",
        "a/c": "http://[::1]:8080/?token=7d",
        "a/d": "http://two.test",
        "a/e": "four-9c",
        "a/f": "http://[9c",
    }
    settled = settle(file={"transform.services": services})
    shown = key.shown(settled.config.transform.services)
    recorded = settled.record()["transform.services"]["value"]
    assert recorded == {
        "a/b": "https://one.test/***",
        "a/c": "http://[::1]:8080/***",
        "a/d": "http://two.test/",
        "a/e": "***",
        "a/f": "***",
    }
    assert shown == ", ".join(f"{name}={each}" for name, each in recorded.items())
    given = settle(command_line={"transform.services": "a/b=http://one.test/?key=5e=="})
    assert given.config.transform.services == {"a/b": "http://one.test/?key=5e=="}
    several = {"a/b": ["http://one.test/?key=5e", " http://two.test/"], "a/c": "http://3.test/"}
    settled = settle(file={"transform.services": several})
    assert settled.config.transform.services == {
        "a/b": "http://one.test/?key=5e http://two.test/",
        "a/c": "http://3.test/",
    }
    assert key.shown(settled.config.transform.services) == (
        "a/b=http://one.test/*** http://two.test/, a/c=http://3.test/"
    )
    with pytest.raises(ConfigError) as refused:
        read_value("transform.services", {"a/b": []}, "here")
    with pytest.raises(ConfigError) as refused:
        read_value("transform.services", "key-5e", "here")
    assert "key-5e" not in str(refused.value)


def test_a_secret_that_is_not_set_is_no_secret() -> None:
    key = keys()["proxy.users"]
    assert key.shown(()) == "[]"
    assert key.shown(("anna:scrypt:eA==:eA==",)) == "***"


def test_as_json_values_are_typed_and_secrets_masked() -> None:
    told = settle(runtime={"politeness.delay": "2", "service.token": "s3cret"}).record()
    assert told["politeness.delay"]["value"] == 2.0
    assert told["service.token"]["value"] == "***"
    assert told["frontier.address"]["value"] is None
    assert "s3cret" not in str(told)


@pytest.mark.parametrize("section", ["alerts", "changes"])
def test_whom_we_post_to_is_for_whoever_sits_at_the_machine_and_shown_without_its_keys(
    section: str,
) -> None:
    webhook, secret = f"{section}.webhook", f"{section}.secret"
    given = {webhook: "https://me:key@hooks.test/path/token?k=v", secret: "hush"}
    settled = settle(file=given)
    assert settled.record()[webhook]["value"] == "https://hooks.test/***"
    assert settled.record()[secret]["value"] == "***"
    for name, raw in given.items():
        with pytest.raises(ConfigError, match="cannot be set from elsewhere"):
            read_remote_value(name, raw, "REST")
    with pytest.raises(
        ConfigError, match=rf"{section}\.webhook: the value is not right"
    ) as refused:
        settle(file={webhook: "ftp://me:key@hooks.test"})
    assert "key" not in str(refused.value)
