"""Checks that look deeper into a value than its type does: is it a network, an expression, a query?

Each is the function of the part that uses the value, so that what it refuses later is refused now.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from gossamer.config import Scope
from gossamer.errors import ConfigError
from gossamer.fetch.agent import checked_agent, checked_contact
from gossamer.fetch.connect_to import connect_to_rules
from gossamer.fetch.guard import allowed_networks
from gossamer.fetch.handle import checked_proxy
from gossamer.fetch.trust import trusted_authorities
from gossamer.index.server.address import checked_url
from gossamer.politeness.consent import read_purposes
from gossamer.politeness.ranking import read_rules
from gossamer.reading.wanted import wanted_syntaxes
from gossamer.urls import SeedScope
from gossamer.urls.expressions import compiled
from gossamer.urls.forms import check_parameters
from gossamer.urls.host_patterns import checked_host_patterns

CHECKS: Final[Mapping[str, Callable[[Any], object]]] = MappingProxyType(
    {
        "politeness.agent": checked_agent,
        "politeness.contact": checked_contact,
        "consent.purposes": read_purposes,
        "identity.agent_url": lambda given: _agent_url(given),
        "identity.headers": lambda given: _own_headers(given),
        "scope.include": lambda given: SeedScope(Scope(include=given)),
        "scope.exclude": lambda given: SeedScope(Scope(exclude=given)),
        **{
            name: partial(checked_host_patterns, name)
            for name in (
                "politeness.delays",
                "proxy.allow_hosts",
                "proxy.deny_hosts",
                "proxy.robots_exempt",
                "proxy.no_intercept",
                "proxy.keep_anyway",
            )
        },
        "proxy.connect_ports": lambda given: _ports(given),
        "urls.drop_parameters": check_parameters,
        "crawl.priority": read_rules,
        "crawl.follow_query": lambda given: _link_query(given),
        "focus.want": lambda given: _wants(given),
        "focus.words": lambda given: _words(given),
        "transform.only": wanted_syntaxes,
        "transform.drop": lambda given: [compiled("transform.drop", each) for each in given],
        "index.url": partial(checked_url, "--index"),
        "index.query_url": partial(checked_url, "index.query_url"),
        "index.update_url": partial(checked_url, "index.update_url"),
        "index.store_url": partial(checked_url, "index.store_url"),
        "fetch.connect_to": connect_to_rules,
        "fetch.allow_net": allowed_networks,
        "fetch.ca": trusted_authorities,
        "fetch.upstream_proxy": checked_proxy,
        "service.trusted_proxies": allowed_networks,
        "alerts.webhook": lambda given: _webhook("alerts.webhook", given),
        "changes.webhook": lambda given: _webhook("changes.webhook", given),
    }
)
"""The check of each key that has one; it raises `ConfigError`, a whole sentence."""


def _ports(texts: tuple[str, ...]) -> None:
    for text in texts:
        is_number = text.isascii() and text.isdigit() and len(text) <= 5
        if text != "*" and not (is_number and 0 < int(text) < 65536):
            raise ConfigError(
                f"proxy.connect_ports: {text!r} is no port; write a number such as 443, or * for all."
            )


def _agent_url(url: str) -> None:
    # Imported where there is one to check, as below.
    from gossamer.identity.signer import checked_agent_url

    checked_agent_url(url)


def _own_headers(headers: Mapping[str, str]) -> None:
    from gossamer.identity.signer import checked_headers

    checked_headers(headers)


def _webhook(key: str, url: str) -> None:
    # Imported when there is one to check: it brings the HTTP client along.
    from gossamer.fetch.webhook import checked_webhook

    checked_webhook(key, url)


def _wants(texts: tuple[str, ...]) -> None:
    # Imported where something is wanted: it brings schema.org's classes and the engine of queries.
    from gossamer.focus.matching import check_wants

    check_wants(texts)


def _words(texts: tuple[str, ...]) -> None:
    from gossamer.focus.wants import read_wants

    read_wants((), texts)


def _link_query(text: str) -> None:
    # Imported when there is a query to check: it brings the readers of all syntaxes with it.
    from gossamer.extract.link_query import LinkQuery

    LinkQuery(text)
