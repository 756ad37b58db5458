"""The recipes of `docs/proxy.md`, run as they stand there: each program gets its page through the proxy."""

import asyncio
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.proxy.origin import PAGE, Origin
from tests.proxy.proxied import run, running

from gossamer.config import Proxy

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".venv-peers" / "bin" / "python"
OURS = "example.test"  # which stands for example.org
LABEL = "example_package-1.0-py3-none-any.whl"
DEB = b"an archive that apt does not look into"
BROWSER = (
    *("--headless", "--dump-dom", "--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # it looks up nothing itself
)


@dataclass(frozen=True)
class Recipe:
    """A recipe of the page: a program, and what to run."""

    name: str
    language: str
    text: str


def recipes() -> Iterator[Recipe]:
    page = (ROOT / "docs" / "proxy.md").read_text()
    section = page.partition("\n## Recipes\n")[2].partition("\n## ")[0]
    for part in section.split("\n### ")[1:]:
        for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", part, re.M | re.S):
            yield Recipe(part.partition("\n")[0], language, text)


RECIPES = {each.name: each for each in recipes()}
NAMES = "curl,wget,requests,httpx,aiohttp,Scrapy,Node,Node before 24,pip,apt,git,Chromium"


def test_there_is_a_recipe_for_each_program() -> None:
    assert ",".join(RECIPES) == NAMES


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=[*RECIPES])
def test_no_recipe_gives_up_before_its_turn_would_come(recipe: Recipe) -> None:
    most = Proxy().max_wait.total_seconds()
    given = re.findall(r"time-?out\D{0,9}?(\d+)", recipe.text, re.I)
    assert all(int(seconds) > most for seconds in given)
    # Those whose own time-out is shorter have to be told.
    assert given or recipe.name not in {"httpx", "pip", "apt", "requests"}


def command(recipe: Recipe, text: str) -> list[str]:
    """How to run a recipe; skips where the program is not there."""
    if recipe.language == "python":
        if recipe.name != "Scrapy":
            return [sys.executable, "-c", text]
        if not PEERS.exists():
            pytest.skip("needs peers: `make bench` sets up the environment that Scrapy is in")
        return [str(PEERS), "-c", text]
    program = {"apt": "apt-get", "pip": "sh"}.get(recipe.name, recipe.name.split()[0].lower())
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}: it is not installed here")
    if recipe.name == "pip" and find_spec("pip") is None:
        pytest.skip("needs pip: the environment of the tests has none")
    if recipe.name == "Node" and node_version() < 24:
        pytest.skip("needs node 24: from then on, fetch takes the proxy from the environment")
    return ["node", "-e", text] if recipe.language == "js" else ["sh", "-e", "-c", text]


def node_version() -> int:
    done = subprocess.run(["node", "--version"], check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout.lstrip("v").partition(".")[0])


def environment(folder: Path, name: str) -> dict[str, str]:
    """What a program finds around it: a home that is empty, and servers of our own."""
    programs = folder / "bin"
    programs.mkdir()
    wrap(programs / "pip", sys.executable, "-m", "pip")
    if name == "Chromium":
        wrap(programs / "chromium", shutil.which("chromium") or "", *BROWSER)
    index = f"index.{OURS}"
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C",
        "APT_CONFIG": str(folder / "apt.conf"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_INDEX_URL": f"http://{index}/simple/",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_TRUSTED_HOST": index,
    }


def wrap(path: Path, program: str, *words: str) -> None:
    quoted = " ".join(f"'{each}'" for each in (program, *words))
    path.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    path.chmod(0o700)


def package_index() -> dict[str, bytes]:
    """The files of a package index with one small wheel."""
    made, info = io.BytesIO(), "example_package-1.0.dist-info"
    with zipfile.ZipFile(made, "w") as wheel:
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: example-package\nVersion: 1.0\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    link = f'<!doctype html><a href="/{LABEL}">{LABEL}</a>'.encode()
    return {"/simple/example-package/": link, f"/{LABEL}": made.getvalue()}


def apt_repository(folder: Path) -> dict[str, bytes]:
    """The files of a flat repository with one package, and the configuration that names it."""
    for each in ("lists/partial", "cache/archives/partial"):
        (folder / each).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(f"deb [trusted=yes] http://apt.{OURS}/ ./\n")
    settings = {
        "Dir::State": folder,
        "Dir::State::status": folder / "status",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "Dir::Etc": folder / "etc",
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Log": folder,
        "APT::Sandbox::User": "",
        "APT::Architecture": "amd64",
        "Acquire::Languages": "none",
        "Acquire::http::Pipeline-Depth": 0,
    }
    lines = "".join(f'{name} "{value}";\n' for name, value in settings.items())
    (folder / "apt.conf").write_text(lines)
    name = "example-package_1.0_all.deb"
    stanza = (
        "Package: example-package\nVersion: 1.0\nArchitecture: all\nMaintainer: me <me@example.org>\n"
        f"Filename: ./{name}\nSize: {len(DEB)}\nSHA256: {hashlib.sha256(DEB).hexdigest()}\n"
        "Description: an example\n"
    )
    return {
        "/./Packages": stanza.encode(),
        f"/./{name}": DEB,
        "/Packages": stanza.encode(),
        f"/{name}": DEB,
    }


def git_repository(folder: Path) -> dict[str, bytes]:
    """The files of a repository with one commit, for git's plain protocol."""
    work, bare = folder / "work", folder / "project.git"
    who = ("-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main")
    alone = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (
        ("init", "-q", str(work)),
        ("-C", str(work), "add", "README"),
        ("-C", str(work), "commit", "-q", "-m", "one", "--no-gpg-sign"),
        ("clone", "-q", "--bare", str(work), str(bare)),
        ("-C", str(bare), "update-server-info"),
    ):
        subprocess.run(["git", *who, *words], check=True, env=alone)
        if words[0] == "init":
            (work / "README").write_bytes(PAGE)
    files = [each for each in bare.rglob("*") if each.is_file()]
    found = {f"/project.git/{each.relative_to(bare)}": each.read_bytes() for each in files}
    shutil.rmtree(work)
    shutil.rmtree(bare)
    return found


def prepare(web: Origin, name: str, folder: Path) -> bytes:
    """Have the server offer what a recipe asks for, which is returned."""
    if name == "pip":
        web.files[f"index.{OURS}"] = package_index()
        return web.files[f"index.{OURS}"][f"/{LABEL}"]
    if name == "apt":
        web.files[f"apt.{OURS}"] = apt_repository(folder)
        return DEB
    if name == "git":
        web.files[f"git.{OURS}"] = git_repository(folder)
    return PAGE


async def output(words: list[str], environment: dict[str, str], cwd: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *words,
        env=environment,
        cwd=cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        printed, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, complaint.decode()
    return printed


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=[*RECIPES])
def test_a_recipe_gets_its_page_through_the_proxy(recipe: Recipe, tmp_path: Path) -> None:
    folder, cwd = tmp_path / "around", tmp_path / "here"
    command(recipe, "")  # which skips
    folder.mkdir()
    cwd.mkdir()

    async def work() -> None:
        # Whatever else a program asks for (a browser does) is looked up by nobody.
        proxy = Proxy(allow_hosts=(OURS, f"*.{OURS}"))
        async with running(tmp_path / "data", proxy) as proxied:
            wanted = prepare(proxied.web, recipe.name, folder)
            text = recipe.text.replace("8718", str(proxied.port)).replace("example.org", OURS)
            printed = await output(command(recipe, text), environment(folder, recipe.name), cwd)
            files = [each.read_bytes() for each in cwd.rglob("*") if each.is_file()]
            assert any(wanted in each for each in (printed, *files)), printed
            assert proxied.web.pages()
            assert proxied.parts.figures.answers["server"] >= 1

    run(work())
