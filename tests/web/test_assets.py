"""Files that pages ask for."""

import json
from pathlib import Path

import pytest
from tests.service.running import Client

from gossamer.web.assets import FOR_EVER, MANIFEST, Bundle, asset, bundle


def test_what_is_named_by_its_content_is_asked_for_once(ask: Client) -> None:
    answer = ask(asset("gossamer.css"))
    assert (answer.status, answer.media_type) == (200, "text/css")
    assert answer.headers["cache-control"] == FOR_EVER


def test_a_file_with_another_tag_is_looked_at_anew_each_time(ask: Client) -> None:
    for path in ("/static/gossamer.css", "/static/gossamer.css?v=older"):
        assert ask(path).headers["cache-control"] == "no-cache"
    tag = ask("/static/gossamer.css").headers["etag"]
    assert ask("/static/gossamer.css", headers={"If-None-Match": tag}).status == 304


def test_head_tells_the_same_without_the_file(ask: Client) -> None:
    answer = ask("/static/gossamer.css", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["etag"]


@pytest.mark.parametrize(
    "path",
    ["../assets.py", "..%2fassets.py", "%2e%2e/assets.py", "/etc/passwd", "built", "", ".hidden",
     "built/.vite/manifest.json", "none.css", "gossamer.css/x", "a%00b.css", "x" * 290],
)  # fmt: skip
def test_nothing_but_our_files_is_served(ask: Client, path: str) -> None:
    assert ask(f"/static/{path}").status in (400, 404)
    assert not ask.events


def test_without_a_build_there_are_no_scripts(tmp_path: Path) -> None:
    assert not bundle(tmp_path).is_built


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', '{"a": {"isEntry": true}}'])
def test_half_a_build_is_none(tmp_path: Path, text: str) -> None:
    manifest(tmp_path).write_text(text)
    assert bundle(tmp_path) == Bundle()


def test_a_build_is_found_by_its_manifest(tmp_path: Path) -> None:
    entries = {
        "src/main.ts": {"file": "assets/main-x1.js", "isEntry": True, "css": ["assets/m-2.css"]},
        "src/graph.ts": {"file": "assets/graph-x3.js", "isDynamicEntry": True},
    }
    manifest(tmp_path).write_text(json.dumps(entries))
    found = bundle(tmp_path)
    assert found.scripts == ("/static/built/assets/main-x1.js",)
    assert found.styles == ("/static/built/assets/m-2.css",)
    assert found.is_built


def manifest(folder: Path) -> Path:
    path = folder / MANIFEST
    path.parent.mkdir(parents=True)
    return path
