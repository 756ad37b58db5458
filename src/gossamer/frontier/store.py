"""What the frontier needs of a database: transactions, and statements for many rows at once.

The frontier is written once, over this. SQL is that which both engines understand; `?` marks
a value, and `instr(column, ?)` tells where bytes are within others. For many rows there are
`insert` and `update`, in whose clauses `:name` stands for the value of that column: SQLite
runs them row by row, which it does quickest, PostgreSQL all at once over arrays.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

Value = str | int | float | bytes | bool | None
Row = tuple[Any, ...]  # as the schema has them
T = TypeVar("T")


LinkRow = tuple[int, int, str, int, int, int, bool, int]
"""A URL to remember: host_id, key, url, depth, priority, hops, seed, state. A bare tuple, since
there are a hundred thousand of them a second."""
LINK_COLUMNS = ("host_id", "key", "url", "depth", "priority", "hops", "seed", "state")

NewRow = tuple[int, int, int, int, int]
"""New pages of one host in one state: host_id, state, how many, the highest priority, bytes of URLs."""

BetterRow = tuple[int, int, int, int, int, int, str | None]
"""A page that is nearer or more urgent than before, or behind fewer redirects.

Its id, host_id, depth, priority, state, hops and how it ended.
"""


class Remembered(NamedTuple):
    """What came of links."""

    new: list[NewRow]
    better: list[BetterRow]


class Transaction(Protocol):
    """A transaction: all of it is kept or nothing, at one moment."""

    now: int  # microseconds since 1970, as the store's clock has it

    def rows(self, sql: str, *values: Value) -> list[Row]:
        """Run a statement and take its rows."""

    def insert(
        self, table: str, columns: Sequence[str], values: Iterable[Row], then: str = ""
    ) -> list[Row]:
        """Insert rows; `then` is what follows (`ON CONFLICT …`, `RETURNING …`)."""

    def update(
        self,
        table: str,
        columns: Sequence[str],
        values: Iterable[Row],
        change: str,
        where: str,
        returning: str = "",
    ) -> list[Row]:
        """Update rows: `change` and `where` name the columns' values as `:name`."""

    def any_of(self, sql: str, column: str, values: Sequence[Value]) -> list[Row]:
        """The rows of a query where a column (its name tells its type) `{any}` of these values.

        In any query `{lock}` at its end keeps others from changing the rows before we are done,
        and `{claim}` does so and leaves out rows that others are changing.
        """

    def next_pages(
        self, columns: str, wanted: Sequence[tuple[int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host so many pending pages in order; those alone of which this is true, in SQL."""

    def next_of_arms(
        self, columns: str, wanted: Sequence[tuple[int, int, int]], which: str = "TRUE"
    ) -> list[Row]:
        """Of each host's arm so many pending pages in order; as `next_pages`."""

    def remember(self, links: Sequence[LinkRow]) -> Remembered:
        """Insert what is new; a known page keeps the smaller depth and the higher priority.

        Links come without duplicates, by host, and in order of arrival within a host: the
        order in which pages of equal priority and depth are handed out.
        """

    def watch(self, host_ids: Sequence[int]) -> None:
        """Until this is committed nobody may find that these hosts have nothing to fetch."""

    def unwatched(self, host_ids: Sequence[int]) -> set[int]:
        """The hosts that no other node watches; none will before this is committed."""

    def alone(self, name: str) -> None:
        """Be the only one, among all nodes, in a transaction that says this name."""

    def tokens(self, count: int) -> list[int]:
        """Numbers that were never given out before."""

    def here(self, moment: int) -> datetime:
        """A moment of the store in our own time, as late as it may be."""

    def deadline(self, moment: int) -> datetime:
        """A moment of the store in our own time, as early as it may be."""

    def there(self, moment: datetime) -> int:
        """A moment of ours in the store's time, as late as it may be."""


class Store(Protocol):
    """A database that frontiers live in."""

    is_shared: bool  # whether other nodes may have it open too

    def transact(self, work: Callable[[Transaction], T], *, durable: bool = True) -> T:
        """Run work in one transaction; it may be run again where the store was away.

        What is not durable outlives every process, but a power cut may undo it, together with
        all that came after it.
        """

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run work that changes nothing; it waits for no writer."""

    def close(self) -> None:
        """Let go of the database."""
