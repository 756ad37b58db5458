"""Pages, answers and judges for the tests of what becomes of a page."""

from datetime import UTC, datetime, timedelta
from typing import Any

from gossamer.config import Config, Scope
from gossamer.crawl.admission import Admission
from gossamer.crawl.verdicts import Judge
from gossamer.frontier.protocol import Assignment
from gossamer.model import (
    BodyState,
    Cause,
    Detection,
    Evidence,
    Failed,
    Fetched,
    Link,
    Problem,
    Syntax,
    Url,
)
from gossamer.reading.jobs import Extracted, Targets
from gossamer.urls.scope import SeedScope

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
PAGE = Url("http://a.test/page")
QUAD = b'<http://a.test/page> <http://purl.org/dc/terms/title> "A" <http://a.test/page> .\n'


def judge(*seeds: str, config: Config | None = None) -> Judge:
    """The judge of a crawl from these seeds."""
    config = config or Config(scope=Scope(kind="host"))
    named = [Url(seed) for seed in seeds or (PAGE,)]
    return Judge(config, Admission(config, SeedScope(config.scope, named)))


def assignment(url: str = PAGE, **known: Any) -> Assignment:
    """A page to fetch."""
    given = {"depth": 1, "hops": 0, "seed": False, "attempts": 0, **known}
    return Assignment(id=1, host=url.split("/")[2], token=7, url=Url(url), **given)


def answered(
    status: int = 200,
    body: bytes = b"<p>",
    *,
    url: str = PAGE,
    state: BodyState = BodyState.WHOLE,
    **headers: Any,
) -> Fetched:
    """An answer; `content_type="text/html"` is a header of it."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Fetched(
        url=Url(url),
        status=status,
        headers=named,
        body=body,
        body_state=state,
        http_version="1.1",
        address="127.0.0.1",
        started_at=NOW - SECOND,
        first_byte_at=NOW - SECOND / 2,
        finished_at=NOW,
    )


def failed(cause: Cause, message: str = "It went wrong.") -> Failed:
    """A request that brought no answer."""
    return Failed(PAGE, cause, message, NOW - SECOND, NOW)


def extracted(
    *links: str | Link, nquads: bytes = QUAD, problems: tuple[Problem, ...] = (), **rest: Any
) -> Extracted:
    """What a page says."""
    said = tuple(link if isinstance(link, Link) else Link(Url(link)) for link in links)
    evidence = (Evidence(Syntax.JSON_LD, "a script says so"),)
    return Extracted(
        url=PAGE,
        detection=Detection("text/html", evidence, "utf-8", "it says so"),
        nquads=nquads,
        count=nquads.count(b"\n"),
        problems=problems,
        targets=Targets.of(said),
        **rest,
    )
