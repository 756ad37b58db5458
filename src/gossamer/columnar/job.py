"""A job on one machine: WARC files to a folder of columns, as often as somebody asks, each input once.

An input is done when its two files are there. A job that died goes on with the others; one that has nothing to do writes
nothing. Where there are many inputs and cores, some processes share the inputs, each with workers of its own.
"""

import fcntl
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gossamer.columnar.inputs import ArchiveInput, NoInput, choose_names, find_inputs
from gossamer.columnar.manifest import draw_up, write_manifest
from gossamer.columnar.pair_files import (
    PAGES,
    QUADS,
    InputCounts,
    PairPaths,
    told_in,
    write_pair,
)
from gossamer.columnar.rows import PageRows, ReadOptions, read_archive
from gossamer.errors import ConfigError, InputError
from gossamer.reading.pool.pool import usable_cores
from gossamer.reading.readers_mark import readers_mark
from gossamer.reading.warc_records import BrokenPart
from gossamer.tables.needs import needed

CORES_PER_PROCESS: Final = 4  # one that unpacks and writes feeds as many workers
LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class DoneInput:
    """An input whose columns have been written."""

    input: ArchiveInput
    name: str
    counts: InputCounts


@dataclass(slots=True)
class JobReport:
    """What a job has done."""

    done: list[DoneInput] = field(default_factory=list)
    there: int = 0  # inputs that were done before
    not_read: list[NoInput] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)  # of all that is in the folder
    is_written: bool = False  # whether anything was


@dataclass(frozen=True, slots=True)
class _Task:
    input: ArchiveInput
    paths: PairPaths
    told: dict[str, Any]


def run_job(
    names: Sequence[str],
    folder: Path,
    options: ReadOptions,
    *,
    workers: int | None = None,
    tell: Callable[[PageRows | DoneInput], None] = lambda _: None,
) -> JobReport:
    """Make columns of these files in a folder; `tell` hears of what is done, as far as this process does it."""
    needed("pyarrow.parquet")
    report = JobReport()
    inputs: list[ArchiveInput] = []
    for found in find_inputs(names):
        if isinstance(found, NoInput):
            report.not_read.append(found)
        elif not any(found.told == each.told for each in inputs):  # a copy adds nothing
            inputs.append(found)
    if not inputs and not folder.exists():
        return report
    with _lock(folder):
        tasks = _tasks(inputs, folder, options)
        report.there = len(inputs) - len(tasks)
        for done in _run(tasks, options, workers or usable_cores(), tell):
            report.done.append(done)
            tell(done)
        manifest = draw_up(folder)
        report.totals = manifest["totals"]
        report.is_written = write_manifest(folder, manifest) or bool(report.done)
    return report


def how_read(options: ReadOptions) -> str:
    """A mark of how pages are read: columns of one folder have the same."""
    contexts = sorted(options.contexts)
    lacking = [f"page={options.page_statements}", *contexts]
    return readers_mark(options.transform, lacking).hex()


def _tasks(inputs: list[ArchiveInput], folder: Path, options: ReadOptions) -> list[_Task]:
    """The inputs that are not done."""
    names = choose_names(inputs, lambda name: told_in(PairPaths.of(folder, name).pages))
    mark, tasks = how_read(options), []
    for each, name in names.items():
        paths = PairPaths.of(folder, name)
        told = told_in(paths.pages)
        if told is not None and each.is_told_in(told) and paths.quads.exists():
            if told.get("read") != mark:
                raise ConfigError(
                    f"{folder} has columns of {each.file} that were read otherwise: with other options, or by another "
                    "version. Choose another folder, or remove these files."
                )
            continue
        tasks.append(_Task(each, paths, {**each.told, "read": mark}))
    return tasks


def _run(
    tasks: list[_Task],
    options: ReadOptions,
    workers: int,
    tell: Callable[[PageRows | DoneInput], None],
) -> Iterator[DoneInput]:
    processes = min(len(tasks), max(1, workers // CORES_PER_PROCESS))
    if processes <= 1:
        for task in tasks:
            yield _do(task, options, workers, tell)
        return
    each = max(1, workers // processes)
    packed = options.pack()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_leave_interrupts) as pool:
        # The longest first, so that no process is left with one at the end.
        ordered = sorted(tasks, key=lambda task: -task.input.size)
        running = [pool.submit(_do_apart, task, packed, each) for task in ordered]
        try:
            for future in as_completed(running):
                yield future.result()
        except BrokenProcessPool:
            raise InputError(
                "A process of this job was killed. What it had finished is kept: run the command again."
            ) from None
        finally:
            for process in list(
                (pool._processes or {}).values()
            ):  # else Ctrl-C waits for all inputs
                if not all(future.done() for future in running):
                    process.terminate()
            pool.shutdown(cancel_futures=True)


def _do_apart(task: _Task, packed: bytes, workers: int) -> DoneInput:
    return _do(task, ReadOptions.unpack(packed), workers)


def _do(
    task: _Task,
    options: ReadOptions,
    workers: int,
    tell: Callable[[PageRows | DoneInput], None] = lambda _: None,
) -> DoneInput:
    def told(found: Iterator[PageRows | BrokenPart]) -> Iterator[PageRows | BrokenPart]:
        for each in found:
            if isinstance(each, PageRows):
                tell(each)
            yield each

    try:
        with Path(task.input.path).open("rb") as file:
            found = read_archive(file, task.input.file, options, workers=workers)
            counts = write_pair(task.paths, told(found), task.told)
    except OSError as error:
        raise InputError(f"{task.input.path}: {error.strerror or error}.") from None
    name = task.paths.pages.name.removesuffix(f"-{PAGES}.parquet")
    return DoneInput(task.input, name, counts)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """The folder, which one job at a time may write to; drafts of jobs that died are removed."""
    try:
        for name in (QUADS, PAGES):
            (folder / name).mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"Another job is writing to {folder}. Wait until it has ended."
            ) from None
        for name in (QUADS, PAGES, ""):
            for draft in (folder / name).glob(".*.tmp"):
                draft.unlink(missing_ok=True)
        yield
    finally:
        os.close(descriptor)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that shares the inputs out: it ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
