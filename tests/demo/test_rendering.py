import os
import subprocess
import sys

from gossamer.demo.content import Format
from gossamer.demo.lookup import resource_at
from gossamer.demo.rendering import rendered
from gossamer.demo.resources import Listing
from gossamer.demo.world import World

WORLD = World(seed=11, pages=120, hosts=12, malice=True)

DIGEST = """
import hashlib
from gossamer.demo.rendering import rendered
from gossamer.demo.world import World
world = World(seed=11, pages=120, hosts=12, malice=True)
digest = hashlib.sha256()
for number in range(world.pages):
    made = rendered(world, world.page(number))
    digest.update(made.body + made.content_type.encode())
    for syntax in sorted(made.triples):
        digest.update("".join(sorted(made.triples[syntax])).encode())
print(digest.hexdigest())
"""


def digest(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(
        [sys.executable, "-c", DIGEST], env=environment, capture_output=True, check=True, text=True
    )
    return run.stdout


def test_two_processes_write_the_same_bytes() -> None:
    first = digest("1")
    assert len(first.strip()) == 64
    assert first == digest("4242")


def test_another_seed_says_other_things() -> None:
    other = World(seed=12, pages=120, hosts=12, malice=True)
    here, there = rendered(WORLD, WORLD.page(0)), rendered(other, other.page(0))
    assert here.body != there.body


def test_pages_hold_statements() -> None:
    for number in range(WORLD.pages):
        page = WORLD.page(number)
        made = rendered(WORLD, page)
        assert made.quads >= (1 if page.format is Format.HTML else 3), page


def test_a_listing_is_plain_html_with_all_its_links() -> None:
    listing = resource_at(WORLD, "trap.malice.test", "/many")
    assert isinstance(listing, Listing)
    made = rendered(WORLD, listing)
    assert made.content_type.startswith("text/html")
    assert made.body.count(b"<a ") == 10_000


def test_links_carry_the_name_of_what_they_lead_to() -> None:
    front = rendered(WORLD, WORLD.page(0)).body
    children = [WORLD.page(number) for number in range(1, 5)]
    readable = [page for page in children if page.is_html and page.charset == "utf-8"]
    assert readable
    for page in readable:
        name = rendered(WORLD, page).body.partition(b"<h1")[2].partition(b">")[2].partition(b"<")[0]
        assert name
        assert name in front
