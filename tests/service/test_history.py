from gossamer.service.history import MOST, SERIES, History
from gossamer.service.snapshots import away, snapshot

from .test_snapshots import status


def test_a_point_is_kept_every_few_seconds() -> None:
    history = History(every=5)
    for second in range(12):
        history.note(snapshot(status(), (), second))
    kept = history.record()
    assert kept["at"] == [0, 5, 10]
    assert set(kept["series"]) == set(SERIES)
    assert kept["series"]["left"] == [5, 5, 5]
    assert kept["series"]["fetch"] == [None, None, None]


def test_it_never_holds_more_than_an_hour() -> None:
    history = History(every=5)
    for turn in range(MOST + 3):
        history.note(snapshot(status(), (), 5.0 * turn))
    kept = history.record()
    assert len(kept["at"]) == MOST
    assert kept["at"][0] == 15.0


def test_times_without_a_crawl_leave_nothing() -> None:
    history = History()
    history.note(away(1.0))
    history.note(snapshot({**status(), "run": None}, (), 2.0))
    assert history.record()["at"] == []
    assert history.record()["series"] == {name: [] for name in SERIES}
