from pathlib import Path

from tests.proxy.proxied import run, running

from gossamer.config import Proxy


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
