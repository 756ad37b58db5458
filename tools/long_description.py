"""README as package indexes show it: links that lead to files of the source lead to the published documentation.

A hook of the build, since an index knows no file beside the archive. The documentation is where
`Documentation` in `[project.urls]` says; while it is published nowhere, such links are their text
alone, and pictures are left out.
"""

import runpy
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from hatchling.metadata.plugin.interface import MetadataHookInterface


class LongDescription(MetadataHookInterface):
    """Gives the package its description when it is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`."""
        documentation = metadata.get("urls", {}).get("Documentation")
        text = long_description(Path(self.root), documentation)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def long_description(root: Path, documentation: str | None) -> str:
    """README with links to the documentation's pages, as `make site` names them."""
    site = runpy.run_path(str(root / "tools" / "site" / "__main__.py"))
    named: dict[Path, str] = site["pages"](root)
    readme = root / "README.md"

    def address(file: Path) -> str | None:
        if documentation is None or file not in named:
            return None
        return urljoin(documentation.rstrip("/") + "/", _page(named[file]))

    text: str = site["relink"](readme.read_text(encoding="utf-8"), readme, address)
    return text


def _page(name: str) -> str:
    """The address of a page within the site: `crawling.md` is at `crawling/`."""
    page = name.removesuffix(".md")
    if page == name:
        return name
    folder, _, last = page.rpartition("/")
    if last in ("index", "README"):
        return f"{folder}/" if folder else ""
    return f"{page}/"
