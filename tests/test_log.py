import io
import json
import resource
from datetime import UTC, datetime, timedelta, timezone
from errno import ENOSPC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.proxy.proxied import run, until

from gossamer.config import Log
from gossamer.errors import DataFolderError, StorageFullError
from gossamer.events import (
    ConfigChanged,
    Event,
    NoContact,
    Paused,
    Proxied,
    Refused,
    Requested,
    Resumed,
    RobotsRead,
)
from gossamer.log import _WRITTEN, Batch, HumanLog, JsonLog, both, log_files, read_events, tell_all
from gossamer.politeness.robots.record import Meaning

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def change(number: int) -> ConfigChanged:
    return ConfigChanged(key="politeness.delay", value=str(number))


def json_log(folder: Path, **config: int) -> JsonLog:
    return JsonLog(folder, Log(**config), clock=lambda: MOMENT)  # type: ignore[arg-type]  # sizes only


def test_an_event_is_one_json_line(tmp_path: Path) -> None:
    log = json_log(tmp_path)
    log(change(1))
    log.close()
    assert json.loads((tmp_path / "000001.jsonl").read_text()) == {
        "at": "2026-01-02T00:00:00.000+00:00",
        "event": "config-changed",
        "level": "info",
        "key": "politeness.delay",
        "value": "1",
    }


def test_a_second_run_goes_on_in_the_same_file(tmp_path: Path) -> None:
    for number in (1, 2):
        log = json_log(tmp_path)
        log(change(number))
        log.close()
    assert [event["value"] for event in read_events(tmp_path)] == ["1", "2"]
    assert len(log_files(tmp_path)) == 1


def test_files_are_closed_at_a_size_and_the_oldest_go(tmp_path: Path) -> None:
    log = json_log(tmp_path, rotate_bytes=300, keep_files=2)
    for number in range(30):
        log(change(number))
    log.close()
    kept = [str(event["value"]) for event in read_events(tmp_path)]
    assert len(log_files(tmp_path)) == 3  # two closed ones and the one in use
    assert kept == [str(number) for number in range(30)][-len(kept) :]


def test_a_line_torn_by_a_crash_spoils_no_other(tmp_path: Path) -> None:
    log = json_log(tmp_path)
    log(change(1))
    log.close()
    with (tmp_path / "000001.jsonl").open("ab") as file:
        file.write(b'{"at": "2026-')
    log(change(2))
    log.close()
    assert [event["value"] for event in read_events(tmp_path)] == ["1", "2"]


def test_events_under_the_level_are_left_out(tmp_path: Path) -> None:
    log = JsonLog(tmp_path, Log(level="warning"))
    log(change(1))
    log(NoContact())
    log.close()
    assert [event["event"] for event in read_events(tmp_path)] == ["no-contact"]


def test_a_log_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with pytest.raises(DataFolderError, match="cannot be written"):
        json_log(tmp_path / "log")(change(1))


def test_a_disk_without_room_for_the_log_is_told_apart(tmp_path: Path) -> None:
    log = json_log(tmp_path)
    log(change(1))
    room = (tmp_path / "000001.jsonl").stat().st_size + 20  # half a line
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        for _ in range(2):
            with pytest.raises(StorageFullError, match="cannot be written"):
                log(change(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    log(change(3))
    log.close()
    assert [event["value"] for event in read_events(tmp_path)] == ["1", "3"]


def test_people_see_warnings_and_the_file_sees_all(tmp_path: Path) -> None:
    stderr = io.StringIO()
    log = json_log(tmp_path)
    tell = both(log, HumanLog(stderr))
    tell(Refused(url="http://a.test/", rule="robots", why="line 2"))
    tell(NoContact())
    log.close()
    assert stderr.getvalue().startswith("warning: No contact is configured")
    assert len(list(read_events(tmp_path))) == 2


def test_events_that_are_told_together_are_written_as_one_by_one(tmp_path: Path) -> None:
    told = [
        Requested(
            host="a.test",
            url='http://a.test/"ä"',
            purpose="proxy",
            started_at=MOMENT,
            ended_at=MOMENT + timedelta(microseconds=5),
            status=200,
            bytes=8192,
            delay=timedelta(seconds=1.5),
            delay_source="Crawl-delay, line 2",
        ),
        Paused(),
        RobotsRead(origin="http://a.test", meaning=Meaning.RULES, cause="ok", expires_at=MOMENT),
        NoContact(),
    ]
    stderr, log = io.StringIO(), json_log(tmp_path)
    tell_all(both(log, HumanLog(stderr)), told)
    log.close()
    assert [*read_events(tmp_path)] == [
        {"at": MOMENT.isoformat("T", "milliseconds"), "event": each.name, "level": each.level}
        | json.loads(json.dumps(each.record()))
        for each in told
    ]
    assert stderr.getvalue().count("\n") == 1
    HumanLog(stderr, "debug").all(told)
    assert stderr.getvalue().count("\n") == 1 + len(told)


@given(
    st.lists(
        st.datetimes(
            min_value=datetime(2, 1, 1),
            timezones=st.sampled_from([UTC, timezone(timedelta(hours=2))]),
        )
    )
)
def test_moments_are_written_as_the_record_has_them(moments: list[datetime]) -> None:
    written = [json.loads(_WRITTEN[datetime](each)) for each in moments]
    assert written == [each.astimezone(UTC).isoformat("T", "microseconds") for each in moments]


def test_those_under_the_level_are_left_out_of_many(tmp_path: Path) -> None:
    log = JsonLog(tmp_path, Log(level="warning"))
    log.all([change(1), NoContact(), change(2)])
    log.all([change(3)])
    log.close()
    assert [event["event"] for event in read_events(tmp_path)] == ["no-contact"]


def test_nobody_who_can_be_told_is_no_reason_to_stop() -> None:
    class FullDisk(io.StringIO):
        def flush(self) -> None:
            raise OSError(ENOSPC, "No space left on device")

    HumanLog(FullDisk())(NoContact())


def sent(url: str, purpose: str) -> Requested:
    return Requested(
        host="a.test",
        url=url,
        purpose=purpose,
        started_at=MOMENT,
        ended_at=MOMENT,
        status=200,
        bytes=1,
        delay=timedelta(0),
        delay_source="ours",
    )


def proxied(url: str) -> Proxied:
    return Proxied(
        client="127.0.0.1",
        method="GET",
        url=url,
        status=200,
        bytes=1,
        by="server",
        waited=timedelta(0),
        took=timedelta(0),
        reason="",
    )


@pytest.mark.parametrize("wanted", [False, True])
def test_what_clients_ask_for_is_written_without_its_query_unless_wanted(
    tmp_path: Path, wanted: bool
) -> None:
    url = "http://a.test/x?token=5e"
    log = JsonLog(tmp_path, Log(client_queries=wanted))
    log.all([proxied(url), sent(url, "proxy"), sent(url, "lease"), sent(url, "page")])
    log(proxied("http://a.test/y"))
    log.close()
    theirs = url if wanted else "http://a.test/x?"
    assert [each["url"] for each in read_events(tmp_path)] == [
        *(theirs, theirs, theirs, url, "http://a.test/y")
    ]


def test_events_are_handed_on_in_their_order_before_long() -> None:
    async def work() -> None:
        told: list[Event] = []
        batch = Batch(told.append)
        for event in (Paused(), Resumed()):
            batch(event)
        assert told == []
        await until(lambda: told)
        assert told == [Paused(), Resumed()]
        batch(Paused())
        batch.close()
        assert told == [Paused(), Resumed(), Paused()]

    run(work())


def test_a_full_disk_costs_lines_alone() -> None:
    def full(_: Event) -> None:
        raise StorageFullError("full")

    async def work() -> None:
        batch = Batch(full)
        batch(Paused())
        batch.close()
        batch(Paused())
        batch.close()

    run(work())
