"""Webs whose wanted pages are known: clustered in sections, categories, hubs or hosts, or hidden by decoys.

A page has links with what a worker would tell of them (URL, elements around it, words), and wanted entities by number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from gossamer.focus.hints import LinkHint
from gossamer.model import Url

NAV = "nav>ul>li>a"
LIST = "main>div.list>ul>li>a"
PAGER = "main>div.pager>a"
RELATED = "aside>div.related>ul>li>a"
LATEST = "aside>div.latest>ul>li>a"
CRUMBS = "main>div.crumbs>a"
FOOTER = "footer>p>a"
TEXT = "main>article>p>a"
WORDS = [
    "solar",
    "panel",
    "river",
    "stone",
    "garden",
    "winter",
    "market",
    "bridge",
    "violin",
    "copper",
    "forest",
    "station",
    "museum",
    "kitchen",
    "bottle",
    "anchor",
    "meadow",
    "lantern",
    "harbour",
    "tunnel",
    "pepper",
    "saddle",
    "mirror",
    "compass",
    "ribbon",
    "quarry",
    "orchard",
    "beacon",
    "glacier",
    "velvet",
]


@dataclass(slots=True)
class Page:
    """A page: where it leads, and whether it is wanted."""

    links: list[tuple[Url, LinkHint]] = field(default_factory=list)
    wanted: bool = False


@dataclass(frozen=True)
class World:
    """A web, and what of it is wanted."""

    name: str
    seeds: tuple[Url, ...]
    pages: Mapping[Url, Page]

    @cached_property
    def wanted(self) -> int:
        """How many wanted pages can be reached."""
        seen, waiting = set(self.seeds), [*self.seeds]
        while waiting:
            for url, _ in self.pages[waiting.pop()].links:
                if url not in seen:
                    seen.add(url)
                    waiting.append(url)
        return sum(self.pages[url].wanted for url in seen)


class _Site:
    """A site in the making."""

    def __init__(self, host: str, chance: Random) -> None:
        self.host, self.chance = host, chance
        self.pages: dict[Url, Page] = {}

    def page(self, path: str) -> Page:
        return self.pages.setdefault(self.url(path), Page())

    def url(self, path: str) -> Url:
        return Url(f"http://{self.host}{path}")

    def link(self, source: str, target: str, tags: str, *words: str) -> None:
        self.page(target)
        self.page(source).links.append((self.url(target), LinkHint(tags, words)))

    def listing(
        self, first: str, more: Callable[[int], str], items: Sequence[str], tags: str, *words: str
    ) -> list[str]:
        """Pages that list items, twenty each, and lead to each other; their paths."""
        paths = [
            first if not number else more(number)
            for number in range(max((len(items) + 19) // 20, 1))
        ]
        for number, path in enumerate(paths):
            for item in items[20 * number : 20 * number + 20]:
                self.link(path, item, tags, *words, self.chance.choice(WORDS))
            for near in (number - 1, number + 1, number + 2, len(paths) - 1):
                if 0 <= near < len(paths) and near != number:
                    self.link(path, paths[near], PAGER, str(near))
        return paths

    def furnish(self, nav: Sequence[tuple[str, str]]) -> None:
        """Give all pages the links that all pages have."""
        for path in ("/", "/about", "/contact", "/imprint", "/help"):
            self.page(path)
        for url, page in self.pages.items():
            fixed = [(self.url(path), LinkHint(NAV, (word,))) for path, word in nav]
            fixed.append((self.url("/"), LinkHint(NAV, ("home",))))
            feet = ("/about", "/contact", "/imprint", "/help")
            fixed += [(self.url(path), LinkHint(FOOTER, (path[1:],))) for path in feet]
            page.links[:0] = [each for each in fixed if each[0] != url]

    def relate(self, items: Sequence[str], everything: Sequence[str], tags: str = RELATED) -> None:
        """Give items links to some of their kind, and to some of any kind."""
        for item in items:
            for other in self.chance.sample(items, min(4, len(items))):
                self.link(item, other, tags, self.chance.choice(WORDS))
            for other in self.chance.sample(everything, 2):
                self.link(item, other, LATEST, self.chance.choice(WORDS))

    def world(self, name: str) -> World:
        """The whole site."""
        return World(name, (self.url("/"),), self.pages)


def _sizes(total: int, share: float, kinds: int, chance: Random) -> tuple[list[int], int]:
    """Sizes of so many kinds of pages, and how many of them, the first, are wanted: that share of all."""
    wanted_kinds = max(1, round(kinds * share))
    weights = [chance.uniform(0.5, 1.5) for _ in range(kinds)]
    first, rest = sum(weights[:wanted_kinds]), sum(weights[wanted_kinds:])
    sizes = [
        max(
            round(
                total
                * (share * each / first if number < wanted_kinds else (1 - share) * each / rest)
            ),
            5,
        )
        for number, each in enumerate(weights)
    ]
    return sizes, wanted_kinds


def sections(total: int, share: float, seed: int) -> World:
    """A site of sections, each with a form of URL of its own; things that are wanted fill some of them."""
    chance = Random(seed)
    site = _Site("sections.test", chance)
    sizes, wanted = _sizes(total, share, 12, chance)
    names = chance.sample(WORDS, 12)
    items = {
        name: [
            f"/{name}/{chance.choice(WORDS)}-{chance.choice(WORDS)}-{number}"
            for number in range(size)
        ]
        for name, size in zip(names, sizes, strict=True)
    }
    everything = [path for some in items.values() for path in some]
    for number, (name, paths) in enumerate(items.items()):
        site.listing(f"/{name}", lambda n, name=name: f"/{name}?page={n}", paths, LIST)  # type: ignore[misc]
        site.relate(paths, everything)
        for path in paths:
            site.page(path).wanted = chance.random() < (0.95 if number < wanted else 0.002)
            site.link(path, f"/{name}", CRUMBS, name)
    nav = [(f"/{name}", name) for name in names]
    chance.shuffle(nav)
    site.furnish(nav)
    return site.world("sections")


def categories(total: int, share: float, seed: int) -> World:
    """A site of one form of URL for all things: only the category that lists them tells them apart."""
    chance = Random(seed)
    site = _Site("categories.test", chance)
    kinds = 50
    sizes, wanted = _sizes(total, share, kinds, chance)
    numbers = chance.sample(range(10_000, 10_000 + 9 * sum(sizes)), sum(sizes))
    ids = iter(numbers)
    categories = chance.sample(range(100, 999), kinds)
    groups = [[f"/item/{next(ids)}" for _ in range(size)] for size in sizes]
    everything = [path for some in groups for path in some]
    for place, (number, paths) in enumerate(zip(categories, groups, strict=True)):
        first = f"/category/{number}"
        site.listing(first, lambda n, first=first: f"{first}?page={n}", paths, LIST)  # type: ignore[misc]
        site.relate(paths, everything)
        for path in paths:
            site.page(path).wanted = chance.random() < (0.95 if place < wanted else 0.002)
            site.link(path, first, CRUMBS, str(number))
    for number in categories:
        site.link("/", f"/category/{number}", "main>div.categories>ul>li>a", chance.choice(WORDS))
    site.furnish([])
    return site.world("categories")


def archives(total: int, share: float, seed: int) -> World:
    """A site whose wanted things lie behind hubs that have none: years, months, days."""
    chance = Random(seed)
    site = _Site("archives.test", chance)
    many = round(total * share)
    others = [f"/story/{chance.choice(WORDS)}-{number}" for number in range(total - many)]
    for topic in range(20):
        some = others[topic::20]
        first = f"/topic/{WORDS[topic]}"
        site.listing(first, lambda n, first=first: f"{first}?page={n}", some, LIST)  # type: ignore[misc]
        site.relate(some, others)
        site.link("/", first, NAV, WORDS[topic])
    months = max(many // 25, 2)
    number = 0
    for month in range(months):
        year, path = 2000 + month // 12, f"/archive/{2000 + month // 12}/{month % 12 + 1}"
        site.link("/", "/archive", FOOTER, "archive")
        site.link("/archive", f"/archive/{year}", "main>ul>li>a", str(year))
        site.link(f"/archive/{year}", path, "main>ul>li>a", str(month))
        for _ in range(25):
            item = f"/record/{number}"
            site.link(path, item, "main>table>tr>td>a", chance.choice(WORDS))
            site.link(item, path, CRUMBS, "archive")
            site.page(item).wanted = chance.random() < 0.95
            number += 1
    site.furnish([])
    return site.world("archives")


def opaque(total: int, share: float, seed: int) -> World:
    """A site whose URLs are all of one form, hubs included, and whose links have no words that tell."""
    chance = Random(seed)
    site = _Site("opaque.test", chance)
    kinds = 30
    sizes, wanted = _sizes(total, share, kinds, chance)
    count = sum(sizes) + sum(size // 20 + 1 for size in sizes) + kinds
    ids = iter(chance.sample(range(1_000, 1_000 + 9 * count), count))
    hubs = [f"/node/{next(ids)}" for _ in range(kinds)]
    groups = [[f"/node/{next(ids)}" for _ in range(size)] for size in sizes]
    everything = [path for some in groups for path in some]
    for place, (hub, paths) in enumerate(zip(hubs, groups, strict=True)):
        pages = {number: f"/node/{next(ids)}" for number in range(1, len(paths) // 20 + 1)}
        site.listing(hub, pages.__getitem__, paths, LIST)
        site.relate(paths, everything)
        for path in paths:
            site.page(path).wanted = chance.random() < (0.95 if place < wanted else 0.002)
    chance.shuffle(hubs)
    for hub in hubs:
        site.link("/", hub, "main>div.hubs>ul>li>a", chance.choice(WORDS))
    site.furnish([])
    return site.world("opaque")


def decoys(total: int, share: float, seed: int) -> World:
    """A site that says `solar panel` where nothing is, begins with a few wanted things of one form, and hides the rest."""
    chance = Random(seed)
    site = _Site("decoys.test", chance)
    many = round(total * share)
    bait = [f"/product/{number}" for number in range(total // 4)]
    site.listing("/products", lambda n: f"/products?page={n}", bait, LIST, "solar", "panel")
    for path in bait[: many // 10]:
        site.page(path).wanted = True
    plain = [f"/x/{number}" for number in range(many - many // 10)]
    site.listing("/misc", lambda n: f"/misc?page={n}", plain, LIST)
    for path in plain:
        site.page(path).wanted = True
    rest = [
        f"/text/{chance.choice(WORDS)}-{number}" for number in range(total - len(bait) - len(plain))
    ]
    for topic in range(10):
        first = f"/topic/{WORDS[topic]}"
        some = rest[topic::10]
        site.listing(first, lambda n, first=first: f"{first}?page={n}", some, LIST)  # type: ignore[misc]
        site.relate(some, bait, TEXT)
        site.link("/", first, NAV, WORDS[topic])
    site.link(rest[-1], "/misc", TEXT, "misc")
    site.link(rest[len(rest) // 2], "/misc", TEXT, "misc")
    site.furnish([("/products", "solar")])
    return site.world("decoys")


def scattered(total: int, share: float, seed: int) -> World:
    """A site without any pattern: each page is wanted by chance alone."""
    chance = Random(seed)
    world = sections(total, share, seed)
    pages = {url: Page(page.links, chance.random() < share) for url, page in world.pages.items()}
    return World("scattered", world.seeds, pages)


def hosts(total: int, share: float, seed: int) -> World:
    """Many hosts that link to each other; few have what is wanted, and those link to their like more often."""
    chance = Random(seed)
    count = max(total // 25, 12)
    rich = max(round(count * share), 1)
    pages: dict[Url, Page] = {}
    names = [f"{chance.choice(WORDS)}{number}.test" for number in range(count)]
    paths: list[list[Url]] = []
    for number, name in enumerate(names):
        site = _Site(name, chance)
        size = chance.randint(10, 40)
        word = "product" if number < rich and chance.random() < 0.7 else chance.choice(WORDS)
        items = [f"/{word}/{chance.choice(WORDS)}-{each}" for each in range(size)]
        site.listing("/", lambda n: f"/?page={n}", items, LIST)
        site.relate(items, items)
        for path in items:
            site.page(path).wanted = chance.random() < (0.9 if number < rich else 0.005)
        site.furnish([])
        pages |= site.pages
        paths.append([*site.pages])
    for number in range(count):
        for _ in range(12):
            alike = number < rich and chance.random() < 0.5
            other = chance.randrange(rich) if alike else chance.randrange(count)
            page = pages[chance.choice(paths[number])]
            page.links.append(
                (Url(f"http://{names[other]}/"), LinkHint(TEXT, (chance.choice(WORDS),)))
            )
    seeds = tuple(Url(f"http://{name}/") for name in chance.sample(names, max(count // 50, 2)))
    return World("hosts", seeds, pages)


CLUSTERED: Mapping[str, Callable[[int, float, int], World]] = {
    "sections": sections,
    "categories": categories,
    "archives": archives,
    "opaque": opaque,
    "hosts": hosts,
}
ADVERSARIAL: Mapping[str, Callable[[int, float, int], World]] = {
    "decoys": decoys,
    "scattered": scattered,
}


def every(total: int, shares: Sequence[float], seed: int) -> Iterator[tuple[float, World]]:
    """All worlds, at each share."""
    for share in shares:
        for make in (*CLUSTERED.values(), *ADVERSARIAL.values()):
            yield share, make(total, share, seed)
