"""Archives as other programs read them: pywb replays pages by our index, and py-wacz checks our packages."""

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from tests.archive.exchanges import archive_in, fetched
from tests.slowness import patience

from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.index import all_files, answers, ready_index
from gossamer.archive.wacz import write_wacz
from gossamer.moments import now_utc

READERS = Path(__file__).resolve().parents[2] / ".venv-archives" / "bin"
needs_readers = pytest.mark.skipif(
    not READERS.exists(), reason="needs soak: `make soak` sets up the environment that pywb is in"
)
BODIES = {f"http://site.test/{number}": b"<p>page %d" % number for number in range(8)}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    with archive_in(folder, max_file_bytes=1_500) as writer:
        places: dict[str, ArchivePlace] = {}
        for _ in range(2):  # the second visits are revisits
            for url, body in BODIES.items():
                (places[url],) = writer.write([Exchange(fetched(body, url), places.get(url))])
    return folder


def package(archive: Path, file: Path, host: str | None = None) -> None:
    with file.open("wb") as output:
        admits = None if host is None else (lambda url: host in url)
        write_wacz(output, all_files(archive), "gossamer", now_utc(), admits)


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        [str(each) for each in command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=patience(120),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_readers
def test_pywb_replays_pages_by_our_index(archive: Path, tmp_path: Path) -> None:
    lines = [
        line
        for path in all_files(archive)
        if (index := ready_index(path)) is not None
        for line in index.read_text(encoding="ascii").splitlines(keepends=True)[1:]
    ]
    (tmp_path / "all.cdxj").write_text("".join(sorted(lines)), encoding="ascii")
    script = Path(__file__).with_name("replay.py")
    said = run(READERS / "python", script, archive, "all.cdxj", *BODIES, folder=tmp_path)
    told = [json.loads(line) for line in said.splitlines() if line.startswith('{"url"')]
    assert [(each["url"], each["status"], each["sha256"]) for each in told] == [
        (url, 200, hashlib.sha256(body).hexdigest()) for url, body in BODIES.items()
    ]


@needs_readers
@pytest.mark.parametrize("host", [None, "site.test/1"])
def test_packages_are_what_the_format_demands(
    archive: Path, tmp_path: Path, host: str | None
) -> None:
    package(archive, tmp_path / "all.wacz", host)
    assert "is valid" in run(READERS / "wacz", "validate", "-f", "all.wacz", folder=tmp_path)


def test_a_package_holds_files_index_and_pages_with_their_hashes(
    archive: Path, tmp_path: Path
) -> None:
    package(archive, tmp_path / "all.wacz")
    with zipfile.ZipFile(tmp_path / "all.wacz") as packed:
        about = json.loads(packed.read("datapackage.json"))
        for part in about["resources"]:
            data = packed.read(part["path"])
            assert part["bytes"] == len(data)
            assert part["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        digest = json.loads(packed.read("datapackage-digest.json"))["hash"]
        assert digest == f"sha256:{hashlib.sha256(packed.read('datapackage.json')).hexdigest()}"
        pages = [json.loads(line) for line in packed.read("pages/pages.jsonl").splitlines()]
        names = set(packed.namelist()) - {"datapackage.json", "datapackage-digest.json"}
        assert names == {part["path"] for part in about["resources"]}
        for path in all_files(archive):
            assert packed.read(f"archive/{path.name}") == path.read_bytes()
    assert [page["url"] for page in pages[1:]] == [*BODIES]
    assert about["wacz_version"] == "1.1.1"


def test_a_package_of_some_pages_has_no_others(archive: Path, tmp_path: Path) -> None:
    package(archive, tmp_path / "some.wacz", "site.test/1")
    with zipfile.ZipFile(tmp_path / "some.wacz") as packed:
        whole = b"".join(packed.read(name) for name in packed.namelist())
        (tmp_path / "some").mkdir()
        for name in packed.namelist():
            if name.startswith("archive/"):
                (tmp_path / "some" / Path(name).name).write_bytes(packed.read(name))
    assert b"site.test/1" in whole
    assert {each.url for each in answers(tmp_path / "some")} == {"http://site.test/1"}
