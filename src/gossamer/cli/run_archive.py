"""What `gossamer archive` does: list answers, print one, make indexes, write packages."""

import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

import gossamer
from gossamer.archive.cdxj import IndexEntry
from gossamer.archive.folders import missing_folders
from gossamer.archive.index import (
    all_files,
    answers,
    answers_of,
    read_answers,
    ready_index,
)
from gossamer.archive.reading import read_record
from gossamer.archive.states import temporary_database
from gossamer.archive.wacz import write_wacz
from gossamer.cli.folder import crawl_config, require_crawl
from gossamer.cli.output_file import whole_file
from gossamer.cli.terminal import ProgressLine, emit, emit_bytes
from gossamer.cli.text import counted, plain, size, table
from gossamer.errors import ArchiveError, InputError
from gossamer.fetch.decode import decode
from gossamer.folder.data import DataFolder
from gossamer.history.asking import moment_of
from gossamer.model import Refusal, Url
from gossamer.moments import iso_moment, now_utc, told_moment
from gossamer.urls import host_of, seed

HEAD: Final = ("WHEN", "STATUS", "TYPE", "SIZE", "URL")
USUAL: Final = 50  # answers on a terminal, unless more are asked for


def list_answers(
    data: DataFolder, url: str | None, host: str | None, limit: int | None, *, as_json: bool
) -> None:
    """Print answers in the archive: of a page, of a host, or all."""
    folder = _folder(data)
    progress = _Progress()
    page = None if url is None else _url(url)
    found = (
        answers(folder, progress.tell) if page is None else answers_of(folder, page, progress.tell)
    )
    wanted = (each for each in found if host is None or host_of(each.url) == host.lower())
    most = limit or (None if as_json or not sys.stdout.isatty() else USUAL)
    some = islice(wanted, most)
    if as_json:
        for each in some:
            emit(json.dumps(_record(each), ensure_ascii=False))
        return
    rows = [_row(each) for each in some]
    progress.clear()
    if not rows:
        raise InputError(_nothing(page, host))
    emit(table([HEAD, *rows], glance=True))
    if limit is None and most is not None and next(wanted, None) is not None:
        click.echo(f"Only the first {most} are shown; --limit shows more, --json all.", err=True)


def get_answer(
    data: DataFolder, url: str, when: str | None, file: Path | None, *, headers: bool, raw: bool
) -> None:
    """Print what a page was answered: its body, or its headers."""
    folder, page = _folder(data), _url(url)
    moment = _moment(when)
    progress = _Progress()
    found = [
        each
        for each in answers_of(folder, page, progress.tell)
        if moment is None or each.at <= moment
    ]
    progress.clear()
    if not found:
        raise InputError(_nothing(page, None))
    answer = found[-1]
    archived = read_record(folder, answer.place)
    status = archived.status
    if headers:
        reason = HTTPStatus(status).phrase if status in {*HTTPStatus} else ""
        lines = [f"HTTP/{archived.http_version} {status} {reason}".rstrip()]
        lines += [f"{name}: {value}" for name, value in archived.headers]
        output = "".join(f"{line}\n" for line in lines).encode("latin-1", "replace")
    else:
        output = _body(data, folder, answer, raw=raw)
    click.echo(f"{plain(page)}: {status}, {told_moment(answer.at)}", err=True)
    if file is None:
        emit_bytes(output)
        return
    with whole_file(file) as out:
        out.write(output)


def make_indexes(data: DataFolder, file: Path | None) -> None:
    """Make the indexes that are missing, and one of all files if it is asked for."""
    folder = _folder(data)
    progress = _Progress()
    files = all_files(folder)
    made = [each for each in files if ready_index(each, progress.tell) is not None]
    progress.clear()
    left = (
        f"; {counted(len(files) - len(made), 'file')} cannot have one yet"
        if len(files) > len(made)
        else ""
    )
    click.echo(f"{counted(len(made), 'file')} with an index{left}.", err=True)
    if file is None:
        return
    with (
        whole_file(file) as output,
        temporary_database(["CREATE TABLE answers (line TEXT) STRICT"]) as lists,
    ):
        with lists:
            lines = ((each.line,) for path in files for each in read_answers(path))
            lists.executemany("INSERT INTO answers VALUES (?)", lines)
        for (line,) in lists.execute("SELECT line FROM answers ORDER BY line"):
            output.write(f"{line}\n".encode())


def package(data: DataFolder, file: Path, hosts: Sequence[str]) -> None:
    """Write a package in the format WACZ."""
    folder = _folder(data)
    names = {_host(each) for each in hosts}
    progress = _Progress()
    files = _told(all_files(folder), progress)
    with whole_file(file) as output:
        packed = write_wacz(
            output,
            files,
            f"gossamer {gossamer.__version__}",
            now_utc(),
            (lambda url: host_of(url) in names) if names else None,
        )
        progress.clear()
        if not packed.answers:
            raise InputError(_nothing(None, ", ".join(sorted(names)) or None))
    told = f"{counted(packed.answers, 'answer')} with {counted(packed.pages, 'page')}"
    click.echo(f"{file}: {told}, {size(file.stat().st_size)}.", err=True)


class _Progress:
    """What is told while files without an index are read."""

    def __init__(self) -> None:
        self._line = ProgressLine()

    def tell(self, count: int) -> None:
        self._line.show(f"{count:,} records read")

    def show(self, text: str) -> None:
        self._line.show(text)

    def clear(self) -> None:
        self._line.clear()


def _told(files: Sequence[Path], progress: _Progress) -> Iterator[Path]:
    for number, each in enumerate(files, 1):
        progress.show(f"file {number:,} of {len(files):,}")
        yield each


def _folder(data: DataFolder) -> Path:
    """The archive's folder; folders that are missing are told, and the rest is used."""
    require_crawl(data)
    for text in missing_folders(data.archive_folder):
        click.echo(f"{text} Its files are left out.", err=True)
    if not all_files(data.archive_folder):
        raise InputError(
            f"There is no archive in {data.path}: the crawl has fetched nothing yet, or archive.keep says none."
        )
    return data.archive_folder


def _body(data: DataFolder, folder: Path, answer: IndexEntry, *, raw: bool) -> bytes:
    if answer.refers is not None:
        url, at = answer.refers
        for each in answers_of(folder, Url(url)):
            if each.at == at and each.refers is None:
                answer = each
                break
        else:
            raise ArchiveError(
                f"The body of {plain(answer.url)} is that of {plain(url)} of {told_moment(at)}, which the archive has no more."
            )
    archived = read_record(folder, answer.place)
    if raw:
        return archived.body
    most = crawl_config(data).fetch.max_decoded_bytes
    return decode(archived.body, archived.content_encoding, most).body


def _record(answer: IndexEntry) -> dict[str, Any]:
    refers = answer.refers
    return {
        "url": answer.url,
        "at": iso_moment(answer.at),
        "status": answer.status,
        "media_type": answer.media_type or None,
        "digest": answer.payload or None,
        "place": str(answer.place),
        "refers": None if refers is None else {"url": refers[0], "at": iso_moment(refers[1])},
    }


def _row(answer: IndexEntry) -> tuple[str, ...]:
    kind = "as before" if answer.refers else answer.media_type
    return (
        told_moment(answer.at),
        str(answer.status),
        kind,
        size(answer.place.length),
        plain(answer.url),
    )


def _nothing(url: Url | None, host: str | None) -> str:
    what = f" of {plain(url or host or '')}" if url or host else ""
    return f"The archive has no answer{what}. `gossamer archive list` shows what it has."


def _url(text: str) -> Url:
    url = seed(text)
    if isinstance(url, Refusal):
        raise click.UsageError(f"{text}: {url.why}")
    return url


def _host(text: str) -> str:
    return host_of(_url(text))


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else moment_of(text, now_utc())
    except ValueError as error:
        raise click.UsageError(f"--at: {error}.") from None
