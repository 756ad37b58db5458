"""`make site`: the documentation as a site in `dist/site`, with its links checked.

The pages of `docs/` are joined by README, CONTRIBUTING and others that are read where the source is.
Links among them lead to pages of the site, links to other files of the source become their names. The
site loads nothing from other servers, which is checked, and any warning of the builder ends the build.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = ROOT / "zensical.toml"
WORK, OUT = ROOT / ".site", ROOT / "dist" / "site"
OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "deploy/README.md": "deploy.md",
    "examples/README.md": "examples.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
LOADING = ("script", "img", "iframe", "source", "video", "audio", "embed", "object")
IMPORTED = re.compile(r"""(?:url\(|@import )["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


def pages(root: Path = ROOT) -> dict[Path, str]:
    """Every file that becomes part of the site, with its name there."""
    inside = [path for path in (root / "docs").rglob("*") if path.is_file()]
    named = {path: path.relative_to(root / "docs").as_posix() for path in inside}
    named |= {root / path: name for path, name in OUTSIDE.items() if (root / path).is_file()}
    return named


def rewritten(text: str, source: Path, named: dict[Path, str], root: Path = ROOT) -> str:
    """A page whose links lead to pages of the site; links to other files are their text alone."""
    here = Path(named[source]).parent

    def address(file: Path) -> str | None:
        return os.path.relpath(named[file], here) if file in named else None

    return relink(text, source, address)


def relink(text: str, source: Path, address: Callable[[Path], str | None]) -> str:
    """A page whose links to files lead to their addresses; those to files without one are their text alone."""

    def replaced(match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        path, mark, fragment = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        meant = Path(os.path.normpath(source.parent / path))
        there = address(meant) or address(meant / "README.md")
        if there is None:
            return label if not picture else ""
        return f"{picture}[{label}]({there}{mark}{fragment})"

    blocks = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(
        block if block.startswith("```") else LINK.sub(replaced, block) for block in blocks
    )


def gather(work: Path) -> None:
    """Copy the pages to where the builder looks for them."""
    named = pages()
    for source, name in named.items():
        target = work / "pages" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = source.read_text(encoding="utf-8")
            target.write_text(rewritten(text, source, named), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    shutil.copyfile(CONFIG, work / CONFIG.name)


def navigation(config: Path = CONFIG) -> Iterator[str]:
    """The names of the pages in the navigation; a folder stands for all that is in it."""
    yield from _leaves(tomllib.loads(config.read_text(encoding="utf-8"))["project"]["nav"])


def _leaves(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        yield from _leaves(list(entry.values()))
    elif isinstance(entry, list):
        for each in entry:
            yield from _leaves(each)


class Page(HTMLParser):
    """What a page leads to, what it loads, and the places in it that have names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag tells."""
        told = {name: value or "" for name, value in attrs}
        self.names |= {told[name] for name in ("id", "name") if name in told}
        if tag == "a" and "href" in told:
            self.links.add(told["href"])
        elif tag == "link" and told.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.add(told.get("href", ""))
        elif tag in LOADING:
            self.loaded.add(told.get("src", ""))


def complaints(site: Path) -> Iterator[str]:
    """Every link that leads nowhere, and whatever would be loaded from another server."""
    read = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in sorted(read.items()):
        name = path.relative_to(site)
        yield from (f"{name} loads {each}" for each in page.loaded if urlsplit(each).netloc)
        for link in sorted(page.links) if name.name != "404.html" else ():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else path.parent / unquote(parts.path)
            target = Path(os.path.normpath(target / "index.html" if target.is_dir() else target))
            if not target.is_file():
                yield f"{name}: {link} leads to no page"
            elif target in read and unquote(parts.fragment) not in {*read[target].names, ""}:
                yield f"{name}: {link} leads to no place in that page"
    for path in sorted(site.rglob("*.css")):
        for each in IMPORTED.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)} loads {each}"


def main() -> None:
    """Gather, build, check, and put the site into `dist/site`."""
    shutil.rmtree(WORK, ignore_errors=True)
    gather(WORK)
    built = subprocess.run(
        [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict"],
        cwd=WORK,
        check=False,
    )
    if built.returncode != 0:
        sys.exit("The site was not built: see above what is wrong with the pages.")
    if found := list(complaints(WORK / "site")):
        sys.exit("\n".join(["The site is not as it should be:", *found]))
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.parent.mkdir(exist_ok=True)
    shutil.move(WORK / "site", OUT)
    count = len(list(OUT.rglob("*.html")))
    look = "python3 -m http.server --bind 127.0.0.1 --directory dist/site"
    print(f"{count} pages in {OUT.relative_to(ROOT)}/. To look at them: {look}")


if __name__ == "__main__":
    main()
