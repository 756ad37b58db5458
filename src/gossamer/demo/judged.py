"""A small collection of pages, queries, and how well each page answers each query: judged by how it was made.

Every topic has a page about it, pages about two of its aspects, and digests that mention it in passing. All pages name all
topics in their navigation, as pages of a site do, and some speak of something else in the same words. So a search
that cannot tell a page's subject from what stands around it is seen to fail. Half of the topics are things in data too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

HOST: Final = "http://judged.test"
ABOUT, ASPECT, MENTION = 3, 2, 1  # grades: about it, about a part of it, mentions it


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject of some pages."""

    name: str
    text: str
    aspects: Mapping[str, str]  # by title

    @property
    def path(self) -> str:
        """Where the page about it is."""
        return "/" + self.name.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """What somebody looks for, and the grades of pages that answer it; of all others it is 0."""

    text: str
    grades: Mapping[str, int] = field(default_factory=dict)  # by URL


TOPICS: Final = (
    Topic(
        "Tide mills",
        "A tide mill grinds corn with the sea. The rising water fills a pond behind a dam, and when the sea has fallen "
        "far enough the pond drives a wheel. The miller works by the moon, twice a day and half an hour later each time.",
        {
            "Gates of the pond": "The gates open by themselves when the flood pushes and close when it turns. Oak lasts "
            "forty years in salt water, and elm longer where it never dries.",
            "Wheels under the floor": "The wheel turns below the floor, breast high in the race. Its paddles are of larch, "
            "and the shaft rests on stone that is wetted to keep it cool.",
        },
    ),
    Topic(
        "Lighthouse lenses",
        "A lens of glass rings bends the lamp into one beam. Rings of prisms weigh less than a solid lens and "
        "lose less light. Large ones float on quicksilver, so that a child can push two tons around.",
        {
            "Clockwork of the lamp": "A weight in the tower drives the clockwork that turns the lamp. The keeper winds it "
            "every four hours, and a bell tells when he has forgotten.",
            "Colours of sectors": "Red glass marks the rocks and green the channel. A ship that sees white is where she "
            "ought to be.",
        },
    ),
    Topic(
        "Heather honey",
        "Bees are carried to the moors in August, when the heather blooms. The honey sets like jelly and has to be pressed "
        "out of the comb. It is dark, bitter at the end, and keeps for years.",
        {
            "Moving hives at night": "Hives travel at night with their doors shut, on carts with springs. In the morning the "
            "bees learn their new place before they fly.",
            "Pressing the comb": "The comb is wrapped in linen and pressed slowly. What stays behind is melted for wax.",
        },
    ),
    Topic(
        "Slate roofs",
        "Slate is split by hand along its grain and hung on laths with two nails. A roof of it stands a hundred years, if the "
        "nails do. Rain runs down it before frost can get in.",
        {
            "Nails of copper": "Copper nails outlast the slate, and iron ones are what most repairs are for. A tool with a hook "
            "cuts them beneath the row above.",
            "Sizes called by rank": "Quarrymen call the sizes duchesses, countesses and ladies. The eaves have the largest, and "
            "the ridge what is left.",
        },
    ),
    Topic(
        "Willow baskets",
        "Baskets are woven of willow that was cut in winter and soaked in spring. The base comes first, then the stakes, and last "
        "the border, which holds all of it. A good one carries wet potatoes for twenty years.",
        {
            "Cutting the rods": "Rods are cut close to the stool after the first hard frost. Left standing they branch and are good "
            "for fences alone.",
            "Boiling for colour": "Boiled in their bark the rods turn the colour of leather, which no dye matches. Peeled at once "
            "they stay white.",
        },
    ),
    Topic(
        "Church bells",
        "A bell is cast of copper and tin in a mould of clay, and nobody knows its note until it is cold. Founders turn metal off the "
        "inside to tune it. It is hung so that it swings and its clapper does not follow.",
        {
            "Ringing the changes": "Eight ringers go through forty thousand orders without a note written down. It takes eighteen "
            "hours, and has been done by one band.",
            "Cracks in the lip": "A crack starts where the clapper strikes too long in one place. The bell is turned by a quarter, or "
            "welded in an oven.",
        },
    ),
    Topic(
        "Sourdough bread",
        "Flour and water left to themselves begin to rise in a week. What lives in it makes bread sour and keeps it from mould. Bakers "
        "feed it each day and name it like a pet.",
        {
            "Reviving a dried starter": "Dried on paper a starter sleeps for years. With lukewarm water and rye it wakes in three "
            "days, and smells of apples when it is ready.",
            "Steam in the oven": "Steam in the first minutes keeps the crust soft, so that the loaf can spring. Then the door is "
            "opened and the crust browns.",
        },
    ),
    Topic(
        "Rope ferries",
        "A rope ferry crosses a river on a line from bank to bank, and the current pushes it. The ferryman sets the boat aslant and waits. It "
        "needs no motor, and nothing but ice stops it.",
        {
            "Splicing the cable": "The cable is spliced over ten yards, so that it runs through the pulleys. Two people do it in a "
            "day, with a spike of bone.",
            "Rights of way on water": "Boats on the river have the right of way, and the line is lowered for them. A flag by day and a "
            "lantern by night tell where it is.",
        },
    ),
    Topic(
        "Paper from rags",
        "Paper was made of linen rags, rotted, stamped to pulp and lifted out of a vat on a sieve. Each sheet was couched on felt and "
        "hung in a loft. Its size came from hooves and skins.",
        {
            "Watermarks of wire": "A figure of wire on the sieve makes the sheet thinner there. It tells the mill and often the year.",
            "Sorting by women": "Women sorted rags at tables with a blade, and cut off buttons and seams. Their lungs paid for it.",
        },
    ),
    Topic(
        "Alpine cheese",
        "Cheese is made on the alp from June on, of milk that has never been cooled. Wheels of forty kilos are salted and turned every day. In "
        "autumn they are shared by the yield of each cow.",
        {
            "Copper kettles": "The kettle hangs on a crane and is swung off the fire when the curd breaks. Copper spreads the heat and "
            "helps the taste.",
            "Measuring each cow": "One day in July all milk is weighed cow by cow. That day decides what every family carries "
            "home.",
        },
    ),
    Topic(
        "Star maps",
        "Star maps show the sky as from outside or as from below, and beginners hold them the wrong way. The brightest stars are dots of six "
        "sizes. A map is drawn for one year, since the pole wanders.",
        {
            "Names of bright stars": "Most bright stars have Arabic names that say where in the figure they stand. Scribes changed "
            "some until nobody knew them.",
            "Turning discs": "A disc that turns behind a window shows which stars are up at any hour. It serves one latitude.",
        },
    ),
    Topic(
        "Harbour pilots",
        "A pilot boards a ship at sea and takes her in. He knows the sands, which move, and the tide at every quay. The captain keeps the "
        "command, and listens.",
        {
            "Climbing the ladder": "The ladder hangs on the lee side, and the boat rises and falls beside it. One climbs at the top of a "
            "wave and never looks down.",
            "Learning by heart": "Who wants a licence draws the chart from memory, with all depths. Most take seven years.",
        },
    ),
)
# Other things in the same words.
_OTHERS: Final = {
    "Opening hours": "The office is open by the moon of paper over the door. Rope, roofs and bread are sold next door, and stars "
    "are given for service.",
    "A novel about a miller's daughter": "She reads on the cheese counter of a ferry, dreams of harbours and honey, and mills about. The "
    "church has no bells in this book.",
    "Terms of use": "Pilots of this service map baskets of goods. A lens on your rights: the slate is wiped clean each year.",
    "Our staff": "The keeper of the keys, the sorter of mail, and a climber of career ladders greet you. Copper, our cat, naps.",
    "Winter timetable": "Trains to the alp stop at every quay. The night train carries no hives of activity.",
    "Contact": "Write on rag paper or call. Lighthouse Street 4, behind the tide of cars, beneath the weather cock.",
}
# In words that no title has.
_QUESTIONS: Final = {
    "grinding corn with the sea": ("Tide mills", None),
    "float on quicksilver": ("Lighthouse lenses", None),
    "wind every four hours bell": ("Lighthouse lenses", "Clockwork of the lamp"),
    "bees travel on carts": ("Heather honey", "Moving hives at night"),
    "split by hand hundred years": ("Slate roofs", None),
    "duchesses countesses": ("Slate roofs", "Sizes called by rank"),
    "eighteen hours eight ringers": ("Church bells", "Ringing the changes"),
    "smells of apples": ("Sourdough bread", "Reviving a dried starter"),
    "current pushes boat no motor": ("Rope ferries", None),
    "linen pulp sieve": ("Paper from rags", None),
    "arabic names scribes": ("Star maps", "Names of bright stars"),
    "draw the chart from memory": ("Harbour pilots", "Learning by heart"),
}


def judged_pages() -> Mapping[str, bytes]:
    """The pages of the collection by URL."""
    return {f"{HOST}{path}": markup.encode() for path, markup in _pages()}


def judged_queries() -> list[JudgedQuery]:
    """The queries, with the grades of the pages that answer them."""
    found = []
    for number, topic in enumerate(TOPICS):
        grades = {f"{HOST}{topic.path}": ABOUT}
        grades |= {_aspect_url(topic, title): ASPECT for title in topic.aspects}
        grades[f"{HOST}{_digest_path(number)}"] = MENTION
        found.append(JudgedQuery(topic.name.lower(), grades))
        found += [JudgedQuery(title.lower(), _of_aspect(topic, title)) for title in topic.aspects]
    for text, (name, aspect) in _QUESTIONS.items():
        topic = next(each for each in TOPICS if each.name == name)
        grades = {f"{HOST}{topic.path}": ABOUT} if aspect is None else _of_aspect(topic, aspect)
        found.append(JudgedQuery(text, grades))
    return found


def _of_aspect(topic: Topic, title: str) -> dict[str, int]:
    return {_aspect_url(topic, title): ABOUT, f"{HOST}{topic.path}": MENTION}


def _aspect_path(topic: Topic, title: str) -> str:
    return f"{topic.path}/{title.lower().replace(' ', '-')}"


def _aspect_url(topic: Topic, title: str) -> str:
    return f"{HOST}{_aspect_path(topic, title)}"


def _digest_path(number: int) -> str:
    return f"/digest/{number // 4 + 1}"


def _pages() -> Iterator[tuple[str, str]]:
    for number, topic in enumerate(TOPICS):
        links = "".join(
            f"<li><a href='{_aspect_path(topic, title)}'>{title}</a>" for title in topic.aspects
        )
        data = ""
        if number % 2:
            data = (
                '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "DefinedTerm", '
                f'"@id": "#it", "name": "{topic.name}", "url": "{HOST}{topic.path}"}}</script>'
            )
        yield topic.path, _page(topic.name, f"<p>{topic.text}</p><ul>{links}</ul>{data}")
        for title, text in topic.aspects.items():
            yield (
                _aspect_path(topic, title),
                _page(title, f"<p>{text}</p><p>This belongs to {topic.name.lower()}.</p>"),
            )
    for number in range(0, len(TOPICS), 4):
        some = TOPICS[number : number + 4]
        told = "".join(f"<p>{topic.name}: {topic.text.partition('.')[0]}.</p>" for topic in some)
        yield _digest_path(number), _page("This month", told)
    for number, (title, text) in enumerate(_OTHERS.items()):
        yield f"/other/{number}", _page(title, f"<p>{text}</p>")


def _page(title: str, body: str) -> str:
    """A page with the same navigation and footer as all others."""
    menu = "".join(f"<li><a href='{topic.path}'>{topic.name}</a>" for topic in TOPICS)
    recent = "".join(f"<li>{title}" for topic in TOPICS for title in topic.aspects)
    return (
        f"<!doctype html><html lang=en><title>{title} – Crafts of the coast</title><body>"
        f"<header>Crafts of the coast</header><nav><ul>{menu}</ul></nav>"
        f"<main><h1>{title}</h1>{body}</main><aside>Read next<ul>{recent}</ul></aside>"
        "<footer>All about mills, lenses, honey, roofs, bells, bread, ferries, paper and maps</footer></body></html>"
    )
