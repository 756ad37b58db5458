"""What `gossamer extract --to parquet` does: a folder of columns is brought up to date, and what was done is told."""

from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import click

from gossamer.cli.errors import DONE, FAILED, given_umask
from gossamer.cli.options import effective_settings
from gossamer.cli.page_inputs import named_inputs
from gossamer.cli.run_extract import given_contexts
from gossamer.cli.terminal import ProgressLine
from gossamer.cli.text import counted, plain
from gossamer.columnar.inputs import NoInput
from gossamer.columnar.job import DoneInput, JobReport, run_job
from gossamer.columnar.rows import PageRows, ReadOptions
from gossamer.config import Config
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder


def run_columns(
    names: tuple[str, ...],
    folder: Path,
    *,
    page_statements: bool,
    links: bool,
    keep_graphs: bool,
    given: tuple[str, ...],
    workers: int | None,
    data: DataFolder,
) -> int:
    """Make columns of WARC files; the exit status."""
    config = effective_settings(data).config
    options = read_options(config, page_statements, links, keep_graphs, given)
    telling = _Telling(ProgressLine())
    try:
        with given_umask(), TemporaryDirectory(prefix="gossamer-") as temporary:
            files, missing = _fetch(names, Path(temporary), data, config)
            report = run_job(files, folder, options, workers=workers, tell=telling.hear)
        report.not_read += missing
    except KeyboardInterrupt:
        telling.say(
            "Stopped. Files that were finished are kept: the same command goes on with the others."
        )
        raise
    finally:
        telling.progress.clear()
    for line in report_lines(report, folder):
        telling.say(line)
    is_bad = any(each.is_fault for each in report.not_read)
    return FAILED if is_bad or not (report.done or report.there) else DONE


def _fetch(
    names: tuple[str, ...], temporary: Path, data: DataFolder, config: Config
) -> tuple[list[str], list[NoInput]]:
    """The names of files on this machine, for archives on the web after they were fetched, politely."""
    files: list[str] = []
    missing: list[NoInput] = []
    for number, name in enumerate(names):
        if not name.startswith(("http://", "https://")):
            files.append(name)
            continue
        for page in named_inputs("extract", name, data, config):
            if page.problem is not None:
                missing.append(NoInput(name, page.problem))
                continue
            path = (
                temporary / str(number) / (PurePosixPath(urlsplit(page.url).path).name or "archive")
            )
            path.parent.mkdir()
            path.write_bytes(page.body)
            files.append(str(path))
    return files, missing


def read_options(
    config: Config, page_statements: bool, links: bool, keep_graphs: bool, given: tuple[str, ...]
) -> ReadOptions:
    """How pages are read, by the settings and the command line."""
    if config.transform.services:
        raise ConfigError(
            "Columns are made without external services, and transform.services names some. Leave it out with "
            "another configuration (--data)."
        )
    transform = replace(
        config.transform,
        links=links or config.transform.links,
        keep_graphs=keep_graphs or config.transform.keep_graphs,
    )
    return ReadOptions(
        transform=transform,
        contexts=given_contexts(given),
        page_statements=page_statements or links,
    )


def report_lines(report: JobReport, folder: Path) -> list[str]:
    """What a job did, in a few lines."""
    lines = [f"{plain(each.name)}: {each.why}" for each in report.not_read]
    broken = sum(done.counts.broken for done in report.done)
    if broken:
        lines.append(f"{counted(broken, 'part')} of the files could not be read; the rest was.")
    if report.there:
        lines.append(f"{counted(report.there, 'file')} had been read before.")
    if report.totals:
        told = ", ".join(
            counted(report.totals[key], key.removesuffix("s"))
            for key in ("pages", "quads", "problems")
        )
        lines.append(f"{told} of {counted(report.totals['inputs'], 'file')} in {folder}")
    return lines


@dataclass(slots=True)
class _Telling:
    """What is going on, told on stderr."""

    progress: ProgressLine
    pages: int = 0
    quads: int = 0
    files: int = 0

    def hear(self, what: PageRows | DoneInput) -> None:
        if isinstance(what, DoneInput):
            self.files += 1
        else:
            self.pages += 1
            self.quads += what.row.quads
        told = f"{self.pages:,} pages, {self.quads:,} quads" if self.pages else ""
        files = f"{counted(self.files, 'file')} done" if self.files else ""
        self.progress.show(", ".join(filter(None, (told, files))))

    def say(self, text: str) -> None:
        self.progress.clear()
        click.echo(text, err=True)
