"""PDF documents that hang or swell cost one page: the next one is read."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.transform.pdf.made import document, made, shown, stream

from gossamer.config import MIB
from gossamer.config import Transform as Options
from gossamer.model import Cause
from gossamer.reading.isolation import IsolatedWorkers
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.transform.text.page_text import PageText

URL = "http://a.test/tides.pdf"
GOOD = document("The tide comes in by night")


@pytest.fixture
def workers() -> Iterator[IsolatedWorkers]:
    workers = IsolatedWorkers()
    yield workers
    workers.close()


def read(workers: IsolatedWorkers, body: bytes, options: Options) -> Extracted:
    job = PageJob(URL, body, "application/pdf", text="lead", options=options)
    return workers.submit(job).result()


def text_of(found: Extracted) -> str:
    return PageText.unpack(found.text).main


def many_pages(content: bytes) -> bytes:
    """A document whose pages all show one content: no machine reads 2,000 of them in time."""
    return made(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b"3 0 R " * 2_000, 2_000),
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            4: content,
            5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


def test_a_document_that_hangs_costs_one_page(workers: IsolatedWorkers) -> None:
    options = Options(time_limit=timedelta(seconds=1))
    body = many_pages(stream(b"BT 1 0 0 1 0 0 Tm ET " * 1_000_000, packed=True))
    assert len(body) < 1 * MIB
    found = read(workers, body, options)
    assert found.cause is Cause.UNREADABLE
    assert "took longer than 1s" in found.problems[0].message
    assert text_of(read(workers, GOOD, Options())) == "The tide comes in by night"


def test_a_document_that_swells_costs_one_page(workers: IsolatedWorkers) -> None:
    options = Options(memory_bytes=64 * MIB)
    body = document("", content=stream(shown("x" * 150_000_000), packed=True))
    assert len(body) < 1 * MIB
    assert text_of(read(workers, body, options)) == ""
    assert text_of(read(workers, GOOD, options)) == "The tide comes in by night"
