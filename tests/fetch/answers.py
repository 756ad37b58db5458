"""Answers for rules that look at them, made by hand."""

from datetime import UTC, datetime
from typing import Any

from gossamer.model import BodyState, Fetched, Url

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
PAGE = Url("http://site.test/a/page?q")


def answer(status: int = 200, *headers: tuple[str, str], **more: Any) -> Fetched:
    fields = {
        "url": PAGE,
        "status": status,
        "headers": headers,
        "body": b"",
        "body_state": BodyState.WHOLE,
        "http_version": "1.1",
        "address": "127.0.0.1",
        "started_at": NOW,
        "first_byte_at": NOW,
        "finished_at": NOW,
    }
    return Fetched(**{**fields, **more})
