"""Between our clock and a server's: what is known of their difference, and never more.

Nodes may be minutes fast or slow, and their clocks need not agree. While the server told its
time, our clock went from one moment to another; so the difference of the two is known within
the time that took. Moments are whole microseconds since 1970.
"""

from typing import NamedTuple


class Skew(NamedTuple):
    """How far our clock is ahead of the server's: at least, and at most."""

    least: int
    most: int

    @classmethod
    def measured(cls, before: int, server: int, after: int) -> "Skew":
        """The server said its time after our `before` and before our `after`."""
        return cls(before - server, max(before, after) - server)

    def here(self, moment: int) -> int:
        """A moment of the server in our time, as late as it may be: what is to be waited for."""
        return moment + self.most

    def deadline(self, moment: int) -> int:
        """A moment of the server in our time, as early as it may be: what is to be done by then."""
        return moment + self.least

    def there(self, moment: int) -> int:
        """A moment of ours in the server's time, as late as it may be.

        What was over when the server was asked is never after the time it told.
        """
        return moment - self.least
