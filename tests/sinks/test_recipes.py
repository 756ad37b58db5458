"""The recipes of docs/sinks.md work with the real client libraries, as they stand."""

import ast
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from tests.api.chains import Chain, served
from tests.slowness import patience

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sinks.md"
SITE: Mapping[str, Any] = {
    "/": "<a href=/lamp>.</a><a href=/desk>.</a>",
    "/lamp": {"name": "Lamp", "offers": {"@type": "Offer", "price": 19.9}},
    "/desk": {"name": "Desk", "offers": [{"@type": "Offer", "price": 99}]},
}


def recipe(told_by: str) -> str:
    """The code of a recipe."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (code,) = (block for block in blocks if told_by in block)
    return str(code)


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    """A broker on loopback, in this process: librdkafka has one for tests, which speaks Kafka's protocol."""
    cluster = Producer({"bootstrap.servers": "none", "test.mock.num.brokers": 1, "log_level": 0})
    (one,) = cluster.list_topics(timeout=patience(10)).brokers.values()
    yield f"{one.host}:{one.port}"
    del cluster


def taken(broker: str, topic: str, count: int) -> Iterator[tuple[str, Any]]:
    """The first messages of a topic."""
    consumer = Consumer({"bootstrap.servers": broker, "group.id": "test", "log_level": 0})
    parts = consumer.list_topics(topic, timeout=patience(10)).topics[topic].partitions
    consumer.assign([TopicPartition(topic, part, 0) for part in parts])
    for _ in range(count):
        message = consumer.poll(patience(30))
        assert message is not None
        assert message.error() is None
        yield (message.key() or b"").decode(), json.loads(message.value() or b"")
    consumer.close()


def kafka_sink(where: str) -> Any:
    names: dict[str, Any] = {}
    exec(recipe("KafkaSink"), names)
    return names["KafkaSink"](where)


def test_kafka_has_every_page_when_write_returns(broker: str) -> None:
    pages: list[dict[str, Any]] = [{"url": f"http://a.test/{n}"} for n in range(200)]
    large: dict[str, Any] = {"url": "http://a.test/large", "nquads": "<http://a.test/s> " * 200_000}
    sink = kafka_sink(f"{broker}/pages")
    sink.write([*pages, large])
    assert dict(taken(broker, "pages", 201)) == {page["url"]: page for page in [*pages, large]}


def test_a_page_that_kafka_did_not_take_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"127.0.0.1:{silent.getsockname()[1]}"
        sink = kafka_sink(f"{where}/pages")
        # It gives a message up soon, and `flush` alone does not say so.
        soon = {"bootstrap.servers": where, "message.timeout.ms": 100, "log_level": 0}
        sink.producer = Producer(soon)
        with pytest.raises(RuntimeError, match="did not take all pages"):
            sink.write([{"url": "http://a.test/"}])


class Shop(Chain):
    """A site with two products."""

    def page(self, path: str) -> tuple[int, str]:
        """The status and text of a page."""
        if isinstance(said := SITE.get(path), str) or said is None:
            return (404 if said is None else 200), said or ""
        product = {"@context": "https://schema.org", "@type": "Product", **said}
        return 200, f"<script type='application/ld+json'>{json.dumps(product)}</script>"


@pytest.mark.skipif(find_spec("dlt") is None, reason="needs soak: `make soak` installs dlt")
def test_dlt_loads_products_and_a_second_crawl_doubles_none(tmp_path: Path) -> None:
    code = recipe("import dlt")
    assert isinstance(ast.parse(code).body[-1], ast.Expr)
    with served(kind=Shop) as shop:
        settings = {
            "GOSSAMER_FETCH_CONNECT_TO": f"*.test={shop.address}",
            "GOSSAMER_POLITENESS_DELAY": "0",
            "GOSSAMER_SITEMAPS_USE": "false",
            "RUNTIME__DLTHUB_TELEMETRY": "false",
            "DLT_DATA_DIR": str(tmp_path / "dlt"),
        }
        clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
        for _ in range(2):
            subprocess.run(
                [sys.executable, "-c", code.replace("shop.example", "http://a.test/")],
                cwd=tmp_path,
                env={**clean, **settings},
                timeout=patience(120),
                check=True,
            )
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as database:
        found = database.execute("SELECT name, page FROM shop_dataset.products ORDER BY 1")
        assert found.fetchall() == [
            ("Desk", "http://a.test/desk"),
            ("Lamp", "http://a.test/lamp"),
        ]
        prices = database.execute("SELECT price FROM shop_dataset.products__offers ORDER BY 1")
        assert prices.fetchall() == [(19.9,), (99,)]
