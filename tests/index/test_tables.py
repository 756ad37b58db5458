import threading

import pytest

from gossamer.index.tables import Tables


class Disk:
    """Takes tables when it is told to."""

    def __init__(self, *, ready: bool = True) -> None:
        self.go_on = threading.Event()
        self.written = 0
        self.error: OSError | None = None
        if ready:
            self.go_on.set()

    def write(self) -> None:
        """Take a table."""
        assert self.go_on.wait(60)
        if self.error:
            raise self.error
        self.written += 1


def test_tables_are_written_every_so_many_quads() -> None:
    disk = Disk()
    tables = Tables(disk.write, 10)
    for _ in range(10):
        tables.grew(4)
        tables.keep_up()
    tables.close()
    assert disk.written == 3


def test_what_somebody_else_wrote_is_not_written_again() -> None:
    disk = Disk()
    tables = Tables(disk.write, 10)
    for _ in range(5):
        tables.grew(8)
        tables.keep_up()
        tables.written()
    tables.close()
    assert disk.written == 0


def test_nobody_waits_for_one_table_but_for_two() -> None:
    disk = Disk(ready=False)
    tables = Tables(disk.write, 1)
    tables.grew(1)
    tables.keep_up()
    assert disk.written == 0
    tables.grew(1)
    threading.Timer(0.05, disk.go_on.set).start()
    tables.keep_up()
    assert disk.written >= 1
    tables.close()
    assert disk.written == 2


def test_what_went_wrong_is_told_the_next_time_and_tried_again() -> None:
    disk = Disk()
    disk.error = OSError("no room")
    tables = Tables(disk.write, 1)
    tables.grew(1)
    tables.keep_up()
    tables.grew(1)
    with pytest.raises(OSError, match="no room"):
        tables.keep_up()
    disk.error = None
    tables.keep_up()
    tables.close()
    assert disk.written == 1
