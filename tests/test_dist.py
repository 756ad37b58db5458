"""What `make dist` builds is the same each time, and works where there is nothing else of ours."""

import os
import re
import runpy
import signal
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from tests.conftest import IS_FULL_SIZE
from tests.fresh import base_install, full_install, interpreters
from tests.slowness import patience

ROOT = Path(__file__).resolve().parent.parent
DIST = runpy.run_path(str(ROOT / "tools/dist.py"))
EPOCH = 1_700_000_000


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and a source archive of this tree."""
    if not (ROOT / DIST["MANIFEST"]).is_file():
        pytest.skip("needs browser: what moves in the pages is not built (make web)")
    out = tmp_path_factory.mktemp("dist")
    DIST["build"](ROOT, out, EPOCH)
    return out


@pytest.fixture(scope="module")
def wheel(archives: Path) -> Path:
    (wheel,) = archives.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a base install."""
    return base_install(tmp_path_factory.mktemp("fresh") / "venv", wheel)


def run(
    program: Path, folder: Path, *arguments: str, **variables: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(program), *arguments],
        cwd=folder,
        env={**_clean(), **variables},
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )


def _clean() -> dict[str, str]:
    ours = ("GOSSAMER", "PYTHON", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    """The address of a service in an empty folder."""
    process = subprocess.Popen(
        [str(program), "serve", "127.0.0.1:0"],
        cwd=folder,
        env=_clean(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        said = iter(process.stderr)
        found = (re.search(r" at (http://127\.0\.0\.1:\d+)", line) for line in said)
        yield next(match[1] for match in found if match)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=patience(60))


def test_what_is_built_from_the_source_archive_has_the_same_bytes(
    archives: Path, tmp_path: Path
) -> None:
    (source,) = archives.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    for needed in ("Makefile", "requirements.txt", "tools/dist.py", "docs/options.md"):
        assert (unpacked / needed).is_file()  # so that `make demo` and `make test` work there
    for file in unpacked.rglob("*.py"):
        os.utime(file, (time.time(), 1_234_567_890))
    kinds = DIST["KINDS"] if IS_FULL_SIZE else ("wheel",)  # the other takes longer
    again = DIST["build"](unpacked, tmp_path / "out", EPOCH, kinds)
    assert len(again) == len(kinds)
    for each in again:
        assert each.read_bytes() == (archives / each.name).read_bytes()


RELATIVE_LINK = re.compile(r"\]\((?!https?://|#)[^)]*\)")


def test_the_description_on_an_index_leads_nowhere_that_an_index_does_not_have(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    assert metadata["Description-Content-Type"] == "text/markdown"
    text = str(metadata.get_payload())
    assert text.startswith("# Gossamer\n")
    assert "gossamer crawl example.org" in text
    assert RELATIVE_LINK.findall(text) == []


def test_links_of_the_description_lead_to_the_published_documentation() -> None:
    tool = runpy.run_path(str(ROOT / "tools/long_description.py"))
    text = tool["long_description"](ROOT, "https://docs.test/gossamer")
    assert RELATIVE_LINK.findall(text) == []
    for link in (
        "[crawling](https://docs.test/gossamer/crawling/)",
        "[docs/service.md](https://docs.test/gossamer/service/)",
        "[docs/decisions/](https://docs.test/gossamer/decisions/)",
        "[CHANGELOG.md](https://docs.test/gossamer/changelog/)",
        "(https://docs.test/gossamer/images/terminal.svg)",
    ):
        assert link in text


def test_without_the_scripts_of_the_pages_nothing_is_built(tmp_path: Path) -> None:
    with pytest.raises(DIST["CannotBuildError"], match="make web"):
        DIST["build"](tmp_path, tmp_path, EPOCH)


def test_without_npm_make_dist_says_what_it_needs() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "dist", "NPM="],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "make dist needs npm" in done.stderr


def test_the_time_of_the_archives_is_given_or_that_of_the_last_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DIST["EPOCH"], raising=False)
    with pytest.raises(DIST["CannotBuildError"], match="SOURCE_DATE_EPOCH=0 make dist"):
        DIST["epoch_of"](tmp_path)
    monkeypatch.setenv(DIST["EPOCH"], "yesterday")
    with pytest.raises(DIST["CannotBuildError"], match="seconds since 1970"):
        DIST["epoch_of"](ROOT)
    monkeypatch.setenv(DIST["EPOCH"], "12")
    assert DIST["epoch_of"](ROOT) == 12


def crawls_and_serves(program: Path, folder: Path) -> None:
    """From a first crawl to a first search, and the pages of what was crawled."""
    done = run(
        *(ROOT / "tools/first_search.sh", folder, "--installed", str(program)),
        FIRST_SEARCH_IN=str(folder),
    )
    assert done.returncode == 0, done.stderr
    assert "http://www.site0.test/" in done.stdout
    with serving(program, folder) as address:
        with urlopen(address) as answer:
            page = answer.read().decode()
        asked = [
            *re.findall(r'<script[^>]* src="([^"]+)"', page),
            *re.findall(r'<link[^>]* rel="stylesheet"[^>]* href="([^"]+)"', page),
        ]
        kinds = set()
        for each in asked:
            with urlopen(urljoin(address, each)) as answer:
                assert answer.read()
                kinds.add(answer.headers.get_content_type())
    assert kinds == {"text/javascript", "text/css"}


@pytest.mark.parametrize("interpreter", interpreters() if IS_FULL_SIZE else ["this one"])
def test_a_fresh_install_crawls_and_serves_its_pages(
    interpreter: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """At full size it is installed from an index, for every Python that the machine has."""
    if IS_FULL_SIZE:
        wheel = request.getfixturevalue("wheel")
        program = full_install(tmp_path / "venv", wheel, interpreter)
    else:
        program = request.getfixturevalue("base")
    crawls_and_serves(program, tmp_path)
    if IS_FULL_SIZE:
        assert run(program, tmp_path, "demo", "--once").returncode == 0


NEEDS = {
    "postgres": ("crawl", "--frontier", "postgresql://127.0.0.1:1/none", "http://a.test/"),
    "intercept": ("ca", "create"),
}


@pytest.mark.parametrize("extra", NEEDS)
def test_what_a_base_install_lacks_is_named_with_its_line(
    extra: str, base: Path, tmp_path: Path
) -> None:
    done = run(base, tmp_path, *NEEDS[extra])
    assert done.returncode != 0
    assert f"pip install 'gossamer[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
