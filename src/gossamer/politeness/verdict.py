"""May this URL be fetched now? The answer that `check` and the politeness service give."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

NO_WAIT = timedelta(0)
WAITING_IS_NO_USE = -1  # milliseconds, as the REST contract has it


@dataclass(frozen=True, slots=True)
class Verdict:
    """Allowed now; to be asked again after a wait; or forbidden, however long one waits."""

    url: str
    error: str | None = None  # why not now: a sentence
    wait: timedelta | None = NO_WAIT  # None: waiting does not help
    # "robots", "pause" of a host in trouble, why it cannot be reached; None for its usual rest.
    rule: str | None = None

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched now."""
        return self.error is None

    @property
    def retry_after(self) -> int:
        """Milliseconds to wait, rounded up; -1 where waiting does not help."""
        if self.wait is None:
            return WAITING_IS_NO_USE
        return ceil(self.wait / timedelta(milliseconds=1))

    def record(self) -> Mapping[str, object]:
        """The verdict as JSON has it, in `check --json` and in REST alike."""
        return {
            "url": self.url,
            "allowed": self.allowed,
            "error": self.error,
            "retryAfter": self.retry_after,
        }
