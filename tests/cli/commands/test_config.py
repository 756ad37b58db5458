import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer

from gossamer.cli.commands.config import sentence, taken_up, tell
from gossamer.config import Config
from gossamer.folder.data import DataFolder


def test_every_value_is_printed_with_its_source(gossamer: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "gossamer-data").mkdir()
    (tmp_path / "gossamer-data" / "gossamer.toml").write_text("[scope]\nkind = 'site'\n")
    done = gossamer("config", "--config", "politeness.delay=2", GOSSAMER_POLITENESS_PER_HOST="3")
    lines = {line.split()[0]: line.split(maxsplit=2)[1:] for line in done.stdout.splitlines()}
    assert done.returncode == 0
    assert lines["politeness.delay"] == ["2s", "command line"]
    assert lines["politeness.per_host"] == ["3", "environment (GOSSAMER_POLITENESS_PER_HOST)"]
    assert lines["scope.kind"] == ["site", "gossamer.toml"]
    assert lines["proxy.max_wait"] == ["50s", "default"]


def test_json_has_typed_values_and_masks_secrets(gossamer: Gossamer) -> None:
    proxy = "http://user:hushhush@127.0.0.1:3128"
    done = gossamer("config", "--json", "--config", f"fetch.upstream_proxy={proxy}")
    values = json.loads(done.stdout)
    assert values["politeness.delay"] == {"value": 1.0, "source": "default"}
    assert values["fetch.upstream_proxy"] == {"value": "***", "source": "command line"}
    assert "hushhush" not in done.stdout


def test_a_change_stays_until_it_is_taken_back(gossamer: Gossamer) -> None:
    assert gossamer("config", "set", "politeness.delay=2min", "scope.kind=any").returncode == 0
    values = json.loads(gossamer("config", "--json", "--config", "politeness.delay=9").stdout)
    assert values["politeness.delay"] == {"value": 120.0, "source": "runtime change (runtime.json)"}
    assert (
        gossamer("config", "unset", "politeness.delay").stdout
        == "politeness.delay = 1s  (default)\n"
    )
    values = json.loads(gossamer("config", "--json").stdout)
    assert values["politeness.delay"]["source"] == "default"
    assert values["scope.kind"]["value"] == "any"


def test_changes_are_logged(gossamer: Gossamer, tmp_path: Path) -> None:
    gossamer("config", "set", "politeness.delay=2", "--data", "d")
    logged = json.loads((tmp_path / "d" / "log" / "000001.jsonl").read_text())
    assert (logged["event"], logged["key"], logged["value"]) == (
        "config-changed",
        "politeness.delay",
        "2s",
    )


def test_one_bad_value_changes_nothing(gossamer: Gossamer, tmp_path: Path) -> None:
    done = gossamer("config", "set", "politeness.delay=2", "scope.kind=world")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'world' is not one of page, host, site, any" in done.stderr
    assert not (tmp_path / "gossamer-data").exists()


def test_looking_makes_no_folder(gossamer: Gossamer, tmp_path: Path) -> None:
    gossamer("config")
    assert list(tmp_path.iterdir()) == []


def test_a_change_is_refused_as_a_whole_where_the_file_is_bad(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    (tmp_path / "gossamer-data").mkdir()
    (tmp_path / "gossamer-data" / "gossamer.toml").write_text("[politeness]\ndelay = 'fast'\n")
    assert gossamer("config", "set", "scope.kind=any").returncode == 2
    assert not (tmp_path / "gossamer-data" / "runtime.json").exists()


def test_changes_made_side_by_side_are_all_kept(tmp_path: Path) -> None:
    keys = ["politeness.delay", "politeness.patience", "traps.max_length", "log.keep_files"]
    command = [sys.executable, "-m", "gossamer", "config", "set"]
    running = [
        subprocess.Popen([*command, f"{key}=30"], cwd=tmp_path, stdout=subprocess.DEVNULL)
        for key in keys
    ]
    assert [process.wait() for process in running] == [0] * len(keys)
    kept = json.loads((tmp_path / "gossamer-data" / "runtime.json").read_text())
    assert set(kept) == set(keys)


def test_a_change_that_means_nothing_any_more_can_be_taken_back(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    (tmp_path / "gossamer-data").mkdir()
    runtime = tmp_path / "gossamer-data" / "runtime.json"
    runtime.write_text('{"old.key": "1"}')
    refused = gossamer("config")
    assert refused.returncode == 2
    assert "runtime.json" in refused.stderr
    assert gossamer("config", "unset", "old.key").returncode == 0
    assert json.loads(runtime.read_text()) == {}


def test_secrets_are_in_no_refusal_and_in_no_file_others_can_read(
    gossamer: Gossamer, tmp_path: Path
) -> None:
    done = gossamer("config", GOSSAMER_FETCH_UPSTREAM_PROXY="http://u:geheim@p.test:1\x07")
    assert done.returncode == 2
    assert "geheim" not in done.stderr
    gossamer("config", "set", "fetch.upstream_proxy=http://u:geheim@p.test:1")
    assert (tmp_path / "gossamer-data" / "runtime.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("crawl", "words"),
    [
        ({"waits": [], "refused": None}, "has taken it up."),
        ({"waits": ["a.b", "a.c"], "refused": None}, "takes this up with its next run: a.b, a.c."),
        ({"waits": [], "refused": "It is bad."}, "refuses it: It is bad."),
    ],
)
def test_people_are_told_what_the_crawl_made_of_it(crawl: dict[str, object], words: str) -> None:
    told = sentence({"process": 7, **crawl})
    assert told == f"The crawl that is running (process 7) {words}"


def test_a_service_that_has_the_folder_is_not_called_a_crawl() -> None:
    told = sentence(
        {"process": 7, "command": "serve", "waits": ["service.address"], "refused": None}
    )
    assert told == "`gossamer serve` (process 7) takes this up with its next run: service.address."


def test_where_nobody_crawls_the_change_is_logged(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    assert taken_up(data, ["politeness.delay"]) is None
    tell(data, Config(), {"politeness.delay": "2s"}, None)
    (line,) = (tmp_path / "log" / "000001.jsonl").read_text().splitlines()
    assert json.loads(line)["value"] == "2s"


def test_where_somebody_crawls_that_one_logs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = {"process": 7, "waits": [], "refused": None}
    tell(DataFolder(tmp_path), Config(), {"politeness.delay": "2s"}, crawl)
    assert not (tmp_path / "log").exists()
    assert "has taken it up" in capsys.readouterr().err


def test_expressions_are_added_listed_and_removed(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("config", "add", "scope.exclude=/a{1,2}/", "scope.include=^http://a")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "scope.exclude: /a{1,2}/ is added\nscope.include: ^http://a is added\n"
    assert here("config", "added").stdout == "scope.exclude  /a{1,2}/\nscope.include  ^http://a\n"
    assert here("config", "remove", "scope.exclude=/a{1,2}/").returncode == 0
    listed = json.loads(here("config", "added", "--json").stdout)
    assert listed == [{"kind": "include", "expression": "^http://a"}]
    lines = (small_crawl.log_folder / "000001.jsonl").read_text().splitlines()
    assert [json.loads(line)["value"] for line in lines] == [
        "/a{1,2}/ added",
        "^http://a added",
        "/a{1,2}/ removed",
    ]


def test_an_added_expression_is_explained(here: Gossamer, small_crawl: DataFolder) -> None:
    here("config", "add", "scope.exclude=/odd")
    reach = ("--connect-to", "*.test=127.0.0.1:9")  # where nobody listens
    record = json.loads(here("explain", "http://a.test/odd", "--json", *reach).stdout)
    assert record["scope"]["refused"]["rule"] == "scope-exclude"


def test_what_cannot_be_done_is_said(here: Gossamer, small_crawl: DataFolder) -> None:
    here("config", "add", "scope.exclude=/odd")
    twice = here("config", "add", "scope.exclude=/odd")
    assert (twice.returncode, twice.stdout) == (1, "")
    assert "was added to scope.exclude before" in twice.stderr
    unknown = here("config", "remove", "scope.include=/odd")
    assert unknown.returncode == 1
    assert "was not added to scope.include" in unknown.stderr
    for given, words in [
        ("scope.exclude=(", "not an expression"),
        ("scope.exclude", "write KEY=EXPRESSION"),
        ("politeness.delay=3", "politeness.delay is no list of expressions"),
    ]:
        refused = here("config", "add", given)
        assert refused.returncode == 2
        assert words in refused.stderr


def test_without_a_crawl_there_is_nothing_to_add_to(here: Gossamer) -> None:
    done = here("config", "add", "scope.exclude=/odd")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
