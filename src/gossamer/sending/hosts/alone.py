"""Hosts of a process that owns all there are: each is always ours to send to."""

from datetime import datetime, timedelta


class OwnHosts:
    """All hosts there are, each of them in our hands without being asked for."""

    __slots__ = ()
    is_wanted = False

    async def acquire(self, _host: str, _patience: timedelta) -> "OwnHosts":
        """Any host is ours."""
        return self

    def acquire_at_once(self, _host: str, _now: datetime) -> "OwnHosts":
        """Any host is ours."""
        return self

    async def confirm(self, _used: object) -> None:
        """Any host stays ours."""

    async def flush(self) -> None:
        """Do nothing: no host was let go of."""

    async def release(self) -> None:
        """Keep the host: any host is ours as long as the folder is."""

    def let_go(self) -> None:
        """Keep the host: any host is ours as long as the folder is."""
