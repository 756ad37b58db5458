"""Posts alarms to `alerts.webhook`: in a thread of its own, from a bounded queue, and each by one of all nodes."""

import json
import queue
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from gossamer.events import AlertsDropped, Event, NodeAlarmBegan, NodeAlarmEnded
from gossamer.fetch.webhook import Webhook, WebhookError
from gossamer.frontier.store import Store
from gossamer.nodes.alarms import Alarm, AlarmStore

MOST_WAITING: Final = 100  # posts; alarms of nodes are few, or something is very wrong
CLAIMED: Final = 20  # at once


def body_of(record: dict[str, object], *, ended: bool) -> bytes:
    """What is posted about an alarm."""
    told = {"event": "node-alarm-ended" if ended else "node-alarm", **record}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class _Post:
    body: bytes
    alarm: Alarm | None  # whose telling is noted in the database


@dataclass(slots=True)
class AlarmPosts:
    """Posts alarms, in a thread of its own; to be closed. What finds no room is dropped, and counted.

    An errand: it claims alarms that nobody has posted, and notes those that have arrived. Those that have not
    are tried again, by whoever claims them then, for an hour.
    """

    node: str
    webhook: Webhook
    dropped: int = 0
    _waiting: "queue.Queue[_Post | None]" = field(default_factory=lambda: queue.Queue(MOST_WAITING))
    _done: "queue.SimpleQueue[tuple[Alarm, bool]]" = field(default_factory=queue.SimpleQueue)
    _told: int = 0
    _why: str = ""
    _thread: threading.Thread | None = None

    def run(self, store: Store) -> Sequence[Event]:
        """Note what has arrived, and claim what is to be posted."""
        alarms = AlarmStore(store)
        arrived: list[Alarm] = []
        while not self._done.empty():
            alarm, has_arrived = self._done.get()
            if has_arrived:
                arrived.append(alarm)
        if arrived:
            alarms.note_told(self.node, arrived)
        self.dropped += alarms.drop_stale()
        room = MOST_WAITING // 2 - self._waiting.qsize()
        for alarm in alarms.claim(self.node, min(CLAIMED, room)) if room > 0 else ():
            self._put(_Post(body_of(alarm.record(), ended=alarm.ended_at is not None), alarm))
        return self._news()

    def hear(self, events: Sequence[Event]) -> None:
        """Post what this node alone can know of: that the database is away."""
        for event in events:
            if isinstance(event, NodeAlarmBegan | NodeAlarmEnded) and event.kind == "database":
                told = dict(event.record())
                record = {"node": told.pop("troubled"), **told}
                ended = isinstance(event, NodeAlarmEnded)
                self._put(_Post(body_of(record, ended=ended), None))

    def close(self) -> None:
        """Post no more; what waits is left, for others to claim."""
        with suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    def wait(self, seconds: float) -> None:
        """Wait until the thread has ended, for so long at most."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _put(self, post: _Post) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="webhook", daemon=True)
            self._thread.start()
        try:
            self._waiting.put_nowait(post)
        except queue.Full:
            self.dropped += 1
            self._why = "too many wait"

    def _work(self) -> None:
        while (post := self._waiting.get()) is not None:
            try:
                self.webhook.post(post.body)
            except WebhookError as error:
                self._why = str(error)
                if post.alarm is None:
                    self.dropped += 1
                else:
                    self._done.put((post.alarm, False))
            else:
                if post.alarm is not None:
                    self._done.put((post.alarm, True))

    def _news(self) -> Sequence[Event]:
        why, self._why = self._why, ""
        if not why:
            return ()
        return (AlertsDropped(why=why, dropped=self.dropped),)
