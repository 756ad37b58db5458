"""Commands of Gossamer run by the test's own process: many times as fast as one of their own."""

import signal
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from tempfile import TemporaryFile

from gossamer.cli import errors, program


def run_here(*words: str) -> "CompletedProcess[str]":
    """Run `gossamer WORDS…`: what it said, and its exit status."""
    terminate = signal.getsignal(signal.SIGTERM)
    status: object = None
    with TemporaryFile("w+") as out, TemporaryFile("w+") as complaints:
        try:
            with redirect_stdout(out), redirect_stderr(complaints):
                errors.run(program, words)
        except SystemExit as ended:
            status = ended.code
        finally:
            signal.signal(signal.SIGTERM, terminate)
        assert isinstance(status, int)
        said = []
        for file in (out, complaints):
            file.seek(0)
            said.append(file.read())
    return CompletedProcess(words, status, *said)


def gossamer(*words: str) -> str:
    """What a command says that ends well."""
    done = run_here(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout
