from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.proxy.proxied import run, running

from gossamer.config import Config, Proxy
from gossamer.proxy.serving import clients_within, with_at_most


def test_who_gets_answers_in_order_is_as_configured_now(tmp_path: Path) -> None:
    async def work() -> None:
        async with running(tmp_path, Proxy(sequential=("anna",))) as proxied:
            serving = proxied.serving
            assert serving.is_in_order("anna")
            assert not serving.is_in_order("127.0.0.1")
            assert serving.proxy is serving.parts.config.proxy

        async with running(tmp_path, Proxy(sequential=("*",))) as proxied:
            assert proxied.serving.is_in_order("127.0.0.1")

    run(work())


@given(st.integers(1, 10_000), st.integers(0, 500))
def test_each_client_may_have_a_server_and_others_have_files_too(files: int, taken: int) -> None:
    clients = clients_within(files, taken)
    others = min(192, files // 4)
    assert clients == 1 or taken + others + 2 * clients <= files


def test_the_usual_number_of_clients_needs_some_thousand_files() -> None:
    assert clients_within(1024, 30) == 401
    assert clients_within(65_536, 30) > Proxy().max_connections


def test_fewer_clients_than_wanted_and_never_more() -> None:
    config = Config(proxy=Proxy(max_connections=500))
    assert with_at_most(config, 400).proxy.max_connections == 400
    assert with_at_most(config, 600) == config
