"""Habits of real pages: a minimal page for each, and what it says (`tests/pages/README.md`)."""

import json
from pathlib import Path

import pyoxigraph as ox
import pytest

import gossamer

PAGES = Path(__file__).resolve().parent / "pages"
KINDS = {".html", ".xml", ".ttl", ".nt", ".rdf", ".jsonld"}
ITEMS = ".items.json"
NAMES = sorted(path.name for path in PAGES.iterdir() if path.suffix in KINDS)


def read(name: str, *, strict: bool) -> tuple[str, str]:
    """What a page says as sorted N-Quads, and its problems, one to a line."""
    header = (PAGES / name).with_suffix(".content-type")
    page = gossamer.extract(
        (PAGES / name).read_bytes(),
        url=f"https://page.test/{Path(name).stem}",
        content_type=header.read_text().strip() if header.exists() else "text/html",
        strict=strict,
    )
    dataset = ox.Dataset(ox.parse(page.nquads, ox.RdfFormat.N_QUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    problems = [f"{problem.syntax or '-'}: {problem.message}\n" for problem in page.problems]
    return "".join(sorted(f"{quad} .\n" for quad in dataset)), "".join(problems)


def read_items(name: str) -> str:
    """The items of a page as JSON; kinds that it does not hold are left out."""
    page = gossamer.extract((PAGES / name).read_bytes(), url=f"https://page.test/{Path(name).stem}")
    items = {kind: found for kind, found in page.items.items() if found}
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def expected(name: str, suffix: str) -> str:
    """What a file beside the page says; nothing if there is none."""
    path = (PAGES / name).with_suffix(suffix)
    return path.read_text() if path.exists() else ""


@pytest.mark.parametrize("name", NAMES)
def test_a_habit_of_pages_is_read_as_its_authors_mean(name: str) -> None:
    quads, problems = read(name, strict=False)
    assert quads == expected(name, ".nq")
    assert problems == expected(name, ".problems")


@pytest.mark.parametrize(
    "name", [name for name in NAMES if (PAGES / name).with_suffix(".strict.nq").exists()]
)
def test_a_habit_of_pages_is_read_by_the_letter_if_asked(name: str) -> None:
    quads, problems = read(name, strict=True)
    assert quads == expected(name, ".strict.nq")
    assert problems == expected(name, ".strict.problems")


@pytest.mark.parametrize(
    "name", [name for name in NAMES if (PAGES / name).with_suffix(ITEMS).exists()]
)
def test_items_have_what_quads_cannot(name: str) -> None:
    assert read_items(name) == expected(name, ITEMS)


def write(name: str, suffix: str, text: str) -> None:
    """Write what a page gives to a file beside it."""
    path = (PAGES / name).with_suffix(suffix)
    path.unlink(missing_ok=True)
    if text or suffix.endswith(".nq"):
        path.write_text(text)


if __name__ == "__main__":
    for each in NAMES:
        usual, by_the_letter = read(each, strict=False), read(each, strict=True)
        write(each, ".nq", usual[0])
        write(each, ".problems", usual[1])
        if by_the_letter != usual:
            write(each, ".strict.nq", by_the_letter[0])
            write(each, ".strict.problems", by_the_letter[1])
        if (PAGES / each).with_suffix(ITEMS).exists():
            write(each, ITEMS, read_items(each))
