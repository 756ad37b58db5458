"""What a finished transfer amounts to: `Fetched`, in whole or in part, or `Failed`. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from gossamer.fetch.causes import cause_of
from gossamer.fetch.transfer import Transfer
from gossamer.model import BodyState, Cause, Failed, Fetched, Url

_BROKEN_OFF: Final = (Cause.TRUNCATED, Cause.RESET)
_PARTIAL_CONTENT: Final = 206


class Start(NamedTuple):
    """When a request began, by the calendar and by the loop's seconds."""

    at: datetime
    ticks: float

    def moment(self, ticks: float) -> datetime:
        """The time of day at a later tick; steady even when the clock is set meanwhile."""
        return self.at + timedelta(seconds=ticks - self.ticks)


@dataclass(frozen=True, slots=True)
class CurlError:
    """How curl says that a transfer went wrong."""

    code: int
    message: str


def outcome_of(
    transfer: Transfer, error: CurlError | None, address: str | None, start: Start, ended: float
) -> Fetched | Failed:
    """The value that the caller gets."""
    verdict, why = _verdict(transfer, error)
    if verdict is Cause.CONNECT and address is None:
        verdict = Cause.PROXY  # which is all that we connect to ourselves
    if isinstance(verdict, Cause):
        return failed(transfer.url, verdict, why, start, ended)
    head, answered = transfer.head, transfer.patience.answered_at
    return Fetched(
        url=head.url,
        status=head.status,
        headers=head.headers,
        body=transfer.body,
        body_state=verdict,
        http_version=transfer.http_version,
        address=address,
        started_at=start.at,
        first_byte_at=start.moment(ended if answered is None else answered),
        finished_at=start.moment(ended),
        request_headers=transfer.request_headers,
    )


def failed(url: Url, cause: Cause, why: str, start: Start, ended: float) -> Failed:
    """A failure, with its times."""
    return Failed(url, cause, why, start.at, start.moment(ended))


def _verdict(transfer: Transfer, error: CurlError | None) -> tuple[Cause | BodyState, str]:
    if transfer.stopped:
        return transfer.stopped.reason, transfer.stopped.message
    if error is None and not transfer.head_complete:
        # curl is content when a connection ends within the headers; we are not.
        return Cause.TRUNCATED, "The answer ended within its headers."
    if error is None:
        return (BodyState.TRUNCATED if _is_part(transfer) else BodyState.WHOLE), ""
    cause = cause_of(error.code)
    if cause in _BROKEN_OFF and transfer.body:
        return BodyState.TRUNCATED, ""
    return cause, _sentence(error.message)


def _is_part(transfer: Transfer) -> bool:
    """Whether an answer says, though nobody asked for that, that it is not the whole page."""
    if transfer.head.status != _PARTIAL_CONTENT:
        return False
    size = len(transfer.body)
    return (transfer.head.header("content-range") or "").lower() != f"bytes 0-{size - 1}/{size}"


def _sentence(message: str) -> str:
    # Some of curl's messages quote the server.
    printable = "".join(each if each.isprintable() else " " for each in message).strip()
    return f"{printable.rstrip('.') or 'The transfer failed'}."
