"""Each script of `examples/`, run as people run it, against the demo web on loopback."""

import ast
import asyncio
import inspect
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import extruct
import polars as pl
import pytest
from tests.api.chains import Chain, served
from tests.cli.commands.test_serve import running
from tests.slowness import patience

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WORLD = World(seed=3, pages=30, hosts=2, crawl_delay=0)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    with DemoServer(WORLD, tmp_path_factory.mktemp("web") / "access.log") as server:
        yield server


def script(folder: Path, name: str, *arguments: str, **variables: str) -> str:
    """What a script prints."""
    clean = {name: value for name, value in os.environ.items() if "GOSSAMER" not in name}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
        env={**clean, **variables},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def crawling(web: DemoServer) -> dict[str, str]:
    """Settings that have a script's crawl ask nothing but the demo web."""
    return {
        "GOSSAMER_FETCH_CONNECT_TO": web.connect_to,
        "GOSSAMER_POLITENESS_DELAY": "0",
        "GOSSAMER_CRAWL_WORKERS": "1",
    }


def test_a_crawl_becomes_a_data_frame(tmp_path: Path, web: DemoServer) -> None:
    said = script(tmp_path, "crawl_to_data_frame.py", WORLD.front(0), "Event", **crawling(web))
    assert said.splitlines()[1].split() == ["name", "page"]
    assert WORLD.front(0) in said
    assert not [*tmp_path.iterdir()]


def test_prices_of_a_shop_become_parquet(tmp_path: Path, web: DemoServer) -> None:
    said = script(tmp_path, "shop_prices.py", WORLD.front(0), "prices.parquet", **crawling(web))
    prices = pl.read_parquet(tmp_path / "prices.parquet")
    assert prices.schema["offers.price"] == pl.Float64
    assert prices["offers.price"].drop_nulls().len() > 0
    assert "mean" in said


class TeaShop(Chain):
    """A site with one product, whose price changes."""

    price = "10.00"

    def page(self, path: str) -> tuple[int, str]:
        """The status and text of a page."""
        if path == "/":
            return 200, "<a href=/tea>tea</a>"
        offer = {"@type": "Offer", "price": self.price}
        tea = {"@context": "https://schema.org", "@type": "Product", "name": "Tea", "offers": offer}
        said = f"<script type='application/ld+json'>{json.dumps(tea)}</script>"
        return (200, said) if path == "/tea" else (404, "")


def test_the_second_night_tells_what_changed(tmp_path: Path) -> None:
    with served(kind=TeaShop) as shop:
        assert isinstance(shop, TeaShop)
        settings = {
            "GOSSAMER_FETCH_CONNECT_TO": f"*.test={shop.address}",
            "GOSSAMER_POLITENESS_DELAY": "0",
            "GOSSAMER_SITEMAPS_USE": "false",
            "GOSSAMER_CRAWL_WORKERS": "1",
        }

        def tonight() -> str:
            return script(tmp_path, "nightly_changes.py", "http://a.test/", "Product", **settings)

        assert tonight() == "2 pages, 0 changed entities\n"
        shop.price = "12.50"
        said = tonight()
    assert said.splitlines() == [
        "2 pages, 1 changed entities",
        "changed Tea offers.price 10.00 → 12.50",
    ]


def test_all_examples_are_listed() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    assert [
        path.name
        for path in EXAMPLES.glob("*.*")
        if path.name != "README.md" and f"]({path.name})" not in listed
    ] == []


def test_a_crawler_of_ones_own_is_polite(tmp_path: Path, web: DemoServer) -> None:
    own = ("--connect-to", web.connect_to, "--data", "data")
    fast = ("--config", "politeness.delay=0.05", "--config", "politeness.slowness=0")
    with running(tmp_path, "serve", "127.0.0.1:0", *own, *fast) as service:
        # The web is a proxy to `requests`, which would look names of it up.
        proxied = {"http_proxy": f"http://{web.address}", "no_proxy": "127.0.0.1"}
        where = {"GOSSAMER_SERVICE": service.address().url}
        said = script(tmp_path, "polite_crawler.py", WORLD.front(0), "4", **proxied, **where)
    lines = said.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith(f"{WORLD.front(0)} ")
    asked = [access.path for access in web.accesses() if access.path != "/robots.txt"]
    allowed = [path for path in asked if not path.startswith("/private/")]
    assert asked == allowed
    audit = subprocess.run(
        [sys.executable, "-m", "gossamer", "audit", "--data", str(tmp_path / "data"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    (host,) = json.loads(audit.stdout)
    assert host["requests"] >= 4
    assert host["violations"] == 0


def test_extruct_is_replaced_in_one_line(tmp_path: Path, web: DemoServer) -> None:
    url = WORLD.front(0)
    host = url.split("/")[2]
    request = urllib.request.Request(f"http://{web.address}/", headers={"Host": host})
    with urllib.request.urlopen(request, timeout=patience(10)) as answer:
        html = answer.read()
    (tmp_path / "page.html").write_bytes(html)
    found = json.loads(script(tmp_path, "extruct_replaced.py", "page.html", url))
    theirs = extruct.extract(html, base_url=url, syntaxes=["json-ld"])
    assert theirs["json-ld"]
    assert found["json-ld"] == theirs["json-ld"]


def cells(name: str) -> Iterator[tuple[str, bool]]:
    """The code of a notebook's cells; whether a cell has parameters."""
    for cell in json.loads((EXAMPLES / name).read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            yield "".join(cell["source"]), "parameters" in cell["metadata"].get("tags", ())


async def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does, within a running loop; the value of its last line."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    await evaluated(compile(tree, "cell", "exec", flags), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return await evaluated(compile(ast.Expression(last.value), "cell", "eval", flags), names)


async def evaluated(code: CodeType, names: dict[str, Any]) -> Any:
    value = eval(code, names)
    return await value if inspect.isawaitable(value) else value


def test_the_notebook_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, web: DemoServer
) -> None:
    monkeypatch.chdir(tmp_path)
    own = {"connect_to": [web.connect_to], "delay": 0, "workers": 1, "max_pages": 12}

    async def run() -> list[Any]:
        names: dict[str, Any] = {}
        values = []
        for source, is_parameters in cells("crawl.ipynb"):
            values.append(await run_cell(source, names))
            if is_parameters:
                names |= {"seed": WORLD.front(0), "options": {**names["options"], **own}}
        return values

    _, summary, kinds, names, (more, ended) = asyncio.run(run())
    assert summary["pages"] == 12
    assert kinds
    assert "<table" in names._repr_html_()
    assert (more, ended) == (0, "pages")
