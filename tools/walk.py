"""Trace four walks through the code: `tools/walk.py` prints what each one enters, and how much.

- `crawl`: `gossamer crawl SEED --max-pages 1`, from start to end
- `proxy`: `gossamer proxy`, from a first request for a host to its answer
- `politeness`: `gossamer serve`, from `POST /politeness` for a host that nobody knows to its answer
- `query`: `gossamer query` in a folder that nobody owns, from start to end

A walk runs the command in a process of its own, against a web of one page on loopback, and traces all
threads of that process, not the processes it starts. It lists functions of the package in the order in
which they are first entered; a file counts when one of its functions is entered. What runs while a
module is imported does not count. Background threads make counts vary by a few between two runs.
"""

import argparse
import http.client
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import CodeType, FrameType
from typing import Final
from urllib.parse import urlsplit

PACKAGE: Final = Path(__file__).resolve().parent.parent / "src" / "gossamer"
SEED: Final = "http://site.test/"
PAGE: Final = b"""<!doctype html><title>One page</title>
<script type="application/ld+json">
{"@context": {"name": "http://schema.org/name"}, "@id": "http://site.test/#me", "name": "One"}
</script>"""
ROBOTS: Final = b"User-agent: *\nAllow: /\n"
QUERY: Final = "SELECT * WHERE { ?s ?p ?o } LIMIT 1"
SOON: Final = 120.0  # seconds, after which a walk has failed: many, for a machine may be busy
TRACED: Final = "--traced"  # as the first word: this process is the one to be traced
BEGIN, END = signal.SIGUSR1, signal.SIGUSR2  # what the traced process is told
WALKS: Final = {
    "crawl": "gossamer crawl SEED to a settled page",
    "proxy": "a first request through the proxy",
    "politeness": "POST /politeness",
    "query": "gossamer query in a folder that nobody owns",
}


@dataclass(frozen=True, slots=True)
class Entered:
    """A function, and the file of the package it lies in."""

    file: str
    function: str


class Trace:
    """The functions below a folder that this process enters, in the order of their first calls."""

    def __init__(self, package: Path) -> None:
        self._root = f"{package}{os.sep}"
        self._codes: dict[CodeType, None] = {}  # in order; a dictionary takes them from all threads
        self._here = threading.local()  # how many modules a thread is importing, one for another

    def start(self) -> None:
        """Trace this thread and those that are started from now on."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def stop(self) -> None:
        """Trace this thread no longer, nor those that are started from now on."""
        sys.setprofile(None)
        threading.setprofile(None)

    def forget(self) -> None:
        """Begin anew, with what is entered from now on."""
        self._codes.clear()

    def entered(self) -> list[Entered]:
        """What was entered so far."""
        return [
            Entered(code.co_filename.removeprefix(self._root), code.co_qualname)
            for code in [*self._codes]
        ]

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_name == "<module>":
            # Calls of functions in C are told too, with the frame they come from: they change nothing.
            deeper = {"call": 1, "return": -1}.get(event, 0)
            self._here.imports = max(getattr(self._here, "imports", 0) + deeper, 0)
        elif event == "call" and code not in self._codes and self._counts(code):
            self._codes[code] = None

    def _counts(self, code: CodeType) -> bool:
        if not code.co_filename.startswith(self._root) or code.co_name.startswith("<"):
            return False  # of others; a lambda or comprehension, which is part of its function
        if not code.co_flags & inspect.CO_OPTIMIZED:
            return False  # the body of a class
        return not getattr(self._here, "imports", 0)


def traced(report: Path, arguments: Sequence[str]) -> None:
    """Be `gossamer ARGUMENTS…`, and write what was entered by the end, or by the signal for it."""
    import gossamer.__main__

    trace, owner = Trace(Path(gossamer.__file__).parent), os.getpid()

    def write(*_: object) -> None:
        if os.getpid() == owner and not report.exists():
            told = [(each.file, each.function) for each in trace.entered()]
            partial = report.with_suffix(".partial")
            partial.write_text(json.dumps(told))
            partial.rename(report)

    def begin(*_: object) -> None:
        trace.forget()
        report.with_suffix(".begun").touch()

    signal.signal(BEGIN, begin)
    signal.signal(END, write)
    sys.argv = ["gossamer", *arguments]
    trace.start()
    try:
        gossamer.__main__.main()
    finally:
        trace.stop()
        write()


class _OnePage(BaseHTTPRequestHandler):
    """Answers for every host: robots.txt, one page, and nothing else."""

    def do_GET(self) -> None:
        """Answer."""
        answers = {"/": (b"text/html", PAGE), "/robots.txt": (b"text/plain", ROBOTS)}
        kind, body = answers.get(self.path, (b"", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind.decode() or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        """Say nothing."""


@contextmanager
def one_page_web() -> Iterator[str]:
    """A web of one page on loopback; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _OnePage) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class Walker:
    """Walks through the package against a web, each walk in a folder of its own."""

    def __init__(self, web: str, folder: Path) -> None:
        self._web = web
        self._folder = folder

    def crawl(self) -> list[Entered]:
        """`gossamer crawl SEED` to a settled page."""
        return self._to_the_end("crawl", *self._crawl("crawl"))

    def query(self) -> list[Entered]:
        """`gossamer query` in a folder that nobody owns."""
        command = [sys.executable, "-m", "gossamer", *self._crawl("query")]
        subprocess.run(command, check=True, capture_output=True, timeout=SOON, env=_environment())
        return self._to_the_end("query", "query", QUERY, "--data", str(self._folder / "query"))

    def proxy(self) -> list[Entered]:
        """A first request through a proxy that runs."""
        with self._server("proxy", "proxy", "127.0.0.1:0") as server:
            _ask(
                server.address, "GET", "http://127.0.0.1:1/", expected=403
            )  # it owns the folder now
            server.begin()
            _ask(server.address, "GET", SEED)
            return server.entered()

    def politeness(self) -> list[Entered]:
        """`POST /politeness` at a service that runs, for a host that nobody knows."""
        with self._server("politeness", "serve", "127.0.0.1:0") as server:
            _ask(server.address, "GET", "/api/status")  # it owns the folder now
            server.begin()
            _ask(server.address, "POST", "/politeness", json.dumps([SEED]))
            return server.entered()

    def _crawl(self, name: str) -> list[str]:
        return ["crawl", SEED, "--max-pages", "1", *self._usual(name)]

    def _usual(self, name: str) -> list[str]:
        where = ["--data", str(self._folder / name), "--connect-to", f"*.test={self._web}"]
        return [*where, "--agent-contact", "walk@site.test"]

    def _to_the_end(self, name: str, *arguments: str) -> list[Entered]:
        report = self._folder / f"{name}.json"
        command = _traced_command(report, arguments)
        subprocess.run(command, check=True, capture_output=True, timeout=SOON, env=_environment())
        return _read(report)

    @contextmanager
    def _server(self, name: str, *arguments: str) -> Iterator["_Server"]:
        report = self._folder / f"{name}.json"
        command = _traced_command(report, [*arguments, *self._usual(name)])
        with subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=_environment()
        ) as process:
            try:
                assert process.stderr is not None
                lines = iter(process.stderr.readline, "")
                address = next(
                    line.rpartition(" at ")[2].strip() for line in lines if " at http" in line
                )
                yield _Server(process, address, report)
            finally:
                process.terminate()
                process.communicate(timeout=SOON)


@dataclass(frozen=True, slots=True)
class _Server:
    """A traced process that answers at an address."""

    process: "subprocess.Popen[str]"
    address: str
    report: Path

    def begin(self) -> None:
        """Forget what it has entered so far."""
        self.process.send_signal(BEGIN)
        _await(self.report.with_suffix(".begun"))

    def entered(self) -> list[Entered]:
        """What it has entered by now."""
        self.process.send_signal(END)
        _await(self.report)
        return _read(self.report)


def _traced_command(report: Path, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, __file__, TRACED, str(report), *arguments]


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}


def _ask(url: str, method: str, path: str, body: str | None = None, *, expected: int = 200) -> None:
    """Ask a server, and take its whole answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=SOON)
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != expected:
        raise SystemExit(f"{method} {path} was answered with {answer.status} {answer.reason}.")


def _await(file: Path) -> None:
    give_up_at = time.monotonic() + SOON
    while not file.exists():
        if time.monotonic() > give_up_at:
            raise SystemExit(f"The traced process did not write {file}.")
        time.sleep(0.01)


def _read(report: Path) -> list[Entered]:
    return [Entered(file, function) for file, function in json.loads(report.read_text())]


def walk(name: str) -> list[Entered]:
    """What one walk enters, in order."""
    with one_page_web() as web, tempfile.TemporaryDirectory() as folder:
        walker = Walker(web, Path(folder))
        walks = {
            "crawl": walker.crawl,
            "proxy": walker.proxy,
            "politeness": walker.politeness,
            "query": walker.query,
        }
        return walks[name]()


def files_of(entered: Sequence[Entered]) -> list[str]:
    """The files of functions, each once, in order."""
    return list(dict.fromkeys(each.file for each in entered))


def mean_lines(files: Sequence[str]) -> int:
    """How many lines the files have on average."""
    texts = [(PACKAGE / file).read_text() for file in files]
    return round(sum(text.count("\n") for text in texts) / len(files))


def main() -> None:
    """Walk, print what was entered, and end with a table of counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--walk", choices=WALKS, action="append", help="only this one")
    parser.add_argument("--files", action="store_true", help="list the files of each walk")
    parser.add_argument("--functions", action="store_true", help="list the functions of each walk")
    given = parser.parse_args()
    rows = []
    for name in given.walk or WALKS:
        entered = walk(name)
        files = files_of(entered)
        rows.append(f"| {name} | {len(files)} | {len(entered)} | {mean_lines(files)} |")
        if given.files or given.functions:
            print(f"# {name}: {WALKS[name]}")
        if given.files:
            print(*files, "", sep="\n")
        if given.functions:
            print(*(f"{each.file} {each.function}" for each in entered), "", sep="\n")
    heads = "| walk | files | functions | lines a file |"
    print(heads, "| --- | --- | --- | --- |", *rows, sep="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == [TRACED]:
        traced(Path(sys.argv[2]), sys.argv[3:])
    else:
        main()
