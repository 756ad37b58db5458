import asyncio
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gossamer.errors import OutputError, SinkLostError
from gossamer.sinks import plugins
from gossamer.sinks.opening import open_sinks
from gossamer.sinks.plugins import GROUP, PluginSink

PAGE = b'{"url": "http://a.test/"}\n'
Opened = Callable[..., PluginSink]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Open a sink with this source, in a process."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def sink(source: str, where: str = "") -> PluginSink:
        (tmp_path / "a_sink.py").write_text(
            f"class Sink:\n    def __init__(self, where):\n{source}"
        )
        return PluginSink(EntryPoint("mine", "a_sink:Sink", GROUP), where)

    return sink


def test_a_sink_has_each_batch_and_is_closed(opened: Opened, tmp_path: Path) -> None:
    source = """
        self.file = open(where, 'w')
        print('It may say what it likes.')
    def write(self, pages):
        self.file.write(' '.join(page['url'] for page in pages) + '; ')
    def close(self):
        self.file.write('closed')
        self.file.close()
"""
    sink = opened(source, str(tmp_path / "out"))
    asyncio.run(sink.write([PAGE, PAGE]))
    asyncio.run(sink.write([PAGE]))
    sink.close()
    page = "http://a.test/"
    assert (tmp_path / "out").read_text() == f"{page} {page}; {page}; closed"


def test_a_sink_that_cannot_be_opened_is_told_before_the_crawl(opened: Opened) -> None:
    with pytest.raises(OutputError, match=r"-o mine: it failed .ValueError: Nothing is there.\.$"):
        opened("        raise ValueError('Nothing is there')\n")


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("raise OSError('No broker')", "it failed .OSError: No broker"),
        ("import os; os._exit(3)", "its process ended"),
        ("import time; time.sleep(600)", "it did not answer"),
    ],
)
def test_a_sink_that_fails_is_lost_with_a_sentence(
    opened: Opened, does: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = opened(f"        pass\n    def write(self, pages):\n        {does}\n")
    if "sleep" in does:
        monkeypatch.setattr(plugins, "BATCH_SECONDS", 0.2)
    with pytest.raises(SinkLostError, match=told):
        asyncio.run(sink.write([PAGE]))
    sink.close()


def test_a_sink_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no package has a sink 'kafka'"):
        open_sinks([str(tmp_path / "pages.jsonl"), "kafka:localhost"], print)
    open_sinks([str(tmp_path / "pages.jsonl")], print)[0].close()  # the first was let go again
