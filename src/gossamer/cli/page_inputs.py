"""Pages that a command is to read: files, folders, WARC files and URLs, read by workers, in order."""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from gossamer.config import Config
from gossamer.config import Transform as Options
from gossamer.errors import ConfigError, InputError
from gossamer.folder.data import DataFolder
from gossamer.reading.inputs import Heard, Input, read_inputs
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page_pool import extract_pages
from gossamer.urls.canonical import scheme_in


def check_base(url: str | None, names: tuple[str, ...]) -> None:
    """Raise `ConfigError` unless a base is an address, and of the only input."""
    if url is not None and scheme_in(url) is None:
        raise ConfigError(
            f"--url {url!r} is no address; write it in full, as in https://example.org/."
        )
    if url is not None and len(names) > 1:
        raise ConfigError("--url is for one file or folder at a time.")


def named_inputs(
    command: str,
    name: str,
    data: DataFolder,
    config: Config,
    *,
    url: str | None = None,
    media_type: str | None = None,
    start: int = 0,
    heard: Heard = lambda _url, _status: None,
) -> Iterator[Input]:
    """The pages behind a name; one that is a URL is fetched, politely, and uses the data folder."""
    if not name.startswith(("http://", "https://")):
        yield from read_inputs(name, url=url, media_type=media_type, start=start, heard=heard)
        return
    # Imported when there is a page to fetch: files need neither frontier nor client.
    from gossamer.cli.build_client import ask, visit

    try:
        yield ask(command, data, config, lambda client: visit(client, name))
    except InputError as error:
        yield Input(name, name, problem=str(error).removeprefix(f"{name}: "))


def read_pages(
    pages: Iterator[Input], wanted: PageJob, options: Options, workers: int | None = None
) -> Iterator[tuple[Input, Extracted | None]]:
    """Each input and what it says, in order; None where it could not be read at all.

    Always in processes of their own: no page, not even a single one, may hang or swell here.
    """
    waiting: deque[tuple[Input, bool]] = deque()  # and whether a worker has it

    def jobs() -> Iterator[PageJob]:
        for page in pages:
            readable = bool(page.body) or page.problem is None
            waiting.append((replace(page, body=b""), readable))
            if readable:
                yield replace(
                    wanted,
                    url=page.url,
                    body=page.body,
                    content_type=page.content_type,
                    content_encoding=page.content_encoding,
                    robots_tag=page.robots_tag,
                    options=options,
                )

    for _, extracted in extract_pages(jobs(), options, workers=workers):
        yield from _unreadable(waiting)
        yield waiting.popleft()[0], extracted
    yield from _unreadable(waiting)


def _unreadable(waiting: deque[tuple[Input, bool]]) -> Iterator[tuple[Input, None]]:
    while waiting and not waiting[0][1]:
        yield waiting.popleft()[0], None
