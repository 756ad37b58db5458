"""`gossamer.pages`: what files, folders and WARC files say, page by page. Never fetches."""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Unpack

from gossamer.model import Cause, Detection, Problem
from gossamer.reading.extraction import ExtractOptions, check_url, job_template, read_page
from gossamer.reading.inputs import STANDARD_INPUT, Input, read_inputs
from gossamer.reading.jobs import Extracted, PageJob
from gossamer.reading.page import Page


def pages(
    *paths: str | os.PathLike[str],
    url: str | None = None,
    content_type: str | None = None,
    isolated: bool = False,
    **options: Unpack[ExtractOptions],
) -> Iterator[Page]:
    """Pages of files, folders and WARC files, extracted one after the other as they are asked for.

    `url` is the address of the only file, or of the only folder, to which its files are relative; without
    it they have `file:` addresses. `content_type` is for pages that come without one. `isolated`
    reads in confined processes, on all cores. The other options are those of `gossamer.extract`.

    What cannot be read is a page too, with a problem and `cause`; the others go on. A path that does
    not exist raises `FileNotFoundError`, and an address `ValueError`: nothing is fetched here.
    """
    names = [os.fspath(path) for path in paths]
    if url is not None and len(names) != 1:
        raise ValueError("url names one file or folder: give one path with it")
    if url is not None:
        check_url(url)
    for name in names:
        _check(name)
    found = (page for name in names for page in read_inputs(name, url=url, media_type=content_type))
    return _read(found, job_template(**options), isolated=isolated)


def _check(name: str) -> None:
    if name.startswith(("http://", "https://")):
        raise ValueError(
            f"{name} is not fetched: gossamer.pages reads what is on this machine. Run `gossamer crawl "
            "URL… --depth 0`, which asks politely, and read the folder `archive` in its data folder; "
            "or hand the bytes that you fetched to gossamer.extract"
        )
    if name != STANDARD_INPUT and not os.path.lexists(name):
        raise FileNotFoundError(f"There is no file or folder {name!r}")


def _read(found: Iterator[Input], wanted: PageJob, *, isolated: bool) -> Iterator[Page]:
    if not isolated:
        for page in found:
            here = read_page(_job(page, wanted))
            yield here if page.problem is None else _with_problem(page, here)
        return
    from gossamer.reading.isolation import read_all_isolated  # a thread and an event loop

    jobs = ((replace(page, body=b""), _job(page, wanted)) for page in found)
    for page, extracted in read_all_isolated(jobs):
        there = Page(extracted)
        yield there if page.problem is None else _with_problem(page, there)


def _job(page: Input, wanted: PageJob) -> PageJob:
    return replace(
        wanted,
        url=page.url,
        body=page.body,
        content_type=page.content_type,
        content_encoding=page.content_encoding,
    )


def _with_problem(page: Input, read: Page) -> Page:
    """What was read of a page that came with a problem; without quads, it could not be read."""
    problem = Problem(page.problem or "")
    if read.count:
        extracted = read.extracted()
        return Page(replace(extracted, problems=(problem, *extracted.problems)))
    detection = Detection(
        media_type=page.content_type or "", evidence=(), encoding="utf-8", encoding_why="not read"
    )
    return Page(Extracted(page.url, detection, b"", 0, problems=(problem,), cause=Cause.UNREADABLE))
