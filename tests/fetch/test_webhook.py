"""Posts reach a real HTTP server, signed; nothing else is reached by way of them."""

import hashlib
import hmac
import socket
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from tests.receivers import Receiver, receiving

from gossamer.config import Fetch
from gossamer.errors import ConfigError
from gossamer.fetch.webhook import Webhook, WebhookError, checked_webhook


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def test_a_post_is_signed_with_its_moment(receiver: Receiver) -> None:
    Webhook(receiver.url, "a secret", clock=lambda: 1234.9).post(b'{"a":1}')
    headers, body = receiver.next()
    mac = hmac.new(b"a secret", b'1234.{"a":1}', hashlib.sha256).hexdigest()
    assert headers["Gossamer-Signature"] == f"t=1234,v1={mac}"
    assert headers["Content-Type"] == "application/json"
    assert body == {"a": 1}
    Webhook(receiver.url).post(b"{}")
    assert "Gossamer-Signature" not in receiver.next()[0]


def test_a_redirect_is_a_failure_and_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.headers = 307, {"Location": receiver.url}
    with pytest.raises(WebhookError, match="it answered 307"):
        Webhook(receiver.url).post(b"{}")
    receiver.next()
    assert receiver.heard.empty()


def test_an_answer_without_an_end_is_broken_off(receiver: Receiver) -> None:
    receiver.status, receiver.body = 200, b"x" * 1_000_000
    with pytest.raises(WebhookError, match="too long"):
        Webhook(receiver.url).post(b"{}")


def test_a_name_that_leads_into_a_network_is_refused_unless_that_is_allowed(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolved(host: str, port: int, **_: object) -> list[Any]:
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    named = receiver.url.replace("127.0.0.1", "hooks.test")
    with pytest.raises(WebhookError, match="leads to an address of a network"):
        Webhook(named).post(b"{}")
    assert receiver.heard.empty()
    Webhook(named, allow=[ip_network("127.0.0.0/8")]).post(b"{}")
    Webhook(receiver.url.replace("127.0.0.1", "localhost")).post(b"{}")
    receiver.next()
    receiver.next()


def test_who_is_not_there_is_said_in_a_sentence_without_the_address() -> None:
    with pytest.raises(WebhookError, match=r"^nobody takes the connection$"):
        Webhook("http://127.0.0.1:9/secret-key").post(b"{}")


def test_an_address_is_checked_where_it_is_configured() -> None:
    for wrong in (
        "hooks.example",
        "ftp://a/",
        "http://",
        "http://a b/",
        "http://a:99999/",
        "http://ä.test/",
    ):
        with pytest.raises(ConfigError, match=r"alerts\.webhook: write an address"):
            checked_webhook("alerts.webhook", wrong)
    assert Webhook.of(None, "s", Fetch()) is None
    made = Webhook.of("https://a.test/x", "s", Fetch())
    assert made is not None
    assert made.url == "https://a.test/x"
